package barograph

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func serve(t *testing.T, handler http.HandlerFunc) *Client {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	c, err := New(server.URL+"/v1/", "secret", WithTrusted())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func answer(status int, body string, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for at := 0; at+1 < len(header); at += 2 {
			w.Header().Set(header[at], header[at+1])
		}
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}
}

func TestKeyAndParameters(t *testing.T) {
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, `{"symbol": %q, "label": %q, "new": 1}`, r.RequestURI, r.Header.Get("X-Api-Key"))
	})
	got, err := c.Regime(context.Background(), RegimeParams{Symbol: "A/B", AsOf: "2026-01-01"})
	if err != nil || got.Symbol != "/v1/regime/A%2FB?as_of=2026-01-01" || got.Label != "secret" {
		t.Fatalf("got %+v, %v", got, err)
	}
}

func TestZeroIsSentAndNilIsNot(t *testing.T) {
	bodies := []string{}
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		bodies = append(bodies, string(text))
		fmt.Fprint(w, `{"data": []}`)
	})
	for _, params := range []TriggerParams{
		{Event: "signal.created", State: Of(0), Confidence: Of(83.5)},
		{Event: "signal.created"},
	} {
		if _, err := c.Trigger(context.Background(), params); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{`{"confidence":83.5,"event":"signal.created","state":0}`, `{"event":"signal.created"}`}
	if strings.Join(bodies, " ") != strings.Join(want, " ") {
		t.Fatalf("sent %v", bodies)
	}
}

func TestTrueAndFalseAreSentAsBooleans(t *testing.T) {
	bodies := []string{}
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		bodies = append(bodies, string(text))
		fmt.Fprint(w, `{}`)
	})
	for _, value := range []bool{true, false} {
		if _, err := c.SetHardCap(context.Background(), SetHardCapParams{HardCap: value}); err != nil {
			t.Fatal(err)
		}
	}
	if strings.Join(bodies, " ") != `{"hard_cap":true} {"hard_cap":false}` {
		t.Fatalf("sent %v", bodies)
	}
	r := newRequest("POST", "/")
	r.set(inBody, "absent", (*bool)(nil))
	r.set(inBody, "given", Of(false))
	r.set(inQuery, "given", Of(false))
	if text, _ := json.Marshal(r.body); string(text) != `{"given":false}` || r.query.Encode() != "given=false" {
		t.Fatalf("sent %s, %s", text, r.query.Encode())
	}
}

func TestRowsFollowTheCursor(t *testing.T) {
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("after") == "" {
			fmt.Fprint(w, `{"data": [{"symbol": "A"}], "has_more": true, "next_cursor": "c"}`)
		} else {
			fmt.Fprint(w, `{"data": [{"symbol": "B"}], "has_more": false, "next_cursor": null}`)
		}
	})
	got := ""
	rows := c.Alerts(AlertsParams{})
	for rows.Next(context.Background()) {
		got += rows.Row().Symbol
	}
	if got != "AB" || rows.Err() != nil {
		t.Fatalf("got %q, %v", got, rows.Err())
	}
}

func TestARepeatedCursorIsAnError(t *testing.T) {
	rows := serve(t, answer(200, `{"data": [], "has_more": true, "next_cursor": "c"}`)).Alerts(AlertsParams{})
	var problem *Error
	if rows.Next(context.Background()) || !errors.As(rows.Err(), &problem) || problem.Kind != Unreadable {
		t.Fatalf("got %v", rows.Err())
	}
}

