package cli

import (
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
	"testing"
	"time"
)

func TestProf(t *testing.T) {
	f := os.Getenv("PROF_FILE")
	if f == "" {
		t.Skip()
	}
	c, _ := os.Create("/tmp/prof/cpu")
	pprof.StartCPUProfile(c)
	go func() {
		for i := 0; ; i++ {
			time.Sleep(3 * time.Second)
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			fmt.Println(i, "inuse", m.HeapAlloc>>20, "sys", m.Sys>>20)
			h, _ := os.Create(fmt.Sprintf("/tmp/prof/heap%d", i))
			pprof.WriteHeapProfile(h)
			h.Close()
		}
	}()
	out, _ := os.Create("/dev/null")
	start := time.Now()
	Main([]string{"extract", "-d", "state-machine", "-o", "json", f}, os.Stdin, out, os.Stderr)
	fmt.Println(time.Since(start))
	pprof.StopCPUProfile()
}
