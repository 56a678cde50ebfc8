package sqlstore

import (
	"context"
	"fmt"

	"github.com/speckl/speckl/store"
)

// RowsOf reads the rows that commits of new elements have stored, by commit
// and table.
func RowsOf(ctx context.Context, s *Store, ref store.Ref, tables []string, all []store.Commit) ([]map[string][][]any, error) {
	groups := make([]map[string][][]any, len(all))
	err := s.read(ctx, ref.Organization, func(c *conn) error {
		for i, commit := range all {
			groups[i] = map[string][][]any{}
			turn, first, last := 0, 0, 0
			if err := c.one(ctx, "select n from turns where id = ?", []any{commit.Turn.ID}, &turn); err != nil {
				return err
			}
			ids := make([]string, len(commit.Mutations))
			for j, m := range commit.Mutations {
				ids[j] = m.ElementID
			}
			if err := c.one(ctx, "select min(n), max(n) from elements where id in (?…)", []any{c.many(ids)}, &first, &last); err != nil {
				return err
			}
			for _, t := range tables {
				where := fmt.Sprintf("element between %d and %d", first, last)
				switch t {
				case "turns":
					where = fmt.Sprintf("n = %d", turn)
				case "elements":
					where = fmt.Sprintf("n between %d and %d", first, last)
				case "mutations", "said":
					where = fmt.Sprintf("turn = %d", turn)
				}
				rows, err := allRows(ctx, c, "select * from "+t+" where "+where)
				if err != nil {
					return err
				}
				groups[i][t] = rows
			}
		}
		return nil
	})
	return groups, err
}

// allRows reads whole rows. The statement is run once: it is not kept.
func allRows(ctx context.Context, c *conn, query string) ([][]any, error) {
	rows, err := c.c.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	var out [][]any
	for rows.Next() {
		row := make([]any, len(columns))
		into := make([]any, len(columns))
		for i := range row {
			into[i] = &row[i]
		}
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		out = append(out, row)
	}
	return out, rows.Err()
}
