package barograph

import (
	"bufio"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

const (
	proofTimeout   = 5 * time.Second
	proofBodyLimit = 2048
)

// prover makes every connection over plain http prove that the program at its end knows the key, before anything else is sent
// over it: another program may have taken the port of a service that ended. https has the certificate instead.
type prover struct {
	base   *url.URL
	digest string
}

func newProver(base *url.URL, key string) *prover {
	return &prover{base: base, digest: hexOf(sha256Of([]byte(key)))}
}

func sha256Of(text []byte) []byte {
	digest := sha256.Sum256(text)
	return digest[:]
}

func hexOf(bytes []byte) string { return hex.EncodeToString(bytes) }

// proofText is what the service signs.
func proofText(origin, keyID, nonce string) []byte {
	return []byte(strings.Join([]string{"barograph service proof 1", origin, keyID, nonce}, "\n"))
}

// guard gives a transport that dials as this one does; nil stands for the default one.
func (p *prover) guard(transport http.RoundTripper) (*http.Transport, bool) {
	if transport == nil {
		transport = http.DefaultTransport
	}
	known, isKnown := transport.(*http.Transport)
	if !isKnown {
		return nil, false
	}
	own := known.Clone()
	// A proxy must not see what goes to this computer.
	own.Proxy = nil
	dial := own.DialContext
	if dial == nil {
		dial = (&net.Dialer{}).DialContext
	}
	own.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		if problem := p.prove(conn); problem != nil {
			conn.Close()
			return nil, problem
		}
		return conn, nil
	}
	return own, true
}

func (p *prover) prove(conn net.Conn) *Error {
	host := strings.ToLower(strings.TrimSuffix(p.base.Host, ":80"))
	nonce := make([]byte, 32)
	if _, err := rand.Read(nonce); err != nil {
		return &Error{Kind: NotSent, Message: "there is no randomness", cause: err}
	}
	origin, keyID := "http://"+host, "key_"+p.digest[:12]
	asked := url.Values{"key": {keyID}, "nonce": {hexOf(nonce)}, "origin": {origin}}
	path := strings.TrimRight(p.base.EscapedPath(), "/")
	head := fmt.Sprintf("GET %s/proof?%s HTTP/1.1\r\nHost: %s\r\nAccept: application/json\r\n\r\n", path, asked.Encode(), host)
	_ = conn.SetDeadline(time.Now().Add(proofTimeout))
	if _, err := io.WriteString(conn, head); err != nil {
		return p.broken(err)
	}
	reader := bufio.NewReader(conn)
	answer, err := http.ReadResponse(reader, nil)
	if err != nil {
		return p.broken(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, proofBodyLimit))
	if err != nil {
		return p.broken(err)
	}
	if answer.StatusCode == http.StatusTooManyRequests || answer.StatusCode >= 500 {
		return errorOf(answer.StatusCode, answer.Header, text)
	}
	var said struct{ Proof string }
	_ = json.Unmarshal(text, &said)
	mac := hmac.New(sha256.New, []byte(p.digest))
	mac.Write(proofText(origin, keyID, hexOf(nonce)))
	isProven := hmac.Equal([]byte(said.Proof), []byte(hexOf(mac.Sum(nil))))
	// The next request must be the first thing on this connection that the proof has not covered.
	if !isProven || answer.Close || reader.Buffered() > 0 {
		return &Error{Kind: Unproven, Message: "the program at " + p.base.Host + " cannot prove that it knows the key: another one " +
			"took the address, the key has ended there, or it has no such proof; nothing else was sent"}
	}
	_ = conn.SetDeadline(time.Time{})
	return nil
}

func (p *prover) broken(err error) *Error {
	var timeout net.Error
	if errors.As(err, &timeout) && timeout.Timeout() {
		return &Error{Kind: Timeout, Message: "the service at " + p.base.Host + " did not prove itself within 5 s", cause: err}
	}
	return &Error{Kind: Network, Message: fmt.Sprintf("the service at %s does not answer (%v)", p.base.Host, err), cause: err}
}
