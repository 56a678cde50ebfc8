//go:build unix

package bench

import (
	"syscall"
	"time"
)

// clock is the processor time that the process has used: it does not count
// what else the machine does meanwhile.
func clock() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
