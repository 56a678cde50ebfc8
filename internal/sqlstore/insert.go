package sqlstore

import "strings"

// table is where rows are appended.
type table struct {
	name     string
	columns  []string
	conflict string
}

// insertion is the statement that appends n rows.
func (t *table) insertion(n int) string {
	var b strings.Builder
	b.WriteString("insert into " + t.name + " (" + strings.Join(t.columns, ", ") + ") values ")
	row := "(" + strings.TrimSuffix(strings.Repeat("?, ", len(t.columns)), ", ") + ")"
	for i := range n {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(row)
	}
	b.WriteString(t.conflict)
	return b.String()
}

// insertKey names a statement that appends rows.
type insertKey struct {
	table *table
	rows  int
}

// insertion returns the statement for n rows, which is made once.
func (s *Store) insertion(t *table, n int) string {
	key := insertKey{t, n}
	if text, ok := s.inserts.Load(key); ok {
		return text.(string)
	}
	text := t.insertion(n)
	s.inserts.Store(key, text)
	return text
}

// insert appends rows, each with a value for each column, one after the
// other in values: as many in a statement as the engine likes, in powers of
// two, so that there are few statements to prepare.
func (s *session) insert(t *table, values []any) error {
	width := len(t.columns)
	for len(values) > 0 {
		n := 1
		for n*2 <= s.conn.batch() && n*2*width <= len(values) {
			n *= 2
		}
		if _, err := s.conn.exec(s.ctx, s.store.insertion(t, n), values[:n*width]...); err != nil {
			return err
		}
		values = values[n*width:]
	}
	return nil
}
