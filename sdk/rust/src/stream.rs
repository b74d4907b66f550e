//! The event stream, across reconnections: resumed behind the last event, watched for silence.
use crate::client::{Client, Place, Request};
use crate::error::{Error, Kind};
use crate::models::Event;
use serde_json::json;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::io::{BufRead, BufReader, Read};
use std::time::Duration;

/// Three heartbeats of the service.
const SILENCE: Duration = Duration::from_secs(45);
const LONGEST_LINE: u64 = 4 << 20;

/// How a connection of the stream began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Beginning {
    Live,
    Resumed,
    /// The service no longer keeps the last id. Ask `event_log` for what is missing.
    Lost,
}

/// Parameters of [`Client::events`].
#[derive(Default)]
pub struct EventsParams<'a> {
    pub symbols: Vec<String>,
    pub severity: Vec<String>,
    pub regime: Vec<String>,
    pub events: Vec<String>,
    /// Event id of the last known event; later ones come first.
    pub after: Option<String>,
    /// Time without a byte, not even a comment, after which a connection counts as dead. None: 45 s.
    pub silence: Option<Duration>,
    pub on_connect: Option<Box<dyn FnMut(Beginning) + 'a>>,
    /// Called with the reason why a connection ended and is tried again.
    pub on_problem: Option<Box<dyn FnMut(&Error) + 'a>>,
}

impl Client {
    /// Events as they happen: it blocks, so give it a thread of its own. It ends after an error that a retry would
    /// not help.
    pub fn events<'a>(&'a self, params: EventsParams<'a>) -> Events<'a> {
        let silence = params.silence.unwrap_or(SILENCE);
        let agent = ureq::AgentBuilder::new().redirects(0).timeout_connect(silence).timeout_read(silence).build();
        let last = params.after.clone();
        Events { client: self, params, agent, lines: None, last, attempt: 0, is_over: false }
    }
}

/// The event stream. Dropping it closes the connection.
pub struct Events<'a> {
    client: &'a Client,
    params: EventsParams<'a>,
    agent: ureq::Agent,
    lines: Option<BufReader<Box<dyn Read + Send + Sync>>>,
    last: Option<String>,
    attempt: u32,
    is_over: bool,
}

impl Iterator for Events<'_> {
    type Item = Result<Event, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.is_over {
            let problem = match self.advance() {
                Ok(event) => return Some(Ok(event)),
                Err(problem) => problem,
            };
            self.lines = None;
            use Kind::*;
            if matches!(problem.kind, NotSent | BadRequest | Unauthorized | Forbidden | NotFound | NotCovered | Redirected) {
                self.is_over = true;
                return Some(Err(problem));
            }
            self.report(&problem);
            let backoff = Duration::from_millis(jittered(1000 << self.attempt.min(5)));
            self.attempt += 1;
            std::thread::sleep(backoff.max(problem.retry_after.unwrap_or_default()));
        }
        None
    }
}

/// Between a half and all of it, 30 s at most.
fn jittered(ms: u64) -> u64 {
    let random = RandomState::new().build_hasher().finish();
    let ms = ms.min(30_000);
    ms / 2 + random % (ms / 2)
}

impl Events<'_> {
    fn report(&mut self, problem: &Error) {
        if let Some(on_problem) = &mut self.params.on_problem {
            on_problem(problem);
        }
    }

    fn connect(&mut self) -> Result<BufReader<Box<dyn Read + Send + Sync>>, Error> {
        let request = Request::new("GET", "/stream")
            .with(Place::Query, "symbols", json!(self.params.symbols))
            .with(Place::Query, "severity", json!(self.params.severity))
            .with(Place::Query, "regime", json!(self.params.regime))
            .with(Place::Query, "events", json!(self.params.events))
            .with(Place::Header, "accept", json!("text/event-stream"))
            .with(Place::Header, "last-event-id", json!(self.last));
        let answer = self.client.open(&self.agent, &request)?;
        self.attempt = 0;
        let is_known = answer.header("x-stream-resume") != Some("unknown-id");
        let beginning = match &self.last {
            None => Beginning::Live,
            Some(_) if is_known => Beginning::Resumed,
            Some(_) => Beginning::Lost,
        };
        if let Some(on_connect) = &mut self.params.on_connect {
            on_connect(beginning);
        }
        Ok(BufReader::new(answer.into_reader()))
    }

    /// Reads up to the next event, and connects where there is no connection.
    fn advance(&mut self) -> Result<Event, Error> {
        let mut lines = match self.lines.take() {
            Some(lines) => lines,
            None => self.connect()?,
        };
        let broken = |why: String| Error::new(Kind::Network, format!("the stream broke off ({})", why));
        let (mut id, mut data) = (None, Vec::new());
        loop {
            let mut line = Vec::new();
            let read = (&mut lines).take(LONGEST_LINE).read_until(b'\n', &mut line);
            read.map_err(|error| broken(error.to_string()))?;
            if line.pop() != Some(b'\n') {
                return Err(broken("it ended".to_owned()));
            }
            let line = String::from_utf8_lossy(&line);
            let line = line.trim_end_matches('\r');
            let (field, value) = line.split_once(':').unwrap_or((line, ""));
            let value = value.strip_prefix(' ').unwrap_or(value).to_owned();
            match field {
                "" if line.is_empty() => {
                    if let Some(event) = self.dispatch(id.take(), &std::mem::take(&mut data)) {
                        self.lines = Some(lines);
                        return Ok(event);
                    }
                }
                "data" => data.push(value),
                "id" => id = Some(value),
                _ => {}
            }
        }
    }

    fn dispatch(&mut self, id: Option<String>, data: &[String]) -> Option<Event> {
        let event = serde_json::from_str::<Event>(&data.join("\n")).ok().filter(|event| !event.event_id.is_empty());
        self.last = event.as_ref().map(|event| event.event_id.clone()).or(id).or(self.last.take());
        if event.is_none() && !data.is_empty() {
            self.report(&Error::unreadable("the stream sent a message that is no event"));
        }
        event
    }
}
