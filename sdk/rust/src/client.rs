//! One request: the address is checked, the key travels in a header and nowhere else, errors are typed.
use crate::error::{Error, Kind};
use crate::pace::{Limits, Pace};
use crate::proof::Prover;
use serde::de::DeserializeOwned;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::HashSet;
use std::io::Read;
use std::time::{Duration, Instant};
use url::{Host, Url};

const CALL_TIMEOUT: Duration = Duration::from_secs(10);
const BODY_LIMIT: u64 = 8 << 20;
const MAX_PAGES: usize = 1000;

/// Calls the service. It may be shared between threads.
pub struct Client {
    base: String,
    key: String,
    agent: ureq::Agent,
    pace: Pace,
    /// None where no proof is asked for.
    prover: Option<Prover>,
}

pub(crate) enum Place {
    Path,
    Query,
    #[allow(dead_code)]
    Header,
    Body,
}

/// What a generated call sends.
#[derive(Clone)]
pub(crate) struct Request {
    method: &'static str,
    endpoint: &'static str,
    path: String,
    query: Vec<(String, String)>,
    headers: Vec<(&'static str, String)>,
    body: Map<String, Value>,
}

impl Request {
    pub fn new(method: &'static str, path: &'static str) -> Self {
        let (query, headers, body) = (Vec::new(), Vec::new(), Map::new());
        Request { method, endpoint: path, path: path.to_owned(), query, headers, body }
    }

    /// Adds a parameter; what is empty is not sent.
    pub fn with(mut self, place: Place, name: &'static str, value: Value) -> Self {
        let text = match &value {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            Value::Array(texts) => texts.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(","),
            other => other.to_string(),
        };
        match place {
            Place::Path => self.path = self.path.replace(&format!("{{{}}}", name), &escaped(&text)),
            _ if text.is_empty() => {}
            Place::Query => self.query.push((name.to_owned(), text)),
            Place::Header => self.headers.push((name, text)),
            Place::Body => {
                self.body.insert(name.to_owned(), value);
            }
        }
        self
    }

