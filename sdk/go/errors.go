package barograph

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Kind says what happened to a request.
type Kind string

const (
	// NotSent: the address and the key do not fit together.
	NotSent Kind = "not_sent"
	// Unproven: over plain http, the program at the address did not prove that it knows the key, and did not get it.
	Unproven Kind = "unproven"
	// Network: the service could not be reached, or the connection broke.
	Network Kind = "network"
	// Timeout: no answer in time.
	Timeout Kind = "timeout"
	// Cancelled: the context ended.
	Cancelled Kind = "cancelled"
	// BadRequest: the service does not accept a parameter.
	BadRequest Kind = "bad_request"
	// Unauthorized: the key is missing, unknown or has ended.
	Unauthorized Kind = "unauthorized"
	// Forbidden: the plan or the scope of the key does not cover it.
	Forbidden Kind = "forbidden"
	// NotFound: there is no such record.
	NotFound Kind = "not_found"
	// NotCovered: the service has no signals of this symbol.
	NotCovered Kind = "not_covered"
	// RateLimited: too many calls. Without a status the client held the call back itself.
	RateLimited Kind = "rate_limited"
	// Unavailable: 502, 503 or 504.
	Unavailable Kind = "unavailable"
	// Server: any other failure of the service.
	Server Kind = "server"
	// Redirected: the service sent the request on; the key stays with its address.
	Redirected Kind = "redirected"
	// Unreadable: success, but the body is not what it should be.
	Unreadable Kind = "unreadable"
)

// Error is why a request failed. Every error of this package is one, but those of Webhook.Verify: use errors.As.
type Error struct {
	Kind Kind
	// Status of the answer; 0 where there was none.
	Status int
	// Code of the service, in lower case; "" where it gave none.
	Code    string
	Message string
	// RetryAfter is how long the service asks to wait; 0 where it does not.
	RetryAfter time.Duration
	cause      error
}

func (e *Error) Error() string { return e.Message }

// Unwrap gives the cause, such as context.Canceled.
func (e *Error) Unwrap() error { return e.cause }

const longestWait = time.Hour

var kinds = map[int]Kind{
	401: Unauthorized, 402: Forbidden, 403: Forbidden, 404: NotFound, 429: RateLimited,
	502: Unavailable, 503: Unavailable, 504: Unavailable,
}

// errorOf is the error of an answer that is none of success.
func errorOf(status int, header http.Header, body []byte) *Error {
	var fields struct{ Code, Message, Detail string }
	_ = json.Unmarshal(body, &fields)
	e := &Error{Status: status, Code: strings.ToLower(fields.Code), Message: fields.Message, RetryAfter: retryAfter(header)}
	if e.Message == "" {
		e.Message = fields.Detail
	}
	if e.Message == "" {
		e.Message = fmt.Sprintf("the service answered %d", status)
	}
	switch kind, known := kinds[status]; {
	case e.Code == "symbol_not_covered" || e.Code == "invalid_symbol":
		e.Kind = NotCovered
	case known:
		e.Kind = kind
	case status >= 500:
		e.Kind = Server
	case status < 400:
		e.Kind, e.Message = Redirected, "the service sends this request on; the key stays here"
	default:
		e.Kind = BadRequest
	}
	return e
}

// retryAfter reads seconds, or a date by the service's own clock.
func retryAfter(header http.Header) time.Duration {
	value := header.Get("Retry-After")
	wait := time.Duration(0)
	if seconds, err := strconv.Atoi(value); err == nil {
		wait = time.Duration(seconds) * time.Second
		if seconds > int(longestWait/time.Second) {
			wait = longestWait
		}
	} else if at, err := http.ParseTime(value); err == nil {
		if now, err := http.ParseTime(header.Get("Date")); err == nil {
			wait = at.Sub(now)
		}
	}
	if wait < 0 {
		return 0
	}
	if wait > longestWait {
		return longestWait
	}
	return wait
}
