package sir

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
)

// UnmarshalJSON reads data with whole numbers as int64. It returns an error
// for anything but an object or null.
func (d *Data) UnmarshalJSON(b []byte) error {
	var m map[string]any
	if err := decodeNumbers(b, &m); err != nil {
		return fmt.Errorf("read data: %w", err)
	}
	got, err := NormalData(m)
	*d = got
	return err
}

// UnmarshalJSON reads a change with whole numbers as int64.
func (f *FieldChange) UnmarshalJSON(b []byte) error {
	type plain FieldChange
	var p plain
	if err := decodeNumbers(b, &p); err != nil {
		return fmt.Errorf("read field change: %w", err)
	}
	var err error
	if p.OldValue, err = Normal(p.OldValue); err != nil {
		return err
	}
	if p.NewValue, err = Normal(p.NewValue); err != nil {
		return err
	}
	*f = FieldChange(p)
	return nil
}

// UnmarshalJSON reads a patch with whole numbers as int64.
func (p *Patch) UnmarshalJSON(b []byte) error {
	type plain Patch
	var q plain
	if err := decodeNumbers(b, &q); err != nil {
		return fmt.Errorf("read patch: %w", err)
	}
	data, err := NormalData(q.Data)
	if err != nil {
		return err
	}
	q.Data = data
	*p = Patch(q)
	return nil
}

// decodeNumbers decodes JSON and keeps the digits of untyped numbers.
func decodeNumbers(b []byte, into any) error {
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.UseNumber()
	return dec.Decode(into)
}

// Normal returns v in the form in which it comes back from the log: whole
// numbers as int64, lists as []any, objects as map[string]any, all of them
// copies. It returns an error that wraps [ErrValue] if v has no JSON form.
func Normal(v any) (any, error) {
	switch x := v.(type) {
	case nil, bool, string, int64:
		return v, nil
	case int:
		return int64(x), nil
	case Confidence:
		return normalFloat(float64(x) / 10000)
	case float64:
		return normalFloat(x)
	case json.Number:
		if n, err := x.Int64(); err == nil {
			return n, nil
		}
		f, err := x.Float64()
		if err != nil {
			return nil, fmt.Errorf("read number %s: %w", x, ErrValue)
		}
		return normalFloat(f)
	case []string:
		out := make([]any, len(x))
		for i, s := range x {
			out[i] = s
		}
		return out, nil
	case []any:
		out := make([]any, len(x))
		for i, e := range x {
			n, err := Normal(e)
			if err != nil {
				return nil, err
			}
			out[i] = n
		}
		return out, nil
	case map[string]any:
		m, err := NormalData(x)
		return map[string]any(m), err
	case Data:
		m, err := NormalData(x)
		return map[string]any(m), err
	}
	return normalOther(v)
}

// NormalData is [Normal] for the fields of an element; nil stays nil.
func NormalData(d map[string]any) (Data, error) {
	if d == nil {
		return nil, nil
	}
	out := make(Data, len(d))
	for k, v := range d {
		n, err := Normal(v)
		if err != nil {
			return nil, fmt.Errorf("field %q: %w", k, err)
		}
		out[k] = n
	}
	return out, nil
}

// normalFloat makes a whole number an int64; others stay.
func normalFloat(f float64) (any, error) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil, fmt.Errorf("number %v: %w", f, ErrValue)
	}
	if f == math.Trunc(f) && math.Abs(f) < 1<<53 {
		return int64(f), nil
	}
	return f, nil
}

// normalOther takes the way through JSON for all other types.
func normalOther(v any) (any, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("encode %T: %w: %w", v, ErrValue, err)
	}
	var raw any
	if err := decodeNumbers(b, &raw); err != nil {
		return nil, fmt.Errorf("decode %T: %w: %w", v, ErrValue, err)
	}
	return Normal(raw)
}

// sameValue reports whether two values say the same; an absent field and
// null do.
func sameValue(a, b any) bool {
	switch x := a.(type) {
	case nil:
		return b == nil
	case string:
		y, ok := b.(string)
		return ok && x == y
	case int64:
		if y, ok := b.(int64); ok {
			return x == y
		}
	case bool:
		y, ok := b.(bool)
		return ok && x == y
	}
	if b == nil {
		return false
	}
	na, errA := Normal(a)
	nb, errB := Normal(b)
	return errA == nil && errB == nil && reflect.DeepEqual(na, nb)
}
