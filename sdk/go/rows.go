package barograph

import (
	"context"
	"fmt"
	"strconv"
)

// Rows is a list, fetched page after page:
//
//	rows := client.Alerts(barograph.AlertsParams{})
//	for rows.Next(ctx) {
//		use(rows.Row())
//	}
//	if err := rows.Err(); err != nil { ... }
type Rows[Record any] struct {
	client  *Client
	request *request
	// PageSize is the number of rows that one request brings, 1 to 100. Set it before the first Next.
	PageSize int
	page     []Record
	row      Record
	seen     map[string]bool
	pages    int
	isLast   bool
	err      error
}

type page[Record any] struct {
	Data       *[]Record `json:"data"`
	HasMore    *bool     `json:"has_more"`
	NextCursor *string   `json:"next_cursor"`
}

func newRows[Record any](c *Client, r *request) *Rows[Record] {
	return &Rows[Record]{client: c, request: r, PageSize: 100, seen: map[string]bool{}}
}

// Next goes to the next row. It is false at the end, and after an error.
func (r *Rows[Record]) Next(ctx context.Context) bool {
	for len(r.page) == 0 {
		if r.isLast || r.err != nil {
			return false
		}
		r.err = r.fetch(ctx)
	}
	r.row, r.page = r.page[0], r.page[1:]
	return true
}

// Row is the row that Next went to.
func (r *Rows[Record]) Row() Record { return r.row }

// Err is why Next was false; nil at the end of the list.
func (r *Rows[Record]) Err() error { return r.err }

func (r *Rows[Record]) fetch(ctx context.Context) error {
	unreadable := func(what string) error {
		return &Error{Kind: Unreadable, Status: 200, Message: r.request.endpoint + " " + what}
	}
	if r.pages++; r.pages > mostPages {
		return unreadable(fmt.Sprintf("did not end within %d pages", mostPages))
	}
	r.request.query.Set("limit", strconv.Itoa(r.PageSize))
	got, err := one[page[Record]](ctx, r.client, r.request)
	if err != nil {
		return err
	}
	if got.Data == nil {
		return unreadable("answered no list")
	}
	r.page = *got.Data
	if got.NextCursor == nil || *got.NextCursor == "" || (got.HasMore != nil && !*got.HasMore) {
		r.isLast = true
		return nil
	}
	if r.seen[*got.NextCursor] {
		r.page = nil
		return unreadable("gave the cursor " + *got.NextCursor + " twice")
	}
	r.seen[*got.NextCursor] = true
	r.request.query.Set("after", *got.NextCursor)
	return nil
}
