// Package barograph is a client of the Market Risk Signal Service. It needs the standard library alone.
//
// A Client has a method for every request. Lists are Rows, the event stream is a Stream, and Webhook proves deliveries. GETs that
// fail for a reason that passes are tried again; see WithRetries.
package barograph

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"net"
	"net/http"
	"net/url"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// Version of this module.
const Version = "0.1.0"

const (
	callTimeout = 10 * time.Second
	bodyLimit   = 8 << 20
	mostPages   = 1000
)

// Client calls the service. Several goroutines may use it. New makes one.
type Client struct {
	base, key, userAgent string
	http                 *http.Client
	pace                 *pace
	retry                retry
	// trusted: no proof is asked for.
	trusted bool
}

// Option changes a Client.
type Option func(*Client)

// WithHTTPClient sets transport, certificates and proxies. Redirects are not followed, whatever it says.
func WithHTTPClient(client *http.Client) Option {
	return func(c *Client) {
		own := *client
		c.http = &own
	}
}

// WithTrusted sends the key over plain http without the proof that the program there knows it. It is for services that have no
// such proof, where no other program of this computer can take their port.
func WithTrusted() Option {
	return func(c *Client) { c.trusted = true }
}

// WithRetries sets how often a GET is tried again, 2 where it is not set; 0 turns it off. What passes is a broken connection, 429
// with a Retry-After of at most 2 s, 502, 503 and 504. Nothing but a GET is sent twice.
func WithRetries(times int) Option {
	return func(c *Client) { c.retry.times = times }
}

// WithRandom sets the source of the jitter of retries and reconnections, for runs that can be repeated.
func WithRandom(source rand.Source) Option {
	return func(c *Client) { c.retry.random = rand.New(source) }
}

// WithUserAgent puts the name of the program in front of the client's own in User-Agent: "desk/1.4".
func WithUserAgent(product string) Option {
	return func(c *Client) { c.userAgent = product + " " + c.userAgent }
}

// New makes a client. It sends nothing yet. The key may be "" for what needs none.
func New(baseURL, key string, options ...Option) (*Client, error) {
	refuse := func(message string) (*Client, error) {
		return nil, &Error{Kind: NotSent, Message: message + "; nothing was sent"}
	}
	base, err := url.Parse(baseURL)
	switch {
	case err != nil || base.Host == "" || (base.Scheme != "https" && base.Scheme != "http"):
		return refuse(fmt.Sprintf("%q is not a web address; it must begin with https://", baseURL))
	case base.User != nil:
		return refuse("the address contains a password; remove it")
	case base.Scheme == "http" && !isLoopback(base.Hostname()):
		return refuse(base.Host + " is not this computer, and http would show the key to the network; use https://")
	case len(key) > 512 || strings.IndexFunc(key, func(r rune) bool { return r < '!' || r > '~' }) >= 0:
		return refuse("the key contains blanks or signs that no key has; copy it again")
	}
	base.RawQuery, base.Fragment = "", ""
	c := &Client{
		base: strings.TrimRight(base.String(), "/"), key: key, http: &http.Client{}, pace: newPace(time.Now), retry: newRetry(),
		userAgent: "barograph-go/" + Version + " (" + runtime.Version() + ")",
	}
	for _, option := range options {
		option(c)
	}
	if base.Scheme == "http" && key != "" && !c.trusted {
		guarded, isGuarded := newProver(base, key).guard(c.http.Transport)
		if !isGuarded {
			return refuse("over plain http only an *http.Transport is asked for a proof: give one, or WithTrusted()")
		}
		c.http.Transport = guarded
	}
	c.http.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return c, nil
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || (ip != nil && ip.IsLoopback())
}

type place int

const (
	inPath place = iota
	inQuery
	inHeader
	inBody
	inRequiredBody
)

// request is what a generated call sends.
type request struct {
	method, endpoint, path string
	query                  url.Values
	header                 http.Header
	body                   map[string]interface{}
}

func newRequest(method, path string) *request {
	return &request{method: method, endpoint: method + " " + path, path: path, query: url.Values{}, header: http.Header{}}
}

// Of gives a parameter that may be left out its value, also 0: TriggerParams{State: Of(0)}.
func Of[T int | float64 | bool](value T) *T { return &value }

