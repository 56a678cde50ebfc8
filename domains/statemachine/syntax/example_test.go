package syntax_test

import (
	"fmt"

	"github.com/speckl/speckl/domains/statemachine/syntax"
)

func ExampleParse() {
	stmts, diags := syntax.Parse("state idle { initial, entri: hideSpinner }\ntransition idle ->\n", syntax.Options{File: "turn-1"})
	fmt.Print(syntax.Print(stmts))
	for _, d := range diags {
		fmt.Println(d)
	}
	// Output:
	// state idle { isInitial: true }
	// turn-1:1:23: unknown key entri of a state; did you mean entry?
	// turn-1:2:19: expected a state name after ->, found end of line
}

func ExampleReadSpec() {
	text := "States:\n- IDLE: waiting\n- BUSY\n\nTransitions:\n- IDLE → BUSY when work arrives\n"
	for _, s := range syntax.ReadSpec(text) {
		fmt.Printf("%v\n%s", s.Span, syntax.Print(s.Statements))
	}
	// Output:
	// {0 30}
	// state IDLE { description: waiting }
	// state BUSY
	// {32 78}
	// transition IDLE -> BUSY on work arrives
}
