use std::fmt;
use std::io;
use std::sync::Arc;
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
    /// The service does not accept a parameter.
    BadRequest,
    /// The key is missing, unknown or has ended.
    Unauthorized,
    /// The plan or the scope of the key does not cover it.
    Forbidden,
    /// There is no such record.
    NotFound,
    /// The service has no signals of this symbol.
    NotCovered,
    /// Too many calls. Without a status the client held the call back itself.
    RateLimited,
    /// 502, 503 or 504.
    Unavailable,
    /// Any other failure of the service.
    Server,
    /// The service sent the request on; the key stays with its address.
    Redirected,
    /// Success, but the body is not what it should be.
    Unreadable,
}

/// Why a request failed. `source` of the trait gives the cause, where another library's error was one.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Error {
    /// What happened.
    pub kind: Kind,
    /// Of the answer; None where there was none.
    pub status: Option<u16>,
    /// The service's own, in lower case; "" where it gave none.
    pub code: String,
    /// What happened, in a sentence.
    pub message: String,
    /// How long the service asks to wait.
    pub retry_after: Option<Duration>,
    pub(crate) cause: Option<Arc<dyn std::error::Error + Send + Sync>>,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.cause.as_deref().map(|cause| cause as _)
    }
}

const LONGEST_WAIT: u64 = 3600;

impl Error {
    pub(crate) fn new(kind: Kind, message: impl Into<String>) -> Self {
        Error { kind, status: None, code: String::new(), message: message.into(), retry_after: None, cause: None }
    }

    pub(crate) fn caused_by(mut self, cause: impl std::error::Error + Send + Sync + 'static) -> Self {
        self.cause = Some(Arc::new(cause));
        self
    }

    pub(crate) fn unreadable(message: impl Into<String>) -> Self {
        Error { status: Some(200), ..Error::new(Kind::Unreadable, message) }
    }

    /// The error of a connection: a timeout where that is among its causes.
    pub(crate) fn of_transport(base: &str, broken: impl std::error::Error + Send + Sync + 'static) -> Self {
        let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(&broken);
        while let Some(one) = cause {
            let kind = one.downcast_ref::<io::Error>().map(io::Error::kind);
            if matches!(kind, Some(io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock)) {
                return Error::timeout(base).caused_by(broken);
            }
            cause = one.source();
        }
        let message = format!("the service at {} does not answer ({})", base, broken);
        Error::new(Kind::Network, message).caused_by(broken)
    }

    pub(crate) fn timeout(base: &str) -> Self {
        Error::new(Kind::Timeout, format!("the service at {} did not answer in time", base))
    }

    /// The error of an answer that is none of success. A date in Retry-After is not read: the service sends seconds.
    pub(crate) fn of_answer(status: u16, retry_after: Option<&str>, body: &[u8]) -> Self {
        let fields: serde_json::Value = serde_json::from_slice(body).unwrap_or_default();
        let text = |name: &str| fields[name].as_str().filter(|text| !text.is_empty()).map(str::to_owned);
        let code = text("code").unwrap_or_default().to_lowercase();
        let kind = match (code.as_str(), status) {
            ("symbol_not_covered" | "invalid_symbol", _) => Kind::NotCovered,
            (_, 300..=399) => Kind::Redirected,
            (_, 401) => Kind::Unauthorized,
            (_, 402 | 403) => Kind::Forbidden,
            (_, 404) => Kind::NotFound,
            (_, 429) => Kind::RateLimited,
            (_, 502..=504) => Kind::Unavailable,
            (_, 500..=599) => Kind::Server,
            _ => Kind::BadRequest,
        };
        let message = text("message").or_else(|| text("detail")).unwrap_or(format!("the service answered {}", status));
        let retry_after = seconds(retry_after);
        Error { status: Some(status), code, retry_after, ..Error::new(kind, message) }
    }
}

pub(crate) fn seconds(header: Option<&str>) -> Option<Duration> {
    let seconds: u64 = header?.trim().parse().ok()?;
    Some(Duration::from_secs(seconds.min(LONGEST_WAIT)))
}
