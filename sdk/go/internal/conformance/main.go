// Command conformance is the conformance run, against a sandbox: everything that is made by hand, used as a stranger would.
//
// CONDITIONS in the environment: JSON with url, faults (an address in front of the same service: below /cut/ the first
// stream breaks after an event, below /silent/ it says nothing, below /relayed/ it is another program), key, secret and deliveries.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"
	"time"

	"barograph"
)

const (
	symbol  = "SPY"
	silence = 1500 * time.Millisecond
)

type delivery struct {
	Headers map[string]string `json:"headers"`
	Body    string            `json:"body"`
}

var conditions struct {
	URL        string              `json:"url"`
	Faults     string              `json:"faults"`
	Key        string              `json:"key"`
	Secret     string              `json:"secret"`
	Deliveries map[string]delivery `json:"deliveries"`
}

type object map[string]interface{}

func must[Value any](value Value, err error) Value {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func at(url, key string, options ...barograph.Option) *barograph.Client {
	return must(barograph.New(url, key, options...))
}

func trigger(ctx context.Context, c *barograph.Client, event string) string {
	made := must(c.Trigger(ctx, barograph.TriggerParams{Event: event, Symbol: symbol}))
	return made.Data[len(made.Data)-1].EventID
}

func count[Record any](ctx context.Context, rows *barograph.Rows[Record], pageSize int) int {
	rows.PageSize = pageSize
	n := 0
	for rows.Next(ctx) {
		n++
	}
	must(n, rows.Err())
	return n
}

// listen triggers once it is connected, and again when that event is there; it ends with the second.
func listen(ctx context.Context, c *barograph.Client, url string) object {
	newest := c.AlertTransitions(barograph.AlertTransitionsParams{})
	newest.PageSize = 1
	newest.Next(ctx)
	ids, beginnings, problems, triggered := []string{}, []barograph.Beginning{}, []barograph.Kind{}, []string{}
	// The address in front is none of the service: it cannot prove itself.
	stream := at(url, conditions.Key, barograph.WithTrusted()).Events(ctx, barograph.EventsParams{
		Symbols: []string{symbol},
		After:   newest.Row().EventID,
		Silence: silence,
		OnConnect: func(beginning barograph.Beginning) {
			beginnings = append(beginnings, beginning)
			if len(triggered) == 0 {
				triggered = append(triggered, trigger(ctx, c, "signal.high_risk"))
			}
		},
		OnProblem: func(err error) {
			var problem *barograph.Error
			if errors.As(err, &problem) {
				problems = append(problems, problem.Kind)
			}
		},
	})
	defer stream.Close()
	for stream.Next() {
		event := stream.Event()
		switch event.Event {
		case barograph.EventNameSignalNormal, barograph.EventNameSignalElevated, barograph.EventNameSignalHighRisk:
		default:
			continue
		}
		ids = append(ids, event.EventID)
		if event.EventID != triggered[len(triggered)-1] {
			continue
		}
		if len(triggered) == 2 {
			break
		}
		triggered = append(triggered, trigger(ctx, c, "signal.normal"))
	}
	must(0, stream.Err())
	unique := map[string]bool{}
	for _, id := range ids {
		unique[id] = true
	}
	return object{"once": len(unique) == len(ids), "beginnings": beginnings, "problems": problems}
}

func proven(name string) string {
	header := http.Header{}
	for key, value := range conditions.Deliveries[name].Headers {
		header.Set(key, value)
	}
	event, err := barograph.Webhook{Secret: conditions.Secret}.Verify([]byte(conditions.Deliveries[name].Body), header)
	var refusal barograph.Refusal
	if errors.As(err, &refusal) {
		return string(refusal)
	}
	return string(event.Event)
}

func refused(ctx context.Context, c *barograph.Client, symbol string) object {
	_, err := c.Signal(ctx, barograph.SignalParams{Symbol: symbol})
	var problem *barograph.Error
	if !errors.As(err, &problem) {
		return nil
	}
	report := object{"kind": problem.Kind, "status": problem.Status, "code": problem.Code, "waits": problem.RetryAfter > 0}
	if problem.Status == 0 {
		report["status"] = nil
	}
	return report
}

func main() {
	must(0, json.Unmarshal([]byte(os.Getenv("CONDITIONS")), &conditions))
	ctx := context.Background()
	c := at(conditions.URL, conditions.Key)
	// First, while the service's bucket is full: a refused stream would be the one that breaks.
	cut, silent := listen(ctx, c, conditions.Faults+"/cut"), listen(ctx, c, conditions.Faults+"/silent")
	numbers, withoutHoles := []int64{}, true
	log := c.EventLog()
	log.PageSize = 10
	for len(numbers) < 25 && log.Next(ctx) {
		numbers = append(numbers, log.Row().Seq)
		withoutHoles = withoutHoles && log.Row().Seq == numbers[0]+int64(len(numbers))-1
	}
	report := object{
		"snapshot":     count(ctx, c.Snapshot(barograph.SnapshotParams{}), 2),
		"history":      count(ctx, c.History(barograph.HistoryParams{Symbol: symbol}), 20),
		"events":       object{"count": len(numbers), "withoutHoles": withoutHoles},
		"cut":          cut,
		"silent":       silent,
		"webhooks":     object{"good": proven("good"), "forged": proven("forged"), "late": proven("late")},
		"unproven":     refused(ctx, at(conditions.Faults+"/relayed", conditions.Key), symbol)["kind"],
		"unauthorized": refused(ctx, at(conditions.URL, "svc_test_notthekeynotthekey", barograph.WithTrusted()), symbol),
		"notCovered":   refused(ctx, c, "NOPE"),
	}
	var held object
	for calls := 0; calls < 500 && held == nil; calls++ {
		held = refused(ctx, c, symbol)
	}
	report["heldBack"] = held
	report["rateLimited"] = refused(ctx, at(conditions.URL, conditions.Key), symbol)
	fmt.Println(string(must(json.Marshal(report))))
}
