//! The blocking client, on ureq.
use crate::error::Error;
use crate::pace::Limits;
use crate::proof::Prover;
use crate::request::{Builder, Core, Page, Pages, Request, BODY_LIMIT, CALL_TIMEOUT, ERROR_LIMIT};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::fmt;
use std::io::Read;
use std::sync::Arc;
use std::time::Duration;

/// Calls the service, and blocks. It may be shared between threads; a clone has the same connections and limits.
#[derive(Clone)]
pub struct Client {
    pub(crate) core: Arc<Core>,
    agent: ureq::Agent,
}

impl fmt::Debug for Client {
    /// Without the key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("base", &self.core.base).finish_non_exhaustive()
    }
}

impl Builder {
    /// The blocking client. It sends nothing yet.
    pub fn build(self) -> Result<Client, Error> {
        let core = self.core()?;
        let agent = agent_of(&core).timeout(CALL_TIMEOUT).build();
        Ok(Client { core: Arc::new(core), agent })
    }
}

fn agent_of(core: &Core) -> ureq::AgentBuilder {
    ureq::AgentBuilder::new().redirects(0).user_agent(&core.user_agent)
}

impl Client {
    /// Sends nothing yet. The key may be "" for what needs none.
    pub fn new(base_url: &str, key: &str) -> Result<Client, Error> {
        Client::builder(base_url, key).build()
    }

    /// For other settings than the usual ones.
    pub fn builder(base_url: &str, key: &str) -> Builder {
        Builder::new(base_url, key)
    }

    pub(crate) fn stream_agent(&self, silence: Duration) -> ureq::Agent {
        agent_of(&self.core).timeout_connect(silence).timeout_read(silence).build()
    }

    pub(crate) fn sleep(&self, wait: Duration) {
        match &self.core.sleeper {
            Some(sleep) => sleep(wait),
            None => std::thread::sleep(wait),
        }
    }

    /// The answer of success, its body unread.
    pub(crate) fn open(&self, agent: &ureq::Agent, request: &Request) -> Result<ureq::Response, Error> {
        let core = &self.core;
        let mut sent = agent.request(request.method, &format!("{}{}", core.base, request.path));
        for (name, value) in &request.query {
            sent = sent.query(name, value);
        }
        for (name, value) in core.headers(request) {
            sent = sent.set(name, value);
        }
        self.sleep(core.take(request)?);
        if let Some(prover) = &core.prover {
            self.prove(agent, prover)?;
        }
        let answer = if request.body.is_empty() {
            sent.call()
        } else {
            let text = Value::Object(request.body.clone()).to_string();
            sent.set("content-type", "application/json").send_string(&text)
        };
        let answer = match answer {
            Ok(answer) | Err(ureq::Error::Status(_, answer)) => answer,
            Err(ureq::Error::Transport(broken)) => return Err(Error::of_transport(&core.base, broken)),
        };
        let status = answer.status();
        let retry_after = answer.header("retry-after").map(str::to_owned);
        let limits = Limits {
            left: answer.header("ratelimit"),
            policy: answer.header("ratelimit-policy"),
            retry_after: retry_after.as_deref(),
        };
        core.answered(request, status, limits);
        if (200..300).contains(&status) {
            return Ok(answer);
        }
        let said = read(answer, ERROR_LIMIT).unwrap_or_default();
        Err(Error::of_answer(status, retry_after.as_deref(), &said))
    }

    /// Asks before every request, by the agent that sends it: the request takes the connection of the proof, while that lasts.
    fn prove(&self, agent: &ureq::Agent, prover: &Prover) -> Result<(), Error> {
        let question = prover.question()?;
        let mut asked = agent.get(&question.url).timeout(question.limit).set("accept", "application/json");
        for (name, value) in &question.query {
            asked = asked.query(name, value);
        }
        let answer = match asked.call() {
            Ok(answer) | Err(ureq::Error::Status(_, answer)) => answer,
            Err(ureq::Error::Transport(broken)) => return Err(Error::of_transport(&self.core.base, broken)),
        };
        let (status, retry_after) = (answer.status(), answer.header("retry-after").map(str::to_owned));
        let said = read(answer, ERROR_LIMIT).map_err(|error| Error::of_transport(&self.core.base, error))?;
        prover.check(&question, status, retry_after.as_deref(), &said)
    }

    /// A call that answers one record.
    pub(crate) fn one<T: DeserializeOwned>(&self, request: Request) -> Result<T, Error> {
        for attempt in 0.. {
            let answer = self.open(&self.agent, &request).and_then(|answer| {
                read(answer, BODY_LIMIT + 1).map_err(|error| Error::of_transport(&self.core.base, error))
            });
            match answer {
                Ok(text) => return request.read(&text),
                Err(error) => self.sleep(self.core.wait_for_retry(&request, attempt, error)?),
            }
        }
        unreachable!("retries end")
    }

    pub(crate) fn rows<T: DeserializeOwned>(&self, request: Request) -> Rows<'_, T> {
        Rows { client: self, pages: Pages::new(request) }
    }
}

fn read(answer: ureq::Response, limit: usize) -> std::io::Result<Vec<u8>> {
    let mut text = Vec::new();
    answer.into_reader().take(limit as u64).read_to_end(&mut text)?;
    Ok(text)
}

/// A list, fetched page after page. It ends after an error.
pub struct Rows<'a, T> {
    client: &'a Client,
    pages: Pages<T>,
}

impl<T: DeserializeOwned> Rows<'_, T> {
    /// Rows that one request brings, 1 to 100.
    #[must_use]
    pub fn page_size(mut self, rows: u32) -> Self {
        self.pages.request.set_query("limit", rows.to_string());
        self
    }
}

impl<T: DeserializeOwned> Iterator for Rows<'_, T> {
    type Item = Result<T, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(row) = self.pages.row() {
                return Some(Ok(row));
            }
            if self.pages.is_last {
                return None;
            }
            let page = self.client.one::<Page<T>>(self.pages.request.clone());
            if let Err(error) = page.and_then(|page| self.pages.turn(page)) {
                self.pages.is_last = true;
                return Some(Err(error));
            }
        }
    }
}
