package barograph

import (
	"encoding/base64"
	"encoding/hex"
	"errors"
	"net/http"
	"strconv"
	"testing"
	"time"
)

var (
	key    = []byte("0123456789abcdef0123456789abcdef")
	secret = base64.StdEncoding.EncodeToString(key)
	now    = time.Unix(1_772_461_800, 0)
	body   = []byte(`{"event_id":"evt_1","seq":1,"event":"model.version","timestamp":"t","data":{}}`)
)

func signed(at time.Time, key, body []byte) http.Header {
	seconds := strconv.FormatInt(at.Unix(), 10)
	signature := base64.StdEncoding.EncodeToString(sum(key, []byte("evt_1."+seconds+"."), body))
	return http.Header{"Webhook-Id": {"evt_1"}, "Webhook-Timestamp": {seconds}, "Webhook-Signature": {"v1," + signature}}
}

func with(header http.Header, name, value string) http.Header {
	header = header.Clone()
	header.Set(name, value)
	return header
}

func TestVerify(t *testing.T) {
	good := signed(now, key, body)
	own := http.Header{"X-Service-Signature": {hex.EncodeToString(sum([]byte(secret), body))}}
	for name, row := range map[string]struct {
		webhook Webhook
		body    []byte
		header  http.Header
		want    Refusal
	}{
		"signed":           {Webhook{Secret: secret}, body, good, ""},
		"with a prefix":    {Webhook{Secret: "whsec_" + secret}, body, good, ""},
		"one of several":   {Webhook{Secret: secret}, body, with(good, "Webhook-Signature", "v1,AAAA "+good.Get("Webhook-Signature")), ""},
		"another body":     {Webhook{Secret: secret}, append([]byte(" "), body...), good, WrongSignature},
		"another secret":   {Webhook{Secret: secret}, body, signed(now, []byte("another"), body), WrongSignature},
		"another time":     {Webhook{Secret: secret}, body, with(good, "Webhook-Timestamp", "1772461801"), WrongSignature},
		"no base64":        {Webhook{Secret: "%"}, body, good, WrongSignature},
		"an empty secret":  {Webhook{}, body, good, WrongSignature},
		"too old":          {Webhook{Secret: secret}, body, signed(now.Add(-301*time.Second), key, body), TooOld},
		"from the future":  {Webhook{Secret: secret}, body, signed(now.Add(301*time.Second), key, body), Ahead},
		"unsigned":         {Webhook{Secret: secret}, body, http.Header{}, Unsigned},
		"no event":         {Webhook{Secret: secret}, []byte("[]"), signed(now, key, []byte("[]")), NoEvent},
		"without a time":   {Webhook{Secret: secret}, body, own, Unsigned},
		"undated":          {Webhook{Secret: secret, Undated: true}, body, own, ""},
		"undated, forged":  {Webhook{Secret: secret, Undated: true}, []byte("{}"), own, WrongSignature},
		"undated, too old": {Webhook{Secret: secret, Undated: true}, body, signed(now.Add(-time.Hour), key, body), TooOld},
	} {
		t.Run(name, func(t *testing.T) {
			row.webhook.Now = func() time.Time { return now }
			event, err := row.webhook.Verify(row.body, row.header)
			var refusal Refusal
			if errors.As(err, &refusal); refusal != row.want {
				t.Fatalf("got %v, want %q", err, row.want)
			}
			if row.want == "" && event.EventID != "evt_1" {
				t.Fatalf("got %+v", event)
			}
		})
	}
}
