// Command speckl reads conversations and keeps what they establish.
package main

import (
	"os"

	"github.com/speckl/speckl/internal/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
