package barograph

import (
	"context"
	"errors"
	"math/rand"
	"sync"
	"time"
)

const (
	usualRetries = 2
	firstBackoff = 250 * time.Millisecond
)

// retry decides which calls are made again, and when.
type retry struct {
	times  int
	mu     *sync.Mutex
	random *rand.Rand
	sleep  func(context.Context, time.Duration) error
}

func newRetry() retry {
	// The global source of older Go versions is the same in every process: all clients would come back at once.
	random := rand.New(rand.NewSource(time.Now().UnixNano()))
	return retry{times: usualRetries, mu: &sync.Mutex{}, random: random, sleep: sleep}
}

// wait says whether a call that failed is made again, and after how long. A longer wait than patience is the caller's decision.
func (r retry) wait(method string, attempt int, err error) (time.Duration, bool) {
	var problem *Error
	if method != "GET" || attempt >= r.times || !errors.As(err, &problem) || problem.RetryAfter > patience {
		return 0, false
	}
	// Without a status the client held the call back itself.
	passes := problem.Kind == Network || problem.Kind == Unavailable || (problem.Kind == RateLimited && problem.Status != 0)
	wait := r.backoff(firstBackoff, attempt, patience)
	if problem.RetryAfter > wait {
		wait = problem.RetryAfter
	}
	return wait, passes
}

// backoff is between a half and all of first, doubled with every attempt up to longest.
func (r retry) backoff(first time.Duration, attempt int, longest time.Duration) time.Duration {
	whole := longest
	// Bounded before the shift, which would overflow.
	if attempt < 16 && first<<attempt < longest {
		whole = first << attempt
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return whole/2 + time.Duration(r.random.Int63n(int64(whole/2)))
}

// sleep waits, unless the context ends first.
func sleep(ctx context.Context, wait time.Duration) error {
	if wait <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
