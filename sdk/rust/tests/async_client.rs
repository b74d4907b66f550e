//! The client for tokio against a server that answers as it is told.
mod common;

use barograph_client::*;
use common::{answer, serve, service, KEY};
use std::sync::{Arc, Mutex};

fn symbol(name: &str) -> SignalParams {
    SignalParams { symbol: name.to_owned() }
}

fn client(url: &str) -> AsyncClient {
    AsyncClient::builder(url, "").sleeper(|_| ()).build_async().unwrap()
}

/// A future of a client may move between threads.
fn sendable<T: Send>(value: T) -> T {
    value
}

#[tokio::test]
async fn calls_errors_and_retries_are_those_of_the_blocking_client() {
    let found = answer("404 Not Found", "", r#"{"code": "symbol_not_covered"}"#);
    let (url, heads) = serve(vec![
        answer("503 Busy", "", ""),
        answer("200 OK", "", r#"{"symbol": "SPY", "state": 2}"#),
        found,
        answer("503 Busy", "", ""),
    ]);
    let client = client(&url);
    let signal = sendable(client.signal(&symbol("SPY"))).await.unwrap();
    assert_eq!((signal.symbol.as_str(), signal.state), ("SPY", State::HighRisk));
    assert_eq!(client.signal(&symbol("NOPE")).await.unwrap_err().kind, Kind::NotCovered);
    let refused = client.set_hard_cap(&SetHardCapParams { hard_cap: true }).await.unwrap_err();
    assert_eq!(refused.kind, Kind::Unavailable);
    let heads: Vec<String> = heads.try_iter().collect();
    assert_eq!(heads.len(), 4);
    assert!(heads[0].contains("user-agent: barograph-rust/"), "{}", heads[0]);
}

#[tokio::test]
async fn a_list_is_fetched_page_after_page() {
    let page = |symbol, cursor| {
        answer("200 OK", "", &format!(r#"{{"data": [{{"symbol": "{}"}}], "next_cursor": {}}}"#, symbol, cursor))
    };
    let (url, _heads) = serve(vec![page("A", r#""c""#), page("B", "null")]);
    let mut rows = client(&url).alerts(&Default::default());
    let mut symbols = Vec::new();
    while let Some(row) = rows.next().await {
        symbols.push(row.unwrap().symbol);
    }
    assert_eq!(symbols, ["A", "B"]);
}

#[tokio::test]
async fn the_stream_goes_on_behind_the_last_event() {
    let stream = |id| {
        format!("HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n: hello\r\n\r\ndata: {{\"event_id\": \"{}\", \"event\": \"x\"}}\n\nid: last\n\ndata: cut", id)
    };
    let (url, heads) = serve(vec![stream("e1"), stream("e2"), answer("401 Unauthorized", "", "")]);
    let problems = Arc::new(Mutex::new(Vec::new()));
    let noted = problems.clone();
    let on_problem = move |error: &Error| noted.lock().unwrap().push(error.kind);
    let mut events = client(&url).events(EventsParams { on_problem: Some(Box::new(on_problem)), ..Default::default() });
    assert_eq!(sendable(events.next()).await.unwrap().unwrap().event_id, "e1");
    assert_eq!(events.next().await.unwrap().unwrap().event_id, "e2");
    assert_eq!(events.next().await.unwrap().unwrap_err().kind, Kind::Unauthorized);
    assert!(events.next().await.is_none());
    assert_eq!(*problems.lock().unwrap(), [Kind::Network, Kind::Network]);
    assert!(!heads.recv().unwrap().contains("last-event-id"));
    assert!(heads.recv().unwrap().contains("last-event-id: last"));
}

#[tokio::test]
async fn the_key_follows_a_proof_and_nothing_else_is_sent_without_one() {
    let (url, seen) = service(KEY, None);
    assert_eq!(AsyncClient::new(&url, KEY).unwrap().signal(&symbol("SPY")).await.unwrap().symbol, "SPY");
    assert_eq!(seen.try_iter().collect::<Vec<_>>(), ["/v1/proof none".to_owned(), format!("/v1/signal {}", KEY)]);
    let (url, seen) = service("another", None);
    let error = AsyncClient::new(&url, KEY).unwrap().signal(&symbol("SPY")).await.unwrap_err();
    assert_eq!(error.kind, Kind::Unproven);
    assert_eq!(seen.try_iter().collect::<Vec<_>>(), ["/v1/proof none"]);
}
