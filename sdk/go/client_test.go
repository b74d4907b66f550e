package barograph

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand"
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
	c, err := New(server.URL+"/v1/", "secret", WithTrusted(), WithRandom(rand.NewSource(1)))
	if err != nil {
		t.Fatal(err)
	}
	c.retry.sleep = func(ctx context.Context, _ time.Duration) error { return ctx.Err() }
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
	r.set(inRequiredBody, "empty", []string(nil))
	if text, _ := json.Marshal(r.body); string(text) != `{"empty":[],"given":false}` || r.query.Encode() != "given=false" {
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

func TestOnlyGetsThatMayPassAreTriedAgain(t *testing.T) {
	for name, row := range map[string]struct {
		handler http.HandlerFunc
		retries int
		want    int
	}{
		"unavailable":                {answer(503, ``), 2, 3},
		"a short wait":               {answer(429, ``, "Retry-After", "1"), 2, 3},
		"a long wait":                {answer(429, ``, "Retry-After", "30"), 2, 1},
		"a fault of the service":     {answer(500, ``), 2, 1},
		"a refusal":                  {answer(401, ``), 2, 1},
		"a broken answer":            {answer(200, `{"symbol"`, "Content-Length", "50"), 2, 3},
		"unavailable, retries of no": {answer(503, ``), 0, 1},
	} {
		calls := map[string]int{}
		c := serve(t, func(w http.ResponseWriter, r *http.Request) {
			calls[r.Method]++
			row.handler(w, r)
		})
		c.retry.times = row.retries
		waits := []time.Duration{}
		c.retry.sleep = func(_ context.Context, wait time.Duration) error {
			waits = append(waits, wait)
			return nil
		}
		if _, err := c.Signal(context.Background(), SignalParams{Symbol: "X"}); err == nil || calls["GET"] != row.want {
			t.Errorf("%s: %d calls, %v", name, calls["GET"], err)
		}
		for _, wait := range waits {
			if wait > patience {
				t.Errorf("%s: waited %v", name, wait)
			}
		}
		if _, _ = c.Trigger(context.Background(), TriggerParams{Event: "signal.normal"}); calls["POST"] > 1 {
			t.Errorf("%s: a POST was sent %d times", name, calls["POST"])
		}
	}
}

func TestARetrySucceedsAndTheJitterIsThatOfTheSeed(t *testing.T) {
	runs := [2][]time.Duration{}
	for run := range runs {
		calls := 0
		c := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if calls++; calls < 3 {
				w.WriteHeader(503)
				return
			}
			fmt.Fprintf(w, `{"symbol": %q}`, r.UserAgent())
		})
		WithUserAgent("desk/1.4")(c)
		c.retry.sleep = func(_ context.Context, wait time.Duration) error {
			if wait > 0 {
				runs[run] = append(runs[run], wait)
			}
			return nil
		}
		got, err := c.Signal(context.Background(), SignalParams{Symbol: "X"})
		if err != nil || !strings.HasPrefix(got.Symbol, "desk/1.4 barograph-go/"+Version) {
			t.Fatalf("got %+v, %v", got, err)
		}
	}
	if len(runs[0]) != 2 || fmt.Sprint(runs[0]) != fmt.Sprint(runs[1]) {
		t.Fatalf("waited %v", runs)
	}
}

func TestNewWordsAndBadTimesAreKept(t *testing.T) {
	c := serve(t, answer(200, `{"symbol": "SPY", "state": 3, "state_name": "extreme", "updated_at": "soon", "data_health": "odd"}`))
	got, err := c.Signal(context.Background(), SignalParams{Symbol: "SPY"})
	if err != nil || got.State < StateHighRisk || got.State.String() != "state 3" || got.StateName != "extreme" || !got.UpdatedAt.IsZero() {
		t.Fatalf("got %+v, %v", got, err)
	}
	c = serve(t, answer(200, `{"symbol": "SPY", "state": 2, "updated_at": "2026-03-02T14:30:00.000Z"}`))
	got, err = c.Signal(context.Background(), SignalParams{Symbol: "SPY"})
	want := time.Date(2026, 3, 2, 14, 30, 0, 0, time.UTC)
	if err != nil || got.State.String() != "high_risk" || !got.UpdatedAt.Equal(want) {
		t.Fatalf("got %+v, %v", got, err)
	}
}
