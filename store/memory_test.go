package store_test

import (
	"testing"

	"github.com/speckl/speckl/store"
	"github.com/speckl/speckl/store/storetest"
)

func TestMemory(t *testing.T) {
	storetest.Exercise(t, func(_ testing.TB, c store.Config) store.Store { return store.NewMemory(c) })
}
