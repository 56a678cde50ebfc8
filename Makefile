# What .ci/run does, but for the installing; and what it does not do.

.PHONY: check bench eval fuzz torture update

check:
	bash .ci/run --no-install

# Figures, as ratios to a reference measured in the same process.
bench:
	go test -run '^$$' -bench . -timeout 2h ./internal/bench/... ./internal/sqlstore

# Scores on the sets that are labelled in the repository.
eval:
	go run ./cmd/speckl eval --domain state-machine --gold domains/statemachine/testdata/passages.jsonl \
		--min state.p=0.95 --min state.f1=0.80 --min transition.p=0.90 --min transition.f1=0.70
	go run ./cmd/speckl eval --domain general --gold domains/general/testdata/gold.jsonl \
		--min entity.f1=0.90 --min relationship.f1=0.85 --min property.f1=0.90 --min constraint.f1=0.90

# One target for longer: make fuzz PKG=./transcript TARGET=FuzzVTT TIME=10m
PKG ?= ./transcript
TARGET ?= FuzzDetect
TIME ?= 1m
fuzz:
	go test -run '^$$' -fuzz '^$(TARGET)$$' -fuzztime $(TIME) $(PKG)

# Kills writers at random points, so many times an engine, and the server a
# tenth of that. A run that fails prints its seed.
RUNS ?= 500
torture:
	go test ./internal/torture -count=1 -timeout 3h -v -run 'Crash' -runs $(RUNS)

# Writes the golden files anew; read the diff before you keep it.
update:
	go test ./domains -update
	go test ./export ./transcript ./domains/statemachine/syntax ./cmd/speckl -update
