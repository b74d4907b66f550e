//! What both clients share and no connection is needed for: the address, the request, retries and pages.
use crate::error::{Error, Kind};
use crate::pace::{Limits, Pace};
use crate::proof::Prover;
use serde::de::DeserializeOwned;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::hash_map::RandomState;
use std::collections::HashSet;
use std::hash::{BuildHasher, Hasher};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use url::{Host, Url};

pub(crate) const CALL_TIMEOUT: Duration = Duration::from_secs(10);
pub(crate) const BODY_LIMIT: usize = 8 << 20;
pub(crate) const ERROR_LIMIT: usize = 2048;
const MAX_PAGES: usize = 1000;
const RETRIES: u32 = 2;
const FIRST_BACKOFF: Duration = Duration::from_millis(250);
/// A call waits this long for its place or its retry; a longer wait is the caller's decision.
pub(crate) const PATIENCE: Duration = Duration::from_secs(2);

pub(crate) enum Place {
    Path,
    Query,
    Header,
    Body,
    /// What the body must have, also where it is empty.
    RequiredBody,
}

/// What a generated call sends.
#[derive(Clone)]
pub(crate) struct Request {
    pub method: &'static str,
    pub endpoint: &'static str,
    pub path: String,
    pub query: Vec<(String, String)>,
    pub headers: Vec<(&'static str, String)>,
    pub body: Map<String, Value>,
}

impl Request {
    pub fn new(method: &'static str, endpoint: &'static str) -> Self {
        let (query, headers, body) = (Vec::new(), Vec::new(), Map::new());
        Request { method, endpoint, path: endpoint.to_owned(), query, headers, body }
    }

    /// Adds a parameter; what is empty is not sent, unless the body must have it.
    pub fn set(&mut self, place: Place, name: &'static str, value: Value) {
        let text = match &value {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            Value::Array(texts) => texts.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(","),
            other => other.to_string(),
        };
        match place {
            Place::Path => self.path = self.path.replace(&format!("{{{}}}", name), &escaped(&text)),
            Place::Query | Place::Header | Place::Body if text.is_empty() => {}
            Place::Query => self.query.push((name.to_owned(), text)),
            Place::Header => self.headers.push((name, text)),
            Place::Body | Place::RequiredBody => {
                self.body.insert(name.to_owned(), value);
            }
        }
    }

    pub fn set_query(&mut self, name: &str, value: String) {
        self.query.retain(|(known, _)| known != name);
        self.query.push((name.to_owned(), value));
    }

    /// Names the endpoint for limits.
    fn name(&self) -> String {
        format!("{} {}", self.method, self.endpoint)
    }

    pub fn read<T: DeserializeOwned>(&self, text: &[u8]) -> Result<T, Error> {
        if text.len() > BODY_LIMIT {
            return Err(Error::unreadable(format!("the answer to {} is larger than 8 MB", self.endpoint)));
        }
        serde_json::from_slice(text).map_err(|error| {
            let message = format!("the answer to {} is not what it should be ({})", self.endpoint, error);
            Error::unreadable(message).caused_by(error)
        })
    }
}

fn escaped(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
    text.bytes().map(|byte| if plain(byte) { (byte as char).to_string() } else { format!("%{:02X}", byte) }).collect()
}

/// Address, key and policy of a client.
pub(crate) struct Core {
    pub base: String,
    pub user_agent: String,
    key: String,
    retries: u32,
    pub sleeper: Option<Sleeper>,
    random: Mutex<u64>,
    pace: Pace,
    /// None where no proof is asked for.
    pub prover: Option<Prover>,
}

type Sleeper = Arc<dyn Fn(Duration) + Send + Sync>;

/// Settings of a client: `Client::builder(url, key).retries(0).build()`.
#[must_use]
#[derive(Clone)]
pub struct Builder {
    base_url: String,
    key: String,
    trusted: bool,
    retries: u32,
    user_agent: String,
    seed: Option<u64>,
    sleeper: Option<Sleeper>,
}

impl Builder {
    pub(crate) fn new(base_url: &str, key: &str) -> Self {
        Builder {
            base_url: base_url.to_owned(),
            key: key.to_owned(),
            trusted: false,
            retries: RETRIES,
            user_agent: concat!("barograph-rust/", env!("CARGO_PKG_VERSION")).to_owned(),
            seed: None,
            sleeper: None,
        }
    }

    /// Sends the key over plain http without the proof that the program there knows it. For services that have no such
    /// proof, where no other program of this computer can take their port.
    pub fn trusted(mut self) -> Self {
        self.trusted = true;
        self
    }

    /// How often a GET is tried again after a failure that passes: a broken connection, 429 with a Retry-After of at
    /// most 2 s, 502, 503, 504. 2 where it is not set. Nothing else is sent twice.
    pub fn retries(mut self, times: u32) -> Self {
        self.retries = times;
        self
    }

    /// The name of your program, "desk/1.4", in front of the client's own.
    pub fn user_agent(mut self, product: &str) -> Self {
        self.user_agent = format!("{} {}", product, self.user_agent);
        self
    }

    /// The seed of the jitter of retries and reconnections, for runs that can be repeated.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = Some(seed);
        self
    }

    /// Called instead of sleeping, for runs that can be repeated.
    pub fn sleeper(mut self, sleep: impl Fn(Duration) + Send + Sync + 'static) -> Self {
        self.sleeper = Some(Arc::new(sleep));
        self
    }

