package barograph

import (
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"sync"
	"time"
)

const (
	// patience is how long a call waits for its place; a longer wait is the caller's decision.
	patience      = 2 * time.Second
	longestWindow = 2 * time.Minute
	// plan names the bucket that all endpoints share.
	plan = ""
)

var (
	limitItem  = regexp.MustCompile(`"([^"]+)"((?:\s*;\s*[a-z]+=\d+)*)`)
	limitField = regexp.MustCompile(`([a-z]+)=(\d+)`)
)

// pace holds calls back that the service would refuse, by what its limit headers said last.
type pace struct {
	now    func() time.Time
	mu     sync.Mutex
	freeAt map[string]time.Time
}

func newPace(now func() time.Time) *pace {
	return &pace{now: now, freeAt: map[string]time.Time{}}
}

// take gives the wait for a place, or an error where it is too long.
func (p *pace) take(path string) (time.Duration, *Error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	wait := time.Duration(0)
	for _, at := range []time.Time{p.freeAt[path], p.freeAt[plan]} {
		if until := at.Sub(p.now()); until > wait {
			wait = until
		}
	}
	if wait > patience {
		message := fmt.Sprintf("the service takes no call to %s for %v; none was sent", path, wait.Round(time.Second))
		return 0, &Error{Kind: RateLimited, Message: message, RetryAfter: wait}
	}
	return wait, nil
}

func (p *pace) answered(path string, status int, header http.Header) {
	left, policy := limitItems(header.Get("RateLimit")), limitItems(header.Get("RateLimit-Policy"))
	enforced, said := policy["endpoint"]["enforced"]
	isEnforced := !said || enforced != 0
	wait := time.Duration(0)
	if status == http.StatusTooManyRequests {
		wait = retryAfter(header)
	} else if calls, said := left["endpoint"]["r"]; said && calls == 0 && isEnforced {
		wait = time.Duration(left["endpoint"]["t"]) * time.Second
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	// A longer wait is no minute's: a month says what is left, and refuses nothing by itself.
	if wait <= longestWindow {
		p.freeAt[path] = p.now().Add(wait)
	}
	// The bucket of the plan is filled at the rate of its terms.
	if calls, said := left["plan"]["r"]; said && calls == 0 && isEnforced && policy["plan"]["q"] > 0 {
		p.freeAt[plan] = p.now().Add(time.Duration(policy["plan"]["w"]) * time.Second / time.Duration(policy["plan"]["q"]))
	}
}

func limitItems(header string) map[string]map[string]int {
	items := map[string]map[string]int{}
	for _, item := range limitItem.FindAllStringSubmatch(header, -1) {
		items[item[1]] = map[string]int{}
		for _, field := range limitField.FindAllStringSubmatch(item[2], -1) {
			items[item[1]][field[1]], _ = strconv.Atoi(field[2])
		}
	}
	return items
}
