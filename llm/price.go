package llm

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
)

// Price is what a model costs, in US dollars for a million tokens.
type Price struct {
	Input  float64 `json:"input"`
	Output float64 `json:"output"`
	// Cached is that of input that the provider had kept; 0 is Input.
	Cached float64 `json:"cached"`
}

// of is what tokens cost, in millionths of a dollar.
func (p Price) of(u *Usage) int64 {
	cached := p.Cached
	if cached == 0 {
		cached = p.Input
	}
	return int64(float64(u.Input-u.Cached)*p.Input + float64(u.Cached)*cached + float64(u.Output)*p.Output)
}

// prices.json has the list prices of some models, by the beginning of their
// names, as the providers' price pages gave them on the date in it. Prices
// change: Config.Prices go before it.
//
//go:embed prices.json
var pricesJSON []byte

var listPrices = sync.OnceValue(func() map[string]Price {
	var table struct {
		Models map[string]Price `json:"models"`
	}
	if err := json.Unmarshal(pricesJSON, &table); err != nil {
		panic(fmt.Errorf("llm: prices.json: %w", err)) // it is ours, and tested
	}
	return table.Models
})

// price is that of the client's model: of the longest name in the table that
// its own begins with. What runs on one's own machine costs nothing.
func (c *Client) price() (Price, bool) {
	if len(c.info.KeyVars) == 0 {
		return Price{}, true
	}
	for _, table := range []map[string]Price{c.cfg.Prices, listPrices()} {
		best, found := "", false
		for name := range table {
			if strings.HasPrefix(c.Name(), name) && len(name) >= len(best) {
				best, found = name, true
			}
		}
		if found {
			return table[best], true
		}
	}
	return Price{}, false
}
