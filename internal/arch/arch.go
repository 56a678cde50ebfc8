// Package arch holds the house of the repository as data: on which floor each
// package stands, why, and which of them may use which module from outside.
// Its test reads the imports of the whole repository and fails for one that
// goes up, for two packages of one floor that import each other, and for a
// package or module that the tables do not know.
//
// To add a package, give it a line in [House]. To add a dependency, give the
// module a line in [Outside], with what it is for.
package arch

// Module is the module's path.
const Module = "github.com/speckl/speckl"

// Floor is a set of packages that do not import each other. They may import
// what stands on lower floors.
type Floor struct {
	// Name as the documents call it: "F3".
	Name string
	// Rooms are its packages. One that is planned may be listed before it is
	// built.
	Rooms []Room
}

// Room is a package on its floor.
type Room struct {
	// Path below the module's; "." is the root package.
	Path string
	// Why says what it is and so why it stands there.
	Why string
}

// House lists the floors, the lowest first.
func House() []Floor {
	return []Floor{
		{"F0", []Room{
			{"sir", "the model as data, and the log: all stand on it"},
			{"diag", "users' mistakes as data, from every reader"},
			{"internal/pgtest", "runs PostgreSQL for tests; knows nothing of Speckl"},
			{"llm/llmtest", "plays a provider in tests; knows nothing of Speckl"},
			{"internal/browsertest", "drives a browser in tests of pages; knows nothing of Speckl"},
		}},
		{"F1", []Room{
			{"ground", "finds a quote in a source; usable alone"},
			{"llm", "talks to providers; usable alone"},
			{"domain", "what a domain is: data and small hooks, and their YAML loader"},
			{"transcript", "conversations in, one file a format"},
			{"export", "documents out, one file an output"},
			{"internal/clause", "tokens, sentences, scopes, offsets"},
			{"internal/redact", "placeholders for what is private"},
			{"internal/jsonread", "tolerant reading of models' replies"},
			{"domains/statemachine/syntax", "the micro-syntax as a language of its own: text to data and back, without the domain"},
		}},
		{"F2", []Room{
			{"internal/pattern", "compiles a domain's phrases and matches them over clauses"},
			{"internal/prompt", "assets and chunks for models; replies to candidates"},
			{"domains/general", "a domain is data and hooks: it needs domain, and may need clause or its own syntax"},
			{"domains/statemachine", "a domain"},
			{"domains/memory", "a domain"},
			{"domains/operations", "a domain"},
			{"domains/dnd", "a domain"},
			{"domains/inquiry", "a domain"},
		}},
		{"F3", []Room{
			{"internal/engine", "the stages as functions; it is handed a domain and a slice, and knows no built-in domain and no store"},
			{"domains", "lists the built-in domains, hence just above them"},
			{"domains/statemachine/validate", "reads state machines; no stage of the pipeline"},
			{"domains/statemachine/compile", "writes state machines in other languages"},
			{"domains/statemachine/simulate", "runs state machines"},
			{"internal/domaincheck", "a domain's examples through its phrases, schema and aligner"},
		}},
		{"F4", []Room{
			{"store", "the store's contract, and the store in memory"},
		}},
		{"F4½", []Room{
			{"store/storetest", "what every store must pass: it imports the contract"},
		}},
		{"F5", []Room{
			{"internal/consult", "asks models about turns: it plans with the engine, and is handed what keeps replies"},
			{"internal/sqlstore", "SQLite and PostgreSQL"},
			{"internal/work", "wakes workers, inside the store's transaction"},
		}},
		{"F6", []Room{
			{".", "the facade: joins engine, domains and store; the only writer of a document"},
		}},
		{"F7", []Room{
			{"internal/eval", "scores through the facade, as a user would"},
			{"internal/httpapi", "the facade over HTTP"},
			{"internal/mcpserver", "the facade over MCP"},
			{"internal/web", "the page, embedded"},
		}},
		{"F8", []Room{
			{"internal/cli", "the commands, one file each"},
			{"internal/bench", "figures beside a reference; tests only"},
			{"internal/torture", "breaks the stores from outside, through the facade; tests only"},
			{"internal/arch", "this table; tests only"},
		}},
		{"F9", []Room{
			{"cmd/speckl", "the program: it starts cli, ten lines"},
			{"internal/web/build", "bundles the page"},
		}},
	}
}

// Tool is a module from outside.
type Tool struct {
	// Path is the module's; packages below it count.
	Path string
	// Users are the packages (as in [Room]) whose code, tests apart, may
	// import it. None: tests only.
	Users []string
	// Why says what it is for.
	Why string
}

// Outside lists the modules that the repository imports. Tests may import
// any of them.
func Outside() []Tool {
	return []Tool{
		{"github.com/chromedp", []string{"internal/browsertest"}, "Chromium for the tests of pages: never in the program"},
		{"github.com/clipperhouse/uax29/v2", []string{"internal/clause"}, "sentence bounds with byte offsets"},
		{"github.com/goccy/go-yaml", []string{"domain", "internal/cli"}, "domain files and settings; errors with line and column"},
		{"github.com/google/go-cmp", nil, "the only assert helper"},
		{"github.com/google/uuid", []string{"sir", "internal/cli"}, "identities that follow from content (UUIDv5); the command line packs them"},
		{"github.com/jackc/pgx/v5", []string{"internal/sqlstore"}, "PostgreSQL, through database/sql"},
		{"github.com/rogpeppe/go-internal", nil, "testscript for the commands"},
		{"github.com/spf13/cobra", []string{"internal/cli"}, "commands and completion"},
		{"github.com/spf13/pflag", []string{"internal/cli"}, "flags, as cobra has them"},
		{"golang.org/x/text", []string{"domain", "ground", "transcript", "internal/clause", "internal/eval"}, "Unicode: normal forms, case folding"},
		{"modernc.org/sqlite", []string{"internal/sqlstore"}, "SQLite in Go: one file, nothing to install"},
		{"pgregory.net/rapid", []string{"store/storetest"}, "properties and state machines in tests; storetest is for tests, too"},
	}
}
