//! The client for tokio, on reqwest.
use crate::error::Error;
use crate::models::Event;
use crate::pace::Limits;
use crate::proof::Prover;
use crate::request::{Builder, Core, Page, Pages, Request, BODY_LIMIT, CALL_TIMEOUT, ERROR_LIMIT};
use crate::stream::{broken_off, EventsParams, Following, LONGEST_LINE};
use futures_util::stream::{unfold, Stream};
use reqwest::{Method, Response};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::VecDeque;
use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// Calls the service without blocking, inside tokio. A clone has the same connections and limits.
#[derive(Clone)]
pub struct AsyncClient {
    core: Arc<Core>,
    http: reqwest::Client,
}

impl fmt::Debug for AsyncClient {
    /// Without the key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AsyncClient").field("base", &self.core.base).finish_non_exhaustive()
    }
}

impl Builder {
    /// The client for tokio. It sends nothing yet.
    pub fn build_async(self) -> Result<AsyncClient, Error> {
        let core = self.core()?;
        let http = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).user_agent(&core.user_agent);
        // A proxy of the environment must not see what goes to this computer over plain http.
        let http = if core.base.starts_with("http:") { http.no_proxy() } else { http };
        let http = http.build().map_err(|error| Error::of_transport(&core.base, error))?;
        Ok(AsyncClient { core: Arc::new(core), http })
    }
}

impl AsyncClient {
    /// Sends nothing yet. The key may be "" for what needs none.
    pub fn new(base_url: &str, key: &str) -> Result<AsyncClient, Error> {
        AsyncClient::builder(base_url, key).build_async()
    }

    /// For other settings than the usual ones.
    pub fn builder(base_url: &str, key: &str) -> Builder {
        Builder::new(base_url, key)
    }

    async fn sleep(&self, wait: Duration) {
        match &self.core.sleeper {
            Some(sleep) => sleep(wait),
            None if wait.is_zero() => {}
            None => tokio::time::sleep(wait).await,
        }
    }

    async fn timed<T>(&self, limit: Duration, step: impl Future<Output = reqwest::Result<T>>) -> Result<T, Error> {
        match timeout(limit, step).await {
            Ok(done) => done.map_err(|error| Error::of_transport(&self.core.base, error)),
            Err(_) => Err(Error::timeout(&self.core.base)),
        }
    }

    /// The answer of success, its body unread.
    async fn open(&self, request: &Request, limit: Duration) -> Result<Response, Error> {
        let core = &self.core;
        let method = Method::from_bytes(request.method.as_bytes()).unwrap_or_default();
        let mut sent = self.http.request(method, format!("{}{}", core.base, request.path)).query(&request.query);
        for (name, value) in core.headers(request) {
            sent = sent.header(name, value);
        }
        if !request.body.is_empty() {
            sent =
                sent.header("content-type", "application/json").body(Value::Object(request.body.clone()).to_string());
        }
        self.sleep(core.take(request)?).await;
        if let Some(prover) = &core.prover {
            self.prove(prover).await?;
        }
        let answer = self.timed(limit, sent.send()).await?;
        let status = answer.status().as_u16();
        let header = |name: &str| answer.headers().get(name).and_then(|value| value.to_str().ok());
        let retry_after = header("retry-after").map(str::to_owned);
        let limits = Limits {
            left: header("ratelimit"),
            policy: header("ratelimit-policy"),
            retry_after: retry_after.as_deref(),
        };
        core.answered(request, status, limits);
        if (200..300).contains(&status) {
            return Ok(answer);
        }
        let said = self.body(answer, ERROR_LIMIT, limit).await.unwrap_or_default();
        Err(Error::of_answer(status, retry_after.as_deref(), &said))
    }

    /// Asks before every request: the request takes the connection of the proof, while that lasts.
    async fn prove(&self, prover: &Prover) -> Result<(), Error> {
        let question = prover.question()?;
        let asked = self.http.get(&question.url).query(&question.query).header("accept", "application/json");
        let answer = self.timed(question.limit, asked.send()).await?;
        let retry_after = answer.headers().get("retry-after").and_then(|value| value.to_str().ok()).map(str::to_owned);
        let status = answer.status().as_u16();
        let said = self.body(answer, ERROR_LIMIT, question.limit).await?;
        prover.check(&question, status, retry_after.as_deref(), &said)
    }

    /// The body, or a little more than its limit.
    async fn body(&self, mut answer: Response, limit: usize, within: Duration) -> Result<Vec<u8>, Error> {
        let mut text = Vec::new();
        while let Some(chunk) = self.timed(within, answer.chunk()).await? {
            text.extend_from_slice(&chunk);
            if text.len() > limit {
                break;
            }
        }
        Ok(text)
    }

