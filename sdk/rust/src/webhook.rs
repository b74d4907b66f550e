//! Proves that a delivery comes from the service, and when it was sent, before it is read.
use crate::models::Event;
use hmac::{Hmac, Mac};
use sha2::Sha256;
use std::fmt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Why a delivery is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Refusal {
    /// A header of the signature is missing.
    Unsigned,
    /// Another secret or another body was signed.
    WrongSignature,
    /// It was sent too long ago.
    TooOld,
    /// It comes from the future.
    Ahead,
    /// It is proven, and is no event.
    Unreadable,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Refusal::Unsigned => "unsigned",
            Refusal::WrongSignature => "wrong_signature",
            Refusal::TooOld => "too_old",
            Refusal::Ahead => "ahead",
            Refusal::Unreadable => "unreadable",
        })
    }
}

impl std::error::Error for Refusal {}

/// Proves deliveries.
#[derive(Clone)]
pub struct Webhook {
    /// The signing secret, as the answer to `subscribe` showed it.
    pub secret: String,
    /// How much the time of a delivery may differ from this computer's.
    pub tolerance: Duration,
    /// Accepts X-Service-Signature where the service sends no webhook-signature. It proves no time: whoever recorded a
    /// delivery can send it again.
    pub undated: bool,
}

impl Webhook {
    /// With the usual tolerance, five minutes.
    pub fn new(secret: impl Into<String>) -> Self {
        Webhook { secret: secret.into(), tolerance: Duration::from_secs(300), undated: false }
    }

    /// The event of a delivery. `body` is the bytes as they arrived; `header` gives a header by its name in lower case.
    /// The same event can arrive twice: its `event_id` tells.
    pub fn verify<'h>(&self, body: &[u8], header: impl Fn(&str) -> Option<&'h str>) -> Result<Event, Refusal> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        self.verify_at(body, header, now)
    }

    fn verify_at<'h>(&self, body: &[u8], header: impl Fn(&str) -> Option<&'h str>, now: u64) -> Result<Event, Refusal> {
        let parts = (header("webhook-id"), header("webhook-timestamp"), header("webhook-signature"));
        match parts {
            (Some(id), Some(at), Some(signatures)) => self.check(body, id, at, signatures, now)?,
            _ => {
                let signature = header("x-service-signature").filter(|_| self.undated).ok_or(Refusal::Unsigned)?;
                let given = hex(signature.strip_prefix("sha256=").unwrap_or(signature));
                if self.secret.is_empty() || !is_signed(self.secret.as_bytes(), &[body], &given.unwrap_or_default()) {
                    return Err(Refusal::WrongSignature);
                }
            }
        }
        serde_json::from_slice(body).map_err(|_| Refusal::Unreadable)
    }

    fn check(&self, body: &[u8], id: &str, at: &str, signatures: &str, now: u64) -> Result<(), Refusal> {
        let key = base64::decode(self.secret.strip_prefix("whsec_").unwrap_or(&self.secret)).unwrap_or_default();
        let head = format!("{}.{}.", id, at);
        let candidates = signatures.split_whitespace().filter_map(|one| one.strip_prefix("v1,"));
        let given = candidates.filter_map(|one| base64::decode(one).ok());
        // Every candidate is compared, whichever matches.
        #[allow(clippy::unnecessary_fold)]
        if key.is_empty() || !given.fold(false, |found, one| is_signed(&key, &[head.as_bytes(), body], &one) || found) {
            return Err(Refusal::WrongSignature);
        }
        let at: u64 = at.parse().map_err(|_| Refusal::Ahead)?;
        let tolerance = self.tolerance.as_secs();
        if at > now.saturating_add(tolerance) {
            return Err(Refusal::Ahead);
        }
        if now > at.saturating_add(tolerance) {
            return Err(Refusal::TooOld);
        }
        Ok(())
    }
}

fn mac(key: &[u8], parts: &[&[u8]]) -> Hmac<Sha256> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes keys of every length");
    parts.iter().for_each(|part| mac.update(part));
    mac
}

