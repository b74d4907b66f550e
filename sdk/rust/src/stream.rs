//! The event stream, across reconnections: resumed behind the last event, watched for silence.
use crate::error::{Error, Kind};
use crate::models::Event;
use crate::request::{Core, Place, Request};
use serde_json::json;
use std::time::Duration;

/// Three heartbeats of the service.
const SILENCE: Duration = Duration::from_secs(45);
pub(crate) const LONGEST_LINE: usize = 4 << 20;

/// How a connection of the stream began.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Beginning {
    /// From now on.
    Live,
    /// Behind the last event.
    Resumed,
    /// The service no longer keeps the last id. Ask `event_log` for what is missing.
    Lost,
}

type OnProblem<'a> = Box<dyn FnMut(&Error) + Send + 'a>;

/// Parameters of `events`.
#[derive(Default)]
pub struct EventsParams<'a> {
    /// Symbols; all of them where it is empty.
    pub symbols: Vec<String>,
    /// States: normal, elevated, high_risk or 0, 1, 2.
    pub severity: Vec<String>,
    /// Names of regimes.
    pub regime: Vec<String>,
    /// Names of events.
    pub events: Vec<String>,
    /// Event id of the last known event; later ones come first.
    pub after: Option<String>,
    /// Time without a byte, not even a comment, after which a connection counts as dead. None: 45 s.
    pub silence: Option<Duration>,
    /// Called at each connection.
    pub on_connect: Option<Box<dyn FnMut(Beginning) + Send + 'a>>,
    /// Called with the reason why a connection ended and is tried again.
    pub on_problem: Option<OnProblem<'a>>,
}

/// How far a stream was followed; what both clients do alike between reading and waiting.
pub(crate) struct Following<'a> {
    params: EventsParams<'a>,
    pub silence: Duration,
    last: Option<String>,
    id: Option<String>,
    data: Vec<String>,
    attempt: u32,
    pub is_over: bool,
}

impl<'a> Following<'a> {
    pub fn new(mut params: EventsParams<'a>) -> Self {
        let (last, silence) = (params.after.take(), params.silence.unwrap_or(SILENCE));
        Following { params, silence, last, id: None, data: Vec::new(), attempt: 0, is_over: false }
    }

    pub fn request(&self) -> Request {
        let mut request = Request::new("GET", "/stream");
        request.set(Place::Query, "symbols", json!(self.params.symbols));
        request.set(Place::Query, "severity", json!(self.params.severity));
        request.set(Place::Query, "regime", json!(self.params.regime));
        request.set(Place::Query, "events", json!(self.params.events));
        request.set(Place::Header, "accept", json!("text/event-stream"));
        request.set(Place::Header, "last-event-id", json!(self.last));
        request
    }

    pub fn connected(&mut self, resume: Option<&str>) {
        self.attempt = 0;
        self.id = None;
        self.data.clear();
        let beginning = match &self.last {
            None => Beginning::Live,
            Some(_) if resume != Some("unknown-id") => Beginning::Resumed,
            Some(_) => Beginning::Lost,
        };
        if let Some(on_connect) = &mut self.params.on_connect {
            on_connect(beginning);
        }
    }

    /// The event that a line, without its end, completes.
    pub fn read(&mut self, line: &[u8]) -> Option<Event> {
        let line = String::from_utf8_lossy(line);
        let line = line.trim_end_matches('\r');
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value).to_owned();
        match field {
            "" if line.is_empty() => return self.dispatch(),
            "data" => self.data.push(value),
            "id" => self.id = Some(value),
            _ => {}
        }
        None
    }

    fn dispatch(&mut self) -> Option<Event> {
        let (id, data) = (self.id.take(), std::mem::take(&mut self.data));
        let event = serde_json::from_str::<Event>(&data.join("\n")).ok().filter(|event| !event.event_id.is_empty());
        self.last = event.as_ref().map(|event| event.event_id.clone()).or(id).or_else(|| self.last.take());
        if event.is_none() && !data.is_empty() {
            self.report(&Error::unreadable("the stream sent a message that is no event"));
        }
        event
    }

    fn report(&mut self, problem: &Error) {
        if let Some(on_problem) = &mut self.params.on_problem {
            on_problem(problem);
        }
    }

    /// The wait until the next connection, or the error where a retry would not help.
    pub fn broken(&mut self, core: &Core, problem: Error) -> Result<Duration, Error> {
        use Kind::*;
        if matches!(problem.kind, NotSent | BadRequest | Unauthorized | Forbidden | NotFound | NotCovered | Redirected)
        {
            self.is_over = true;
            return Err(problem);
        }
        self.report(&problem);
        self.attempt += 1;
        Ok(core.backoff(Duration::from_secs(1), self.attempt - 1, Duration::from_secs(30), &problem))
    }
}

pub(crate) fn broken_off(why: &str) -> Error {
    Error::new(Kind::Network, format!("the stream broke off ({})", why))
}

#[cfg(feature = "blocking")]
pub use blocking::Events;

#[cfg(feature = "blocking")]
mod blocking {
    use super::*;
    use crate::client::Client;
    use std::io::{BufRead, BufReader, Read};

    impl Client {
        /// Events as they happen: it blocks, so give it a thread of its own. It ends after an error that a retry would
        /// not help.
        pub fn events<'a>(&self, params: EventsParams<'a>) -> Events<'a> {
            let following = Following::new(params);
            let agent = self.stream_agent(following.silence);
            Events { client: self.clone(), following, agent, lines: None }
        }
    }

    type Lines = BufReader<Box<dyn Read + Send + Sync>>;

    /// The event stream. Dropping it closes the connection.
    pub struct Events<'a> {
        client: Client,
        following: Following<'a>,
        agent: ureq::Agent,
        lines: Option<Lines>,
    }

    impl Iterator for Events<'_> {
        type Item = Result<Event, Error>;

        fn next(&mut self) -> Option<Self::Item> {
            while !self.following.is_over {
                let problem = match self.advance() {
                    Ok(event) => return Some(Ok(event)),
                    Err(problem) => problem,
                };
                self.lines = None;
                match self.following.broken(&self.client.core, problem) {
                    Ok(wait) => self.client.sleep(wait),
                    Err(problem) => return Some(Err(problem)),
                }
            }
            None
        }
    }

    impl Events<'_> {
        /// Reads up to the next event, and connects where there is no connection.
        fn advance(&mut self) -> Result<Event, Error> {
            let lines = match &mut self.lines {
                Some(lines) => lines,
                None => {
                    let answer = self.client.open(&self.agent, &self.following.request())?;
                    self.following.connected(answer.header("x-stream-resume"));
                    self.lines.insert(BufReader::new(answer.into_reader()))
                }
            };
            loop {
                let mut line = Vec::new();
                let read = lines.take(LONGEST_LINE as u64).read_until(b'\n', &mut line);
                read.map_err(|error| broken_off(&error.to_string()).caused_by(error))?;
                if line.pop() != Some(b'\n') {
                    return Err(broken_off("it ended"));
                }
                if let Some(event) = self.following.read(&line) {
                    return Ok(event);
                }
            }
        }
    }
}
