use std::fmt;
use std::io;
use std::time::Duration;

/// What happened to a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// The address and the key do not fit together.
    NotSent,
    /// Over plain http, the program at the address did not prove that it knows the key, and did not get it.
    Unproven,
    /// The service could not be reached, or the connection broke.
    Network,
    /// No answer in time.
    Timeout,
    BadRequest,
    Unauthorized,
    Forbidden,
    NotFound,
    /// The service has no signals of this symbol.
    NotCovered,
    /// Too many calls. Without a status the client held the call back itself.
    RateLimited,
    Unavailable,
    Server,
    /// The service sent the request on; the key stays with its address.
    Redirected,
    /// Success, but the body is not what it should be.
    Unreadable,
}

/// Why a request failed.
#[derive(Debug, Clone)]
pub struct Error {
    pub kind: Kind,
    /// Of the answer; None where there was none.
    pub status: Option<u16>,
    /// The service's own, in lower case; "" where it gave none.
    pub code: String,
    pub message: String,
    /// How long the service asks to wait.
    pub retry_after: Option<Duration>,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

const LONGEST_WAIT: u64 = 3600;

impl Error {
    pub(crate) fn new(kind: Kind, message: impl Into<String>) -> Self {
        Error { kind, status: None, code: String::new(), message: message.into(), retry_after: None }
    }

    pub(crate) fn unreadable(message: impl Into<String>) -> Self {
        Error { status: Some(200), ..Error::new(Kind::Unreadable, message) }
    }

    pub(crate) fn of_transport(base: &str, broken: &(dyn std::error::Error + 'static)) -> Self {
        let mut cause = Some(broken);
        while let Some(one) = cause {
            let kind = one.downcast_ref::<io::Error>().map(io::Error::kind);
            if matches!(kind, Some(io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock)) {
                return Error::new(Kind::Timeout, format!("the service at {} did not answer in time", base));
            }
            cause = one.source();
        }
        Error::new(Kind::Network, format!("the service at {} does not answer ({})", base, broken))
    }

    /// The error of an answer that is none of success. A date in Retry-After is not read: the service sends seconds.
    pub(crate) fn of_answer(status: u16, retry_after: Option<&str>, body: &str) -> Self {
        let fields: serde_json::Value = serde_json::from_str(body).unwrap_or_default();
        let text = |name: &str| fields[name].as_str().filter(|text| !text.is_empty()).map(str::to_owned);
        let code = text("code").unwrap_or_default().to_lowercase();
        let kind = match (code.as_str(), status) {
            ("symbol_not_covered" | "invalid_symbol", _) => Kind::NotCovered,
            (_, 300..=399) => Kind::Redirected,
            (_, 401) => Kind::Unauthorized,
            (_, 402 | 403) => Kind::Forbidden,
            (_, 404) => Kind::NotFound,
            (_, 429) => Kind::RateLimited,
            (_, 502 | 503 | 504) => Kind::Unavailable,
            (_, 500..=599) => Kind::Server,
            _ => Kind::BadRequest,
        };
        let message = text("message").or_else(|| text("detail")).unwrap_or(format!("the service answered {}", status));
        let retry_after = seconds(retry_after);
        Error { kind, status: Some(status), code, message, retry_after }
    }
}

pub(crate) fn seconds(header: Option<&str>) -> Option<Duration> {
    let seconds: u64 = header?.trim().parse().ok()?;
    Some(Duration::from_secs(seconds.min(LONGEST_WAIT)))
}