/// Compares in constant time.
pub(crate) fn is_signed(key: &[u8], parts: &[&[u8]], signature: &[u8]) -> bool {
    mac(key, parts).verify_slice(signature).is_ok()
}

pub(crate) fn hex(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> = text.chars().map(|digit| digit.to_digit(16).map(|value| value as u8)).collect();
    digits
        .filter(|digits| digits.len() % 2 == 0)
        .map(|digits| digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &[u8] = b"0123456789abcdef0123456789abcdef";
    const NOW: u64 = 1_772_461_800;
    const BODY: &[u8] = br#"{"event_id":"evt_1","seq":1,"event":"model.version","timestamp":"t","data":{}}"#;

    fn sign(at: u64, key: &[u8], body: &[u8]) -> String {
        let head = format!("evt_1.{}.", at);
        format!("v1,{}", base64::encode(mac(key, &[head.as_bytes(), body]).finalize().into_bytes()))
    }

    fn verdict(secret: &str, body: &[u8], at: u64, signature: &str) -> Result<String, Refusal> {
        let at = at.to_string();
        let header = |name: &str| match name {
            "webhook-id" => Some("evt_1"),
            "webhook-timestamp" => Some(at.as_str()),
            "webhook-signature" => Some(signature),
            _ => None,
        };
        Webhook::new(secret).verify_at(body, header, NOW).map(|event| event.event_id)
    }

    #[test]
    fn a_signed_delivery_is_its_event() {
        let secret = base64::encode(KEY);
        let good = sign(NOW, KEY, BODY);
        assert_eq!(verdict(&secret, BODY, NOW, &good), Ok("evt_1".to_owned()));
        assert_eq!(verdict(&format!("whsec_{}", secret), BODY, NOW, &good), Ok("evt_1".to_owned()));
        assert_eq!(verdict(&secret, BODY, NOW, &format!("v1,AAAA {}", good)), Ok("evt_1".to_owned()));
    }

    #[test]
    fn anything_else_is_refused() {
        let secret = base64::encode(KEY);
        let good = sign(NOW, KEY, BODY);
        assert_eq!(verdict(&secret, b"{}", NOW, &good), Err(Refusal::WrongSignature));
        assert_eq!(verdict(&secret, BODY, NOW + 1, &good), Err(Refusal::WrongSignature));
        assert_eq!(verdict(&secret, BODY, NOW, &sign(NOW, b"another", BODY)), Err(Refusal::WrongSignature));
        assert_eq!(verdict("", BODY, NOW, &good), Err(Refusal::WrongSignature));
        assert_eq!(verdict("no base64!", BODY, NOW, &good), Err(Refusal::WrongSignature));
        assert_eq!(verdict(&secret, BODY, NOW - 301, &sign(NOW - 301, KEY, BODY)), Err(Refusal::TooOld));
        assert_eq!(verdict(&secret, BODY, NOW + 301, &sign(NOW + 301, KEY, BODY)), Err(Refusal::Ahead));
        assert_eq!(verdict(&secret, b"7", NOW, &sign(NOW, KEY, b"7")), Err(Refusal::Unreadable));
        assert_eq!(Webhook::new(secret).verify(BODY, |_| None).unwrap_err(), Refusal::Unsigned);
    }

    #[test]
    fn a_signature_without_a_time_needs_consent() {
        let signature = mac(b"secret", &[BODY]).finalize().into_bytes();
        let text: String = signature.iter().map(|byte| format!("{:02x}", byte)).collect();
        let header = |name: &str| (name == "x-service-signature").then_some(text.as_str());
        let webhook = Webhook::new("secret");
        assert_eq!(webhook.verify(BODY, header).unwrap_err(), Refusal::Unsigned);
        let webhook = Webhook { undated: true, ..webhook };
        assert_eq!(webhook.verify(BODY, header).unwrap().event_id, "evt_1");
        assert_eq!(webhook.verify(b"{}", header).unwrap_err(), Refusal::WrongSignature);
    }
}