// set adds a parameter; what is empty or nil is not sent, unless the body must have it.
func (r *request) set(where place, name string, value interface{}) {
	text := ""
	switch given := value.(type) {
	case string:
		text = given
	case []string:
		text = strings.Join(given, ",")
		if given == nil {
			value = []string{}
		}
	case bool:
		text = strconv.FormatBool(given)
	case *bool:
		if given != nil {
			text = strconv.FormatBool(*given)
		}
	case *int:
		if given != nil {
			text = strconv.Itoa(*given)
		}
	case *float64:
		if given != nil {
			text = strconv.FormatFloat(*given, 'f', -1, 64)
		}
	}
	if where == inPath {
		r.path = strings.ReplaceAll(r.path, "{"+name+"}", url.PathEscape(text))
	}
	if text == "" && where != inRequiredBody {
		return
	}
	switch where {
	case inQuery:
		r.query.Set(name, text)
	case inHeader:
		r.header.Set(name, text)
	case inBody, inRequiredBody:
		if r.body == nil {
			r.body = map[string]interface{}{}
		}
		r.body[name] = value
	}
}

// open gives the answer of success, its body unread.
func (c *Client) open(ctx context.Context, r *request) (*http.Response, error) {
	var body io.Reader
	if r.body != nil {
		text, err := json.Marshal(r.body)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(text)
	}
	address := c.base + r.path
	if len(r.query) > 0 {
		address += "?" + r.query.Encode()
	}
	sent, err := http.NewRequestWithContext(ctx, r.method, address, body)
	if err != nil {
		return nil, &Error{Kind: NotSent, Message: err.Error(), cause: err}
	}
	sent.Header = r.header.Clone()
	sent.Header.Set("User-Agent", c.userAgent)
	if sent.Header.Get("Accept") == "" {
		sent.Header.Set("Accept", "application/json")
	}
	if body != nil {
		sent.Header.Set("Content-Type", "application/json")
	}
	if c.key != "" {
		sent.Header.Set("X-Api-Key", c.key)
	}
	wait, held := c.pace.take(r.endpoint)
	if held != nil {
		return nil, held
	}
	if err := c.retry.sleep(ctx, wait); err != nil {
		return nil, c.broken(err)
	}
	answer, err := c.http.Do(sent)
	if err != nil {
		return nil, c.broken(err)
	}
	c.pace.answered(r.endpoint, answer.StatusCode, answer.Header)
	if answer.StatusCode >= 200 && answer.StatusCode < 300 {
		return answer, nil
	}
	defer answer.Body.Close()
	said, _ := io.ReadAll(io.LimitReader(answer.Body, 2048))
	return nil, errorOf(answer.StatusCode, answer.Header, said)
}

// broken is the error of a transport; the address in it has no key.
func (c *Client) broken(err error) *Error {
	var unproven *Error
	if errors.As(err, &unproven) {
		return unproven
	}
	e := &Error{Kind: Network, Message: fmt.Sprintf("the service at %s does not answer (%v)", c.base, err), cause: err}
	var timeout net.Error
	switch {
	case errors.Is(err, context.Canceled):
		e.Kind, e.Message = Cancelled, "the request was ended"
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		e.Kind, e.Message = Timeout, fmt.Sprintf("the service at %s did not answer in time", c.base)
	}
	return e
}

// one makes a call that answers one record. The timeout is that of the call with its retries.
func one[Record any](ctx context.Context, c *Client, r *request) (Record, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	for attempt := 0; ; attempt++ {
		var record Record
		err := c.once(ctx, r, &record)
		if err == nil {
			return record, nil
		}
		wait, again := c.retry.wait(r.method, attempt, err)
		if !again || c.retry.sleep(ctx, wait) != nil {
			return record, err
		}
	}
}

func (c *Client) once(ctx context.Context, r *request, record interface{}) error {
	answer, err := c.open(ctx, r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, bodyLimit+1))
	if err != nil {
		return c.broken(err)
	}
	if len(text) > bodyLimit {
		return &Error{Kind: Unreadable, Status: 200, Message: "the answer to " + r.endpoint + " is larger than 8 MB"}
	}
	if err := decode(text, record); err != nil {
		message := fmt.Sprintf("the answer to %s is not what it should be (%v)", r.endpoint, err)
		return &Error{Kind: Unreadable, Status: 200, Message: message, cause: err}
	}
	return nil
}