    async fn text(&self, request: &Request) -> Result<Vec<u8>, Error> {
        let answer = self.open(request, CALL_TIMEOUT).await?;
        self.body(answer, BODY_LIMIT, CALL_TIMEOUT).await
    }

    /// A call that answers one record.
    pub(crate) async fn one<T: DeserializeOwned>(&self, request: Request) -> Result<T, Error> {
        let mut attempt = 0;
        loop {
            match self.text(&request).await {
                Ok(text) => return request.read(&text),
                Err(error) => self.sleep(self.core.wait_for_retry(&request, attempt, error)?).await,
            }
            attempt += 1;
        }
    }

    pub(crate) fn rows<T: DeserializeOwned>(&self, request: Request) -> AsyncRows<T> {
        AsyncRows { client: self.clone(), pages: Pages::new(request) }
    }

    /// Events as they happen. It ends after an error that a retry would not help.
    pub fn events<'a>(&self, params: EventsParams<'a>) -> AsyncEvents<'a> {
        let (client, following) = (self.clone(), Following::new(params));
        AsyncEvents { client, following, answer: None, rest: Vec::new(), ready: VecDeque::new() }
    }
}

/// A list, fetched page after page. It ends after an error.
pub struct AsyncRows<T> {
    client: AsyncClient,
    pages: Pages<T>,
}

impl<T: DeserializeOwned> AsyncRows<T> {
    /// Rows that one request brings, 1 to 100.
    #[must_use]
    pub fn page_size(mut self, rows: u32) -> Self {
        self.pages.request.set_query("limit", rows.to_string());
        self
    }

    /// The next row; None at the end.
    pub async fn next(&mut self) -> Option<Result<T, Error>> {
        loop {
            if let Some(row) = self.pages.row() {
                return Some(Ok(row));
            }
            if self.pages.is_last {
                return None;
            }
            let page = self.client.one::<Page<T>>(self.pages.request.clone()).await;
            if let Err(error) = page.and_then(|page| self.pages.turn(page)) {
                self.pages.is_last = true;
                return Some(Err(error));
            }
        }
    }

    /// The list as a stream, for combinators.
    pub fn into_stream(self) -> impl Stream<Item = Result<T, Error>> {
        unfold(self, |mut rows| async move { rows.next().await.map(|row| (row, rows)) })
    }
}

/// The event stream. Dropping it closes the connection.
pub struct AsyncEvents<'a> {
    client: AsyncClient,
    following: Following<'a>,
    answer: Option<Response>,
    rest: Vec<u8>,
    ready: VecDeque<Event>,
}

impl<'a> AsyncEvents<'a> {
    /// The next event; None after an error that a retry would not help. A future that is dropped loses nothing.
    pub async fn next(&mut self) -> Option<Result<Event, Error>> {
        while !self.following.is_over {
            if let Some(event) = self.ready.pop_front() {
                return Some(Ok(event));
            }
            if let Err(problem) = self.advance().await {
                self.answer = None;
                match self.following.broken(&self.client.core, problem) {
                    Ok(wait) => self.client.sleep(wait).await,
                    Err(problem) => return Some(Err(problem)),
                }
            }
        }
        None
    }

    /// Events as a stream, for combinators.
    pub fn into_stream(self) -> impl Stream<Item = Result<Event, Error>> + 'a {
        unfold(self, |mut events| async move { events.next().await.map(|event| (event, events)) })
    }

    /// Reads what comes next, and connects where there is no connection.
    async fn advance(&mut self) -> Result<(), Error> {
        let silence = self.following.silence;
        let answer = match &mut self.answer {
            Some(answer) => answer,
            None => {
                let answer = self.client.open(&self.following.request(), silence).await?;
                let resume = answer.headers().get("x-stream-resume").and_then(|value| value.to_str().ok());
                self.following.connected(resume);
                self.rest.clear();
                self.answer.insert(answer)
            }
        };
        let chunk = match timeout(silence, answer.chunk()).await {
            Err(_) => return Err(broken_off("nothing came for too long")),
            Ok(Err(error)) => return Err(broken_off(&error.to_string()).caused_by(error)),
            Ok(Ok(None)) => return Err(broken_off("it ended")),
            Ok(Ok(Some(chunk))) => chunk,
        };
        self.rest.extend_from_slice(&chunk);
        let whole = self.rest.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let lines: Vec<u8> = self.rest.drain(..whole).collect();
        for line in lines.split_inclusive(|byte| *byte == b'\n') {
            self.ready.extend(self.following.read(line.strip_suffix(b"\n").unwrap_or(line)));
        }
        if self.rest.len() > LONGEST_LINE {
            return Err(broken_off("a line is too long"));
        }
        Ok(())
    }
}
