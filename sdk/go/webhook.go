package barograph

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Refusal is why a delivery is refused: an error.
type Refusal string

const (
	// Unsigned: a header of the signature is missing.
	Unsigned Refusal = "unsigned"
	// WrongSignature: another secret or another body was signed.
	WrongSignature Refusal = "wrong_signature"
	// TooOld: the delivery was sent too long ago.
	TooOld Refusal = "too_old"
	// Ahead: the delivery comes from the future.
	Ahead Refusal = "ahead"
	// NoEvent: the delivery is proven, and is no event.
	NoEvent Refusal = "unreadable"
)

func (r Refusal) Error() string { return "the delivery is refused: " + string(r) }

// Webhook proves deliveries.
type Webhook struct {
	// Secret is the signing secret, as the answer to Subscribe showed it.
	Secret string
	// Tolerance is how much the time of a delivery may differ from this computer's. 0: five minutes.
	Tolerance time.Duration
	// Undated accepts X-Service-Signature where the service sends no webhook-signature. It proves no time: whoever
	// recorded a delivery can send it again.
	Undated bool
	// Now is this computer's time; nil: time.Now.
	Now func() time.Time
}

// Verify gives the event of a delivery, or a Refusal. body is the bytes as they arrived. The same event can arrive
// twice: its EventID tells.
func (w Webhook) Verify(body []byte, header http.Header) (Event, error) {
	event := Event{}
	if refusal := w.refusal(body, header); refusal != "" {
		return event, refusal
	}
	if decode(body, &event) != nil {
		return event, NoEvent
	}
	return event, nil
}

func (w Webhook) refusal(body []byte, header http.Header) Refusal {
	id, at, signatures := header.Get("Webhook-Id"), header.Get("Webhook-Timestamp"), header.Get("Webhook-Signature")
	if id == "" || at == "" || signatures == "" {
		return w.undated(body, header.Get("X-Service-Signature"))
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(w.Secret, "whsec_"))
	if err != nil || len(key) == 0 {
		return WrongSignature
	}
	expected := sum(key, []byte(id+"."+at+"."), body)
	isSigned := false
	for _, one := range strings.Fields(signatures) {
		given, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(one, "v1,"))
		isSigned = (err == nil && strings.HasPrefix(one, "v1,") && hmac.Equal(given, expected)) || isSigned
	}
	if !isSigned {
		return WrongSignature
	}
	seconds, err := strconv.ParseInt(at, 10, 64)
	if err != nil {
		return Ahead
	}
	now, tolerance := time.Now, 5*time.Minute
	if w.Now != nil {
		now = w.Now
	}
	if w.Tolerance != 0 {
		tolerance = w.Tolerance
	}
	switch age := now().Sub(time.Unix(seconds, 0)); {
	case age < -tolerance:
		return Ahead
	case age > tolerance:
		return TooOld
	}
	return ""
}

func (w Webhook) undated(body []byte, signature string) Refusal {
	if !w.Undated || signature == "" {
		return Unsigned
	}
	given, err := hex.DecodeString(strings.TrimPrefix(signature, "sha256="))
	if err != nil || w.Secret == "" || !hmac.Equal(given, sum([]byte(w.Secret), body)) {
		return WrongSignature
	}
	return ""
}

func sum(key []byte, parts ...[]byte) []byte {
	mac := hmac.New(sha256.New, key)
	for _, part := range parts {
		mac.Write(part)
	}
	return mac.Sum(nil)
}
