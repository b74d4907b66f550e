package barograph

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

const proofKey = "svc_test_aaaaaaaaaaaaaaaaaaaa"

func proofOf(key string, r *http.Request) string {
	asked := r.URL.Query()
	mac := hmac.New(sha256.New, []byte(hexOf(sha256Of([]byte(key)))))
	mac.Write(proofText(asked.Get("origin"), asked.Get("key"), asked.Get("nonce")))
	return fmt.Sprintf(`{"proof": %q}`, hexOf(mac.Sum(nil)))
}

// program answers proofs by a handler, and everything else; it notes the key of every request.
func program(t *testing.T, keys *[]string, proof http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		*keys = append(*keys, r.Header.Get("X-Api-Key"))
		if r.URL.Path == "/v1/proof" {
			proof(w, r)
			return
		}
		fmt.Fprintf(w, `{"symbol": "SPY"}`)
	}))
	t.Cleanup(server.Close)
	return server.URL + "/v1/"
}

func knows(key string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, proofOf(key, r)) }
}

func signalAt(t *testing.T, url, key string, options ...Option) error {
	t.Helper()
	c, err := New(url, key, options...)
	if err != nil {
		return err
	}
	_, err = c.Signal(context.Background(), SignalParams{Symbol: "SPY"})
	return err
}

func TestTheKeyFollowsTheProofOfItsConnection(t *testing.T) {
	keys := []string{}
	url := program(t, &keys, knows(proofKey))
	c, err := New(strings.Replace(url, "127.0.0.1", "localhost", 1), proofKey)
	if err != nil {
		t.Fatal(err)
	}
	for calls := 0; calls < 3; calls++ {
		if _, err := c.Signal(context.Background(), SignalParams{Symbol: "SPY"}); err != nil {
			t.Fatal(err)
		}
	}
	c.http.CloseIdleConnections()
	if err := signalAt(t, url, proofKey); err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Join(keys, ","), strings.Join([]string{"", proofKey, proofKey, proofKey, "", proofKey}, ","); got != want {
		t.Fatalf("got %s", got)
	}
}

func TestWithoutAProofNothingElseIsSent(t *testing.T) {
	for name, row := range map[string]struct {
		proof http.HandlerFunc
		kind  Kind
	}{
		"another key":  {knows("another"), Unproven},
		"no such path": {answer(404, `{}`), Unproven},
		"a number":     {answer(200, `{"proof": 7}`), Unproven},
		"a list":       {answer(200, `[]`), Unproven},
		"a redirect":   {answer(302, ``, "Location", "http://127.0.0.1:1/"), Unproven},
		"a closed connection": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Connection", "close")
			knows(proofKey)(w, r)
		}, Unproven},
		"busy": {answer(503, ``, "Retry-After", "3"), Unavailable},
	} {
		keys := []string{}
		err := signalAt(t, program(t, &keys, row.proof), proofKey)
		var problem *Error
		if !errors.As(err, &problem) || problem.Kind != row.kind || strings.Join(keys, ",") != "" {
			t.Errorf("%s: got %v, keys %q", name, err, keys)
		}
	}
}

func TestTheProofOfAnAddressIsNoneOfAnother(t *testing.T) {
	keys := []string{}
	service := program(t, &[]string{}, knows(proofKey))
	relay := program(t, &keys, func(w http.ResponseWriter, r *http.Request) {
		asked := r.URL.Query()
		asked.Set("origin", strings.TrimSuffix(service, "/v1/"))
		made, err := http.Get(service + "proof?" + asked.Encode())
		if err != nil {
			t.Error(err)
			return
		}
		defer made.Body.Close()
		_, _ = io.Copy(w, made.Body)
	})
	var problem *Error
	if err := signalAt(t, relay, proofKey); !errors.As(err, &problem) || problem.Kind != Unproven || strings.Join(keys, ",") != "" {
		t.Fatalf("got %v, keys %q", err, keys)
	}
}

type own struct{ http.RoundTripper }

func TestAnotherTransportMustBeTrusted(t *testing.T) {
	keys := []string{}
	url := program(t, &keys, knows("another"))
	foreign := WithHTTPClient(&http.Client{Transport: own{http.DefaultTransport}})
	var problem *Error
	if err := signalAt(t, url, proofKey, foreign); !errors.As(err, &problem) || problem.Kind != NotSent {
		t.Fatalf("got %v", err)
	}
	for _, row := range []struct {
		key     string
		options []Option
	}{{proofKey, []Option{foreign, WithTrusted()}}, {proofKey, []Option{WithTrusted()}}, {"", nil}} {
		if err := signalAt(t, url, row.key, row.options...); err != nil {
			t.Fatal(err)
		}
	}
	if strings.Join(keys, ",") != proofKey+","+proofKey+"," {
		t.Fatalf("keys %q", keys)
	}
}
