package prompt

import (
	"encoding/json"

	"github.com/speckl/speckl/domain"
)

// Schema returns the JSON Schema of a domain's reply:
// {"items":[{type, data, quote, confidence, rationale, refines?, alternatives?}]}.
// It has one closed form of item for each type. Fields are optional rather
// than null: providers bound how many unions a schema may have, and a model
// leaves out what the words do not say.
func Schema(d *domain.Domain) json.RawMessage {
	var forms []any
	for i := range d.Types {
		forms = append(forms, itemSchema(&d.Types[i]))
	}
	b, err := json.Marshal(closed([]string{"items"}, object{"items": listOf(object{"anyOf": forms})}))
	if err != nil {
		panic(err) // it is made of maps, lists and texts
	}
	return b
}

// object is a JSON object.
type object = map[string]any

// closed is the schema of an object that has these properties and no others.
func closed(required []string, properties object) object {
	return object{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
}

func listOf(items object) object { return object{"type": "array", "items": items} }

func is(kind string) object { return object{"type": kind} }

func itemSchema(t *domain.Type) object {
	return closed([]string{"type", "data", "quote", "confidence", "rationale"}, object{
		"type": object{"type": "string", "enum": []string{t.Name}},
		"data": dataSchema(t), "quote": is("string"), "turn": is("integer"),
		"confidence": is("number"), "rationale": is("string"), "refines": is("string"),
		"alternatives": listOf(closed([]string{"data", "confidence", "rationale"}, object{
			"data": dataSchema(t), "confidence": is("number"), "rationale": is("string"),
		})),
	})
}

func dataSchema(t *domain.Type) object {
	fields := object{}
	for i := range t.Fields {
		fields[t.Fields[i].Name] = fieldSchema(&t.Fields[i])
	}
	return closed([]string{}, fields)
}

func fieldSchema(f *domain.Field) object {
	switch {
	case len(f.Enum) > 0:
		return object{"type": "string", "enum": f.Enum}
	case f.Kind == domain.Bool:
		return is("boolean")
	case f.Kind == domain.Number:
		return is("number")
	case f.Kind == domain.List:
		return listOf(is("string"))
	case f.Kind == domain.Any:
		return object{}
	}
	return is("string")
}
