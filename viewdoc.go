package speckl

import "github.com/speckl/speckl/export"

// View completes a document that was not made by [Client.Document], such as
// one that was printed and read back: it gets the labels, fields and types
// of the client's domains.
func (c *Client) View(doc export.Document) *export.Document {
	doc.Labels, doc.Fields, doc.Types = c.label, c.fields, nil
	for _, id := range doc.Header.Domains {
		if d := c.domains[id]; d != nil {
			for _, t := range d.Types {
				doc.Types = append(doc.Types, t.Name)
			}
		}
	}
	return &doc
}
