package statemachine

import (
	"github.com/speckl/speckl/domain"
	"github.com/speckl/speckl/sir"
)

// Check asks of a transition how it fits what stood before the turn: its
// known source stood; no live transition of that source, event and guard
// goes elsewhere; no live constraint forbids it. What cannot be asked is
// left out.
func (h *hooks) Check(c *domain.Candidate, related []*sir.Element) (pass, asked int) {
	if c.Type != "transition" {
		return 0, 0
	}
	from, event := c.Data["from"], c.Data["event"]
	if from == nil || from == "*" {
		return 0, 0
	}
	count := func(ok bool) {
		asked++
		if ok {
			pass++
		}
	}
	stood, elsewhere, forbidden := false, false, false
	for _, e := range related {
		switch e.ElementType {
		case "state":
			stood = stood || h.same("transition", "from", from, e.Data["name"])
		case "transition":
			elsewhere = elsewhere || event != nil && h.same("transition", "from", from, e.Data["from"]) &&
				h.same("transition", "event", event, e.Data["event"]) && h.same("transition", "guard", c.Data["guard"], e.Data["guard"]) &&
				!h.same("transition", "to", c.Data["to"], e.Data["to"])
		case "constraint":
			forbidden = forbidden || e.Data["kind"] == "forbid" && h.same("transition", "from", from, e.Data["state"]) &&
				(e.Data["event"] == nil || h.same("transition", "event", event, e.Data["event"]))
		}
	}
	count(stood)
	if event != nil {
		count(!elsewhere)
	}
	count(!forbidden)
	return pass, asked
}

func (h *hooks) same(typ, field string, a, b any) bool {
	f := h.domain.TypeNamed(typ).FieldNamed(field)
	return h.domain.Equal(f, a, b)
}
