package prompt

import (
	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/sir"
)

// known are the fields of data that say something.
func known(d *domain.Domain, typ string, data sir.Data) map[string]any {
	out := map[string]any{}
	t := d.TypeNamed(typ)
	if t == nil {
		return out
	}
	for i := range t.Fields {
		if f := &t.Fields[i]; domain.Known(f, data[f.Name]) {
			out[f.Name] = data[f.Name]
		}
	}
	return out
}

// Fitting are the first elements of a domain that fit the room, in tokens,
// and are live.
func (p *Prompt) Fitting(all []*sir.Element, room int) (fit []*sir.Element) {
	a := Ask{prompt: p}
	used := 0
	for _, e := range all {
		if !e.Status.Live() || e.Domain != p.domain.ID {
			continue
		}
		line, err := a.knownLine(e)
		n := Tokens(line)
		if err != nil || used+n > room {
			continue
		}
		used += n
		fit = append(fit, e)
	}
	return fit
}
