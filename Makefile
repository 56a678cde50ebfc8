# What .ci/run does, but for the installing; and what it does not do.

.PHONY: check bench eval fuzz update

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

# Writes the golden files anew; read the diff before you keep it.
update:
	go test ./domains -update
	go test ./export ./transcript ./domains/statemachine/syntax ./cmd/speckl -update
