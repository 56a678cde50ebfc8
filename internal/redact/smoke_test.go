package redact
import ("testing")
func TestSmoke(t *testing.T){
 for _,x:=range []string{
 "mail me at jane.doe+x@example.co.uk or call +84 90 123 45 67.", "order 4471-2231, PO 5551234567, customer 90123456", "Zalo 90123456", "0912345678 của anh Nam", "password: hunter2", "the password is wrong", "postgres://app:s3cr3t@db:5432/x", "密码是abc123，请保密", "请联系zhang@example.com谢谢", "订单号13800138000 手机13800138001", "sk-ant-api03-abcdefghijklmnopqrstuvwxyz012345",
 "٠١٠١٢٣٤٥٦٧٨ اتصل", "(415) 555-2671 ext. 204", "john [at] example [dot] com", "2026-03-01 10:15 0912 345 678", "10 000 000 đồng", "GB82 WEST 1234 5698 7654 32", "4111 1111 1111 1111", "Bearer abc.def-123456", "０９１２３４５６７８", "09\u200b12 34\u00ad5 678",
 }{ v:=New(x); h:=v.Hide(x); t.Logf("%s\n    => %s   %v",x,h, v.Reveal(h)==x) }
}