    pub(crate) fn core(self) -> Result<Core, Error> {
        let refuse = |message: String| Err(Error::new(Kind::NotSent, message + "; nothing was sent"));
        let base = match Url::parse(&self.base_url) {
            Ok(url) if matches!(url.scheme(), "http" | "https") && url.host().is_some() => url,
            _ => return refuse(format!("{:?} is not a web address; it must begin with https://", self.base_url)),
        };
        if !base.username().is_empty() || base.password().is_some() {
            return refuse("the address contains a password; remove it".to_owned());
        }
        let is_loopback = match base.host() {
            Some(Host::Domain(name)) => name == "localhost",
            Some(Host::Ipv4(address)) => address.is_loopback(),
            Some(Host::Ipv6(address)) => address.is_loopback(),
            None => false,
        };
        if base.scheme() == "http" && !is_loopback {
            return refuse(format!("{} is not this computer, and http would show the key; use https://", base));
        }
        if self.key.len() > 512 || !self.key.bytes().all(|byte| byte.is_ascii_graphic()) {
            return refuse("the key contains blanks or signs that no key has; copy it again".to_owned());
        }
        let (is_plain, origin) = (base.scheme() == "http", base.origin().ascii_serialization());
        let base = format!("{}{}", origin, base.path().trim_end_matches('/'));
        let is_proven = is_plain && !self.key.is_empty() && !self.trusted;
        let seed = self.seed.unwrap_or_else(|| RandomState::new().build_hasher().finish());
        Ok(Core {
            prover: is_proven.then(|| Prover::new(&base, origin, &self.key)),
            base,
            key: self.key,
            user_agent: self.user_agent,
            retries: self.retries,
            sleeper: self.sleeper,
            random: Mutex::new(seed),
            pace: Pace::default(),
        })
    }
}

impl Core {
    pub fn headers<'r>(&'r self, request: &'r Request) -> impl Iterator<Item = (&'static str, &'r str)> {
        let accept = Some(("accept", "application/json"));
        let key = (!self.key.is_empty()).then_some(("x-api-key", self.key.as_str()));
        let own = request.headers.iter().map(|(name, value)| (*name, value.as_str()));
        let is_given = request.headers.iter().any(|(name, _)| *name == "accept");
        accept.filter(move |_| !is_given).into_iter().chain(key).chain(own)
    }

    /// The wait for a place, or an error where it is too long.
    pub fn take(&self, request: &Request) -> Result<Duration, Error> {
        self.pace.take(&request.name(), Instant::now())
    }

    pub fn answered(&self, request: &Request, status: u16, limits: Limits<'_>) {
        self.pace.answered(&request.name(), status, limits, Instant::now());
    }

    /// The wait until a call is made again, or the error where it is not.
    pub fn wait_for_retry(&self, request: &Request, attempt: u32, error: Error) -> Result<Duration, Error> {
        // Without a status the client held the call back itself.
        let is_refused = error.kind == Kind::RateLimited && error.status.is_some();
        let passes = matches!(error.kind, Kind::Network | Kind::Unavailable) || is_refused;
        let is_long = error.retry_after.map_or(false, |wait| wait > PATIENCE);
        if request.method != "GET" || attempt >= self.retries || !passes || is_long {
            return Err(error);
        }
        Ok(self.backoff(FIRST_BACKOFF, attempt, PATIENCE, &error))
    }

    /// Between a half and all of `first`, doubled with every attempt; never less than Retry-After.
    pub fn backoff(&self, first: Duration, attempt: u32, longest: Duration, error: &Error) -> Duration {
        let whole = (first * (1 << attempt.min(16))).min(longest);
        let wait = whole / 2 + (whole / 2).mul_f64(self.jitter());
        wait.max(error.retry_after.unwrap_or_default())
    }

    /// From 0 to 1, by SplitMix64.
    fn jitter(&self) -> f64 {
        let mut state = self.random.lock().unwrap_or_else(|broken| broken.into_inner());
        *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }
}

#[derive(Deserialize)]
pub(crate) struct Page<T> {
    data: Vec<T>,
    has_more: Option<bool>,
    next_cursor: Option<String>,
}

/// A list as far as it was read.
pub(crate) struct Pages<T> {
    pub request: Request,
    rows: std::vec::IntoIter<T>,
    seen: HashSet<String>,
    pub is_last: bool,
}

impl<T> Pages<T> {
    pub fn new(mut request: Request) -> Self {
        request.set_query("limit", "100".to_owned());
        Pages { request, rows: Vec::new().into_iter(), seen: HashSet::new(), is_last: false }
    }

    pub fn row(&mut self) -> Option<T> {
        self.rows.next()
    }

    pub fn turn(&mut self, page: Page<T>) -> Result<(), Error> {
        match page.next_cursor {
            Some(cursor) if !cursor.is_empty() && page.has_more != Some(false) => {
                if !self.seen.insert(cursor.clone()) || self.seen.len() > MAX_PAGES {
                    return Err(Error::unreadable(format!("{} does not end", self.request.endpoint)));
                }
                self.request.set_query("after", cursor);
            }
            _ => self.is_last = true,
        }
        self.rows = page.data.into_iter();
        Ok(())
    }
}
