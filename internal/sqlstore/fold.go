package sqlstore

import (
	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// writeElements stores the elements as they are after a commit, and by what
// they are found.
func (w *work) writeElements() error {
	var rows, evidence, terms, words []any
	for _, id := range w.order {
		x := w.touched[id]
		body, err := elementBody(x.is)
		if err != nil {
			return err
		}
		by := columnsOf(x.is)
		if x.isNew {
			rows = append(rows, w.ref.Organization, w.doc.key, x.n, id, by.domain, by.typ, by.status, by.live, body)
		} else if _, err := w.conn.exec(w.ctx, qSaveElement, by.domain, by.typ, by.status, by.live, body,
			w.ref.Organization, w.doc.key, x.n); err != nil {
			return err
		}
		if x.is == nil {
			continue
		}
		from := 0
		if x.was != nil {
			from = len(x.was.Evidence)
		}
		for i := from; i < len(x.is.Evidence); i++ {
			v := &x.is.Evidence[i]
			evidence = append(evidence, w.ref.Organization, w.doc.key, x.n, i, v.TurnID, v.Bytes[0], v.Bytes[1],
				v.Chars[0], v.Chars[1], v.Quote, string(v.Match))
		}
		added, gone := changedHashes(termHashes(x.was), termHashes(x.is))
		for h := range gone {
			if _, err := w.conn.exec(w.ctx, qDropTerm, w.args(h, x.n)...); err != nil {
				return err
			}
		}
		for _, h := range added {
			terms = append(terms, w.ref.Organization, w.doc.key, h, x.n)
		}
		more, fewer := changedWords(x.was, x.is)
		for h := range fewer {
			if _, err := w.conn.exec(w.ctx, qDropWord, w.ref.Organization, h, w.doc.key, x.n); err != nil {
				return err
			}
		}
		for _, h := range more {
			words = append(words, w.ref.Organization, h, w.doc.key, x.n)
		}
	}
	for _, into := range []struct {
		table *table
		rows  []any
	}{{&intoElements, rows}, {&intoEvidence, evidence}, {&intoTerms, terms}, {&intoWords, words}} {
		if err := w.insert(into.table, into.rows); err != nil {
			return err
		}
	}
	return nil
}

// termHashes are what an element is looked up by, in order, each once.
func termHashes(e *sir.Element) []int64 {
	if e == nil {
		return nil
	}
	out := make([]int64, 0, len(e.Terms)+len(e.Keys))
	seen := make(map[int64]bool, len(e.Terms)+len(e.Keys))
	for _, list := range [2][]string{e.Terms, e.Keys} {
		for _, t := range list {
			if h := hash(t); !seen[h] {
				seen[h] = true
				out = append(out, h)
			}
		}
	}
	return out
}

// changedHashes are those that are only in the one or the other.
func changedHashes(was, is []int64) (added []int64, gone map[int64]bool) {
	gone = make(map[int64]bool, len(was))
	for _, h := range was {
		gone[h] = true
	}
	for _, h := range is {
		if gone[h] {
			delete(gone, h)
		} else {
			added = append(added, h)
		}
	}
	return added, gone
}

// changedWords are the words that an element has more, and fewer. What was
// said stays, so that only the new evidence is looked at, and all of it only
// where the data lose a word.
func changedWords(was, is *sir.Element) (more []int64, fewer map[int64]bool) {
	var before []int64
	from := 0
	if was != nil {
		before, from = wordHashes(store.DataText(was)), len(was.Evidence)
	}
	more, fewer = changedHashes(before, wordHashes(store.DataText(is)))
	seen := make(map[int64]bool, len(more)+len(before))
	for _, h := range more {
		seen[h] = true
	}
	for _, h := range before {
		seen[h] = seen[h] || !fewer[h]
	}
	for i := from; i < len(is.Evidence); i++ {
		for _, h := range wordHashes(is.Evidence[i].Quote) {
			if !seen[h] {
				seen[h] = true
				more = append(more, h)
			}
		}
	}
	for i := 0; i < len(is.Evidence) && len(fewer) > 0; i++ {
		for _, h := range wordHashes(is.Evidence[i].Quote) {
			delete(fewer, h)
		}
	}
	return more, fewer
}

func wordHashes(text string) []int64 {
	words := store.SearchWords(text)
	out := make([]int64, len(words))
	for i, w := range words {
		out[i] = hash(w)
	}
	return out
}
