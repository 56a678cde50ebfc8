package redact_test

import (
	"fmt"

	"github.com/speckl/speckl/internal/redact"
)

func Example() {
	turns := []string{
		"Lan (lan@example.vn, 0912 345 678) asks about order 0987654321.",
		"The admin password is hunter2; call 0912 345 678 when it is reset.",
	}
	v := redact.New(turns...)
	for _, turn := range turns {
		fmt.Println(v.Hide(turn))
	}
	fmt.Println(v.Reveal("call Lan at phone_1"))
	// Output:
	// Lan ({{EMAIL_1}}, {{PHONE_1}}) asks about order 0987654321.
	// The admin password is {{SECRET_1}}; call {{PHONE_1}} when it is reset.
	// call Lan at 0912 345 678
}