    fn set_query(&mut self, name: &str, value: String) {
        self.query.retain(|(known, _)| known != name);
        self.query.push((name.to_owned(), value));
    }
}

fn escaped(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
    text.bytes().map(|byte| if plain(byte) { (byte as char).to_string() } else { format!("%{:02X}", byte) }).collect()
}

impl Client {
    /// Sends nothing yet. The key may be "" for what needs none.
    pub fn new(base_url: &str, key: &str) -> Result<Client, Error> {
        let refuse = |message: String| Err(Error::new(Kind::NotSent, message + "; nothing was sent"));
        let base = match Url::parse(base_url) {
            Ok(url) if matches!(url.scheme(), "http" | "https") && url.host().is_some() => url,
            _ => return refuse(format!("{:?} is not a web address; it must begin with https://", base_url)),
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
        if key.len() > 512 || !key.bytes().all(|byte| byte.is_ascii_graphic()) {
            return refuse("the key contains blanks or signs that no key has; copy it again".to_owned());
        }
        let agent = ureq::AgentBuilder::new().redirects(0).timeout(CALL_TIMEOUT).build();
        let (is_plain, origin) = (base.scheme() == "http", base.origin().ascii_serialization());
        let base = format!("{}{}", origin, base.path().trim_end_matches('/'));
        let prover = (is_plain && !key.is_empty()).then(|| Prover::new(&base, origin, key));
        Ok(Client { base, key: key.to_owned(), agent, pace: Pace::default(), prover })
    }

    /// The answer of success, its body unread.
    pub(crate) fn open(&self, agent: &ureq::Agent, request: &Request) -> Result<ureq::Response, Error> {
        let mut sent = agent.request(request.method, &format!("{}{}", self.base, request.path));
        for (name, value) in &request.query {
            sent = sent.query(name, value);
        }
        sent = sent.set("accept", "application/json");
        for (name, value) in &request.headers {
            sent = sent.set(name, value);
        }
        if !self.key.is_empty() {
            sent = sent.set("x-api-key", &self.key);
        }
        let endpoint = format!("{} {}", request.method, request.endpoint);
        std::thread::sleep(self.pace.take(&endpoint, Instant::now())?);
        if let Some(prover) = &self.prover {
            prover.prove(agent)?;
        }
        let answer = if request.body.is_empty() {
            sent.call()
        } else {
            let text = Value::Object(request.body.clone()).to_string();
            sent.set("content-type", "application/json").send_string(&text)
        };
        let answer = match answer {
            Ok(answer) | Err(ureq::Error::Status(_, answer)) => answer,
            Err(ureq::Error::Transport(broken)) => return Err(self.broken(&broken)),
        };
        let status = answer.status();
        let retry_after = answer.header("retry-after").map(str::to_owned);
        let limits = Limits {
            left: answer.header("ratelimit"),
            policy: answer.header("ratelimit-policy"),
            retry_after: retry_after.as_deref(),
        };
        self.pace.answered(&endpoint, status, limits, Instant::now());
        if (200..300).contains(&status) {
            return Ok(answer);
        }
        let mut said = Vec::new();
        let _ = answer.into_reader().take(2048).read_to_end(&mut said);
        Err(Error::of_answer(status, retry_after.as_deref(), &String::from_utf8_lossy(&said)))
    }

    fn broken(&self, broken: &(dyn std::error::Error + 'static)) -> Error {
        Error::of_transport(&self.base, broken)
    }

    /// Sends the key over plain http without the proof that the program there knows it. For services that have no such
    /// proof, where no other program of this computer can take their port.
    pub fn trusted(mut self) -> Client {
        self.prover = None;
        self
    }

    /// A call that answers one record.
    pub(crate) fn one<T: DeserializeOwned>(&self, request: Request) -> Result<T, Error> {
        let answer = self.open(&self.agent, &request)?;
        let mut text = Vec::new();
        answer.into_reader().take(BODY_LIMIT + 1).read_to_end(&mut text).map_err(|error| self.broken(&error))?;
        if text.len() as u64 > BODY_LIMIT {
            return Err(Error::unreadable(format!("the answer to {} is larger than 8 MB", request.endpoint)));
        }
        serde_json::from_slice(&text).map_err(|error| {
            Error::unreadable(format!("the answer to {} is not what it should be ({})", request.endpoint, error))
        })
    }

    pub(crate) fn rows<T: DeserializeOwned>(&self, mut request: Request) -> Rows<'_, T> {
        request.set_query("limit", "100".to_owned());
        Rows { client: self, request, page: Vec::new().into_iter(), seen: HashSet::new(), is_last: false }
    }
}

/// A list, fetched page after page. It ends after an error.
pub struct Rows<'a, T> {
    client: &'a Client,
    request: Request,
    page: std::vec::IntoIter<T>,
    seen: HashSet<String>,
    is_last: bool,
}

#[derive(Deserialize)]
struct Page<T> {
    data: Vec<T>,
    has_more: Option<bool>,
    next_cursor: Option<String>,
}

impl<T: DeserializeOwned> Rows<'_, T> {
    /// Rows that one request brings, 1 to 100.
    pub fn page_size(mut self, rows: u32) -> Self {
        self.request.set_query("limit", rows.to_string());
        self
    }

    fn fetch(&mut self) -> Result<(), Error> {
        let page: Page<T> = self.client.one(self.request.clone())?;
        match page.next_cursor {
            Some(cursor) if !cursor.is_empty() && page.has_more != Some(false) => {
                if !self.seen.insert(cursor.clone()) || self.seen.len() > MAX_PAGES {
                    return Err(Error::unreadable(format!("{} does not end", self.request.endpoint)));
                }
                self.request.set_query("after", cursor);
            }
            _ => self.is_last = true,
        }
        self.page = page.data.into_iter();
        Ok(())
    }
}

impl<T: DeserializeOwned> Iterator for Rows<'_, T> {
    type Item = Result<T, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(row) = self.page.next() {
                return Some(Ok(row));
            }
            if self.is_last {
                return None;
            }
            if let Err(error) = self.fetch() {
                self.is_last = true;
                return Some(Err(error));
            }
        }
    }
}
