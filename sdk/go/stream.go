package barograph

import (
	"bufio"
	"context"
	"io"
	"strings"
	"time"
)

// Beginning is how a connection of the stream began.
type Beginning string

const (
	// Live: from now on.
	Live Beginning = "live"
	// Resumed: behind the last event.
	Resumed Beginning = "resumed"
	// Lost: the service no longer keeps the last id. Ask EventLog for what is missing.
	Lost Beginning = "lost"
)

const (
	// silence is three heartbeats of the service.
	silence     = 45 * time.Second
	longestLine = 4 << 20
	longestBack = 30 * time.Second
)

// EventsParams are the parameters of Events.
type EventsParams struct {
	Symbols, Severity, Regime, Events []string
	// After is the event id of the last known event; later ones come first.
	After string
	// Silence is the time without a byte, not even a comment, after which a connection counts as dead. 0: 45 s.
	Silence time.Duration
	// OnConnect is called at each connection, by Next.
	OnConnect func(Beginning)
	// OnProblem is called with the reason why a connection ended and is tried again, by Next.
	OnProblem func(error)
}

// Stream is the event stream, across reconnections. Close it, or end its context.
type Stream struct {
	ctx    context.Context
	cancel context.CancelFunc
	client *Client
	params EventsParams
	// end ends the connection; nil where there is none.
	end     context.CancelFunc
	body    io.Closer
	scanner *bufio.Scanner
	last    string
	attempt int
	event   Event
	err     error
}

// Events follows the stream until ctx ends. It connects at the first Next.
func (c *Client) Events(ctx context.Context, p EventsParams) *Stream {
	if p.Silence == 0 {
		p.Silence = silence
	}
	ctx, cancel := context.WithCancel(ctx)
	return &Stream{ctx: ctx, cancel: cancel, client: c, params: p, last: p.After}
}

// Next waits for the next event. It is false when the context ended, and when a retry would not help: see Err.
func (s *Stream) Next() bool {
	for s.err == nil {
		if s.ctx.Err() != nil {
			s.disconnect()
			return false
		}
		problem := s.advance()
		if problem == nil {
			return true
		}
		s.disconnect()
		if s.ctx.Err() != nil {
			return false
		}
		switch problem.Kind {
		case NotSent, BadRequest, Unauthorized, Forbidden, NotFound, NotCovered, Redirected:
			s.err = problem
			return false
		}
		s.report(problem)
		wait := s.client.retry.backoff(time.Second, s.attempt, longestBack)
		if problem.RetryAfter > wait {
			wait = problem.RetryAfter
		}
		s.attempt++
		_ = s.client.retry.sleep(s.ctx, wait)
	}
	return false
}

// Event is the event that Next went to.
func (s *Stream) Event() Event { return s.event }

// Err is why Next was false; nil where the context ended or the stream was closed.
func (s *Stream) Err() error { return s.err }

// Close ends the stream; a Next that waits returns false.
func (s *Stream) Close() { s.cancel() }

func (s *Stream) report(problem *Error) {
	if s.params.OnProblem != nil {
		s.params.OnProblem(problem)
	}
}

func (s *Stream) disconnect() {
	if s.body != nil {
		s.body.Close()
	}
	if s.end != nil {
		s.end()
	}
	s.body, s.end, s.scanner = nil, nil, nil
}

// watched puts off the end of a connection at every byte.
type watched struct {
	io.Reader
	timer   *time.Timer
	silence time.Duration
}

func (w watched) Read(p []byte) (int, error) {
	n, err := w.Reader.Read(p)
	w.timer.Reset(w.silence)
	return n, err
}

func (s *Stream) connect() *Error {
	r := newRequest("GET", "/stream")
	r.set(inQuery, "symbols", s.params.Symbols)
	r.set(inQuery, "severity", s.params.Severity)
	r.set(inQuery, "regime", s.params.Regime)
	r.set(inQuery, "events", s.params.Events)
	r.set(inHeader, "Accept", "text/event-stream")
	r.set(inHeader, "Last-Event-ID", s.last)
	ctx, cancel := context.WithCancel(s.ctx)
	timer := time.AfterFunc(s.params.Silence, cancel)
	s.end = func() {
		timer.Stop()
		cancel()
	}
	answer, err := s.client.open(ctx, r)
	if err != nil {
		problem, _ := err.(*Error)
		if problem.Kind == Cancelled {
			problem = &Error{Kind: Timeout, Message: "the stream did not begin in time"}
		}
		return problem
	}
	s.attempt = 0
	s.body = answer.Body
	s.scanner = bufio.NewScanner(watched{answer.Body, timer, s.params.Silence})
	s.scanner.Buffer(make([]byte, 0, 4096), longestLine)
	beginning := Live
	if s.last != "" {
		beginning = Resumed
		if answer.Header.Get("X-Stream-Resume") == "unknown-id" {
			beginning = Lost
		}
	}
	if s.params.OnConnect != nil {
		s.params.OnConnect(beginning)
	}
	return nil
}

// advance reads up to the next event, and connects where there is no connection.
func (s *Stream) advance() *Error {
	if s.scanner == nil {
		if problem := s.connect(); problem != nil {
			return problem
		}
	}
	id, data := "", []string{}
	for s.scanner.Scan() {
		line := s.scanner.Text()
		field, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch {
		case line == "":
			if s.dispatch(id, data) {
				return nil
			}
			id, data = "", nil
		case field == "data":
			data = append(data, value)
		case field == "id":
			id = value
		}
	}
	return &Error{Kind: Network, Message: "the stream ended", cause: s.scanner.Err()}
}

// dispatch reads a message; it is true for an event.
func (s *Stream) dispatch(id string, data []string) bool {
	event := Event{}
	isEvent := len(data) > 0 && decode([]byte(strings.Join(data, "\n")), &event) == nil && event.EventID != ""
	if isEvent {
		s.event, s.last = event, event.EventID
		return true
	}
	if id != "" {
		s.last = id
	}
	if len(data) > 0 {
		s.report(&Error{Kind: Unreadable, Status: 200, Message: "the stream sent a message that is no event"})
	}
	return false
}