func TestErrors(t *testing.T) {
	for _, row := range []struct {
		handler http.HandlerFunc
		kind    Kind
		status  int
		wait    time.Duration
	}{
		{answer(404, `{"code": "SYMBOL_NOT_COVERED", "message": "no X"}`), NotCovered, 404, 0},
		{answer(404, ``), NotFound, 404, 0},
		{answer(401, ``), Unauthorized, 401, 0},
		{answer(429, ``, "Retry-After", "7"), RateLimited, 429, 7 * time.Second},
		{answer(503, ``, "Retry-After", "99999999999"), Unavailable, 503, time.Hour},
		{answer(500, `<html>`), Server, 500, 0},
		{answer(302, ``, "Location", "http://127.0.0.1:1/"), Redirected, 302, 0},
		{answer(200, `<html>`), Unreadable, 200, 0},
	} {
		_, err := serve(t, row.handler).Signal(context.Background(), SignalParams{Symbol: "X"})
		var problem *Error
		if !errors.As(err, &problem) || problem.Kind != row.kind || problem.Status != row.status || problem.RetryAfter != row.wait {
			t.Errorf("got %+v, want %+v", err, row)
		}
	}
}

func TestAnEndedContextEndsACall(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	c := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	})
	if _, err := c.Health(ctx); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
}

func TestAnAddressThatWouldShowTheKeyIsRefused(t *testing.T) {
	for _, row := range [][2]string{{"http://risk.example", "k"}, {"ftp://x", ""}, {"https://a:b@c", ""}, {"https://c", "a\nb"}} {
		if _, err := New(row[0], row[1]); err == nil {
			t.Errorf("%q was accepted", row[0])
		}
	}
}

func TestTheStreamGoesOnBehindTheLastEvent(t *testing.T) {
	resumed := []string{}
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		resumed = append(resumed, r.Header.Get("Last-Event-ID"))
		fmt.Fprintf(w, ": hello\r\n\r\ndata: {\"event_id\": \"e%d\", \"event\": \"x\"}\n\nid: last\n\ndata: cut", len(resumed))
	})
	problems := 0
	stream := c.Events(context.Background(), EventsParams{OnProblem: func(error) { problems++ }})
	defer stream.Close()
	for _, want := range []string{"e1", "e2"} {
		if !stream.Next() || stream.Event().EventID != want {
			t.Fatalf("got %+v, %v", stream.Event(), stream.Err())
		}
	}
	if strings.Join(resumed, ",") != ",last" || problems != 1 {
		t.Fatalf("resumed %q, %d problems", resumed, problems)
	}
	stream.Close()
	if stream.Next() || stream.Err() != nil {
		t.Fatalf("a closed stream went on: %v", stream.Err())
	}
}

func TestARefusedStreamIsNotTriedAgain(t *testing.T) {
	stream := serve(t, answer(401, `{"code": "unauthorized"}`)).Events(context.Background(), EventsParams{})
	if stream.Next() || stream.Err() == nil {
		t.Fatal("it went on")
	}
}

func TestPace(t *testing.T) {
	at := time.Unix(0, 0)
	p := newPace(func() time.Time { return at })
	limits := func(left, policy string) http.Header {
		return http.Header{"Ratelimit": {left + `, "month";r=0;t=90000`}, "Ratelimit-Policy": {policy}}
	}
	p.answered("/a", 200, limits(`"endpoint";r=0;t=30`, ""))
	if _, err := p.take("/a"); err == nil || err.Kind != RateLimited || err.RetryAfter != 30*time.Second || err.Status != 0 {
		t.Fatalf("got %+v", err)
	}
	at = at.Add(29 * time.Second)
	if wait, err := p.take("/a"); err != nil || wait != time.Second {
		t.Fatalf("got %v, %v", wait, err)
	}
	p.answered("/a", 200, limits(`"endpoint";r=0;t=30`, `"endpoint";q=100;w=60;enforced=0`))
	if wait, err := p.take("/a"); err != nil || wait != 0 {
		t.Fatalf("got %v, %v", wait, err)
	}
	p.answered("/a", 200, limits(`"endpoint";r=9;t=30, "plan";r=0;t=1`, `"plan";q=120;w=60;burst=20`))
	if wait, err := p.take("/b"); err != nil || wait != 500*time.Millisecond {
		t.Fatalf("got %v, %v", wait, err)
	}
}
