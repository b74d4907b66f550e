//! The client against a server that answers as it is told.
mod common;

use barograph_client::*;
use common::{answer, serve, service, KEY};
use std::error::Error as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};
use std::time::Duration;

fn symbol(name: &str) -> SignalParams {
    SignalParams { symbol: name.to_owned() }
}

#[test]
fn the_key_travels_in_a_header_and_parameters_in_the_address() {
    let (url, heads) = serve(vec![answer("200 OK", "", r#"{"symbol": "A/B", "new": 1}"#)]);
    let client = Client::builder(&url, "secret").trusted().build().unwrap();
    let params = RegimeParams { symbol: "A/B".to_owned(), as_of: Some("2026-01-01".to_owned()) };
    assert_eq!(client.regime(&params).unwrap().symbol, "A/B");
    let head = heads.recv().unwrap();
    assert!(head.starts_with("get /v1/regime/a%2fb?as_of=2026-01-01 "), "{}", head);
    assert!(head.contains("\nx-api-key: secret"), "{}", head);
}

#[test]
fn true_and_false_are_sent_as_booleans() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let server = std::thread::spawn(move || [(); 2].map(|_| body_of_one_request(&listener)));
    let client = Client::new(&url, "").unwrap();
    for hard_cap in [true, false] {
        client.set_hard_cap(&SetHardCapParams { hard_cap }).unwrap();
    }
    assert_eq!(server.join().unwrap(), [r#"{"hard_cap":true}"#, r#"{"hard_cap":false}"#]);
}

fn body_of_one_request(listener: &TcpListener) -> String {
    let (mut socket, _) = listener.accept().unwrap();
    let mut reader = BufReader::new(socket.try_clone().unwrap());
    let mut length: usize = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        if line.trim().is_empty() {
            break;
        }
        if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    socket.write_all(answer("200 OK", "", "{}").as_bytes()).unwrap();
    String::from_utf8(body).unwrap()
}

#[test]
fn a_list_is_fetched_page_after_page_and_a_repeated_cursor_is_an_error() {
    let page = |symbol, cursor| {
        answer("200 OK", "", &format!(r#"{{"data": [{{"symbol": "{}"}}], "next_cursor": {}}}"#, symbol, cursor))
    };
    let (url, _heads) = serve(vec![page("A", r#""c""#), page("B", "null"), page("A", r#""c""#), page("A", r#""c""#)]);
    let client = Client::new(&url, "").unwrap();
    let rows: Vec<String> = client.alerts(&Default::default()).map(|row| row.unwrap().symbol).collect();
    assert_eq!(rows, ["A", "B"]);
    let rows: Vec<_> = client.alerts(&Default::default()).collect();
    assert_eq!(rows.len(), 2);
    assert_eq!(rows[1].as_ref().unwrap_err().kind, Kind::Unreadable);
}

#[test]
fn errors_are_typed() {
    for (status, headers, body, kind) in [
        ("404 Not Found", "", r#"{"code": "SYMBOL_NOT_COVERED", "message": "no X"}"#, Kind::NotCovered),
        ("404 Not Found", "", "", Kind::NotFound),
        ("401 Unauthorized", "", "", Kind::Unauthorized),
        ("429 Too Many Requests", "retry-after: 7\r\n", "", Kind::RateLimited),
        ("500 Oh", "", "<html>", Kind::Server),
        ("302 Found", "location: http://127.0.0.1:1/\r\n", "", Kind::Redirected),
        ("200 OK", "", "<html>", Kind::Unreadable),
    ] {
        let (url, _heads) = serve(vec![answer(status, headers, body)]);
        let error = Client::new(&url, "").unwrap().signal(&symbol("X")).unwrap_err();
        assert_eq!((error.kind, error.status), (kind, status[..3].parse().ok()), "{}", status);
        assert_eq!(error.retry_after, (kind == Kind::RateLimited).then(|| Duration::from_secs(7)));
    }
}

#[test]
fn an_address_that_would_show_the_key_is_refused() {
    for (url, key) in [("http://risk.example", "k"), ("ftp://x", ""), ("https://a:b@c", ""), ("https://c", "a\nb")] {
        assert_eq!(Client::new(url, key).err().map(|error| error.kind), Some(Kind::NotSent), "{}", url);
    }
}

#[test]
fn the_stream_goes_on_behind_the_last_event() {
    let stream = |id| {
        let event = format!(r#"{{"event_id": "{}", "event": "x"}}"#, id);
        format!("HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n: hello\r\n\r\ndata: {}\n\nid: last\n\ndata: cut", event)
    };
    let (url, heads) = serve(vec![stream("e1"), stream("e2"), answer("401 Unauthorized", "", "")]);
    let client = Client::builder(&url, "").sleeper(|_| ()).build().unwrap();
    let mut problems = Vec::new();
    let params = EventsParams { on_problem: Some(Box::new(|error| problems.push(error.kind))), ..Default::default() };
    let events: Vec<_> = client.events(params).collect();
    assert_eq!(events.len(), 3);
    assert_eq!(events[1].as_ref().unwrap().event_id, "e2");
    assert_eq!(events[2].as_ref().unwrap_err().kind, Kind::Unauthorized);
    assert_eq!(problems, [Kind::Network, Kind::Network]);
    assert!(!heads.recv().unwrap().contains("last-event-id"));
    assert!(heads.recv().unwrap().contains("last-event-id: last"));
}

#[test]
fn names_with_blanks_find_their_field_and_missing_ones_have_their_default() {
    let (url, _heads) =
        serve(vec![answer("200 OK", "", r#"{"powers": {"risk premium": 0.5}, "dimensions": [{"code": "D-01"}]}"#)]);
    let read = Client::new(&url, "").unwrap().archetypes(&Default::default()).unwrap();
    assert_eq!((read.powers.risk_premium, read.dimensions[0].code.as_str()), (Some(0.5), "D-01"));
}

#[test]
fn the_key_follows_a_proof_on_the_same_connection() {
    let (url, seen) = service(KEY, None);
    let client = Client::new(&url, KEY).unwrap();
    for _ in 0..2 {
        assert_eq!(client.signal(&symbol("SPY")).unwrap().symbol, "SPY");
    }
    let expected = ["/v1/proof none".to_owned(), format!("/v1/signal {}", KEY)];
    assert_eq!(seen.try_iter().collect::<Vec<_>>(), [expected.clone(), expected].concat());
}

#[test]
fn without_a_proof_nothing_else_is_sent() {
    for (knows, origin) in [("another", None), (KEY, Some("http://127.0.0.1:1"))] {
        let (url, seen) = service(knows, origin);
        let error = Client::new(&url, KEY).unwrap().signal(&symbol("SPY")).unwrap_err();
        assert_eq!((error.kind, error.status), (Kind::Unproven, None));
        assert_eq!(seen.try_iter().collect::<Vec<_>>(), ["/v1/proof none"]);
    }
    for (status, kind) in
        [("404 Not Found", Kind::Unproven), ("200 OK", Kind::Unproven), ("503 Busy", Kind::Unavailable)]
    {
        let (url, heads) = serve(vec![answer(status, "retry-after: 3\r\n", r#"{"proof": 7}"#)]);
        let error = Client::new(&url, KEY).unwrap().signal(&symbol("SPY")).unwrap_err();
        assert_eq!(error.kind, kind, "{}", status);
        assert!(!heads.recv().unwrap().contains("x-api-key"));
    }
}

#[test]
fn a_trusted_service_is_asked_for_no_proof() {
    let (url, seen) = service("another", None);
    Client::builder(&url, KEY).trusted().build().unwrap().signal(&symbol("SPY")).unwrap();
    Client::new(&url, "").unwrap().signal(&symbol("SPY")).unwrap();
    assert_eq!(seen.try_iter().collect::<Vec<_>>(), [format!("/v1/signal {}", KEY), "/v1/signal none".to_owned()]);
}

/// How many requests a call sent, and its waits.
fn calls(answers: &[String], retries: u32, call: impl Fn(&Client) -> Option<Error>) -> (usize, Vec<Duration>) {
    let (url, heads) = serve(answers.to_vec());
    let waits = Arc::new(Mutex::new(Vec::new()));
    let noted = waits.clone();
    let builder = Client::builder(&url, "").seed(1).retries(retries);
    let client = builder.sleeper(move |wait| noted.lock().unwrap().push(wait)).build().unwrap();
    let _ = call(&client);
    let waits = waits.lock().unwrap().iter().copied().filter(|wait| !wait.is_zero()).collect();
    (heads.try_iter().count(), waits)
}

#[test]
fn only_gets_that_may_pass_are_tried_again() {
    let signal = |client: &Client| client.signal(&symbol("X")).err();
    let busy = answer("503 Busy", "", "");
    let fine = answer("200 OK", "", "{}");
    let (sent, waits) = calls(&[busy.clone(), busy.clone(), fine.clone()], 2, signal);
    assert_eq!((sent, waits.len()), (3, 2));
    assert!(waits.iter().all(|wait| *wait <= Duration::from_secs(2)), "{:?}", waits);
    assert_eq!(calls(&[busy.clone(), busy.clone(), fine], 2, signal).1, waits, "the seed decides the jitter");
    assert_eq!(calls(&[busy.clone(), busy.clone()], 0, signal).0, 1);
    let cut = "HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\n{".to_owned();
    assert_eq!(calls(&[cut, busy.clone(), busy.clone()], 2, signal).0, 3);
    for refusal in
        [answer("429 Slow", "retry-after: 30\r\n", ""), answer("500 Oh", "", ""), answer("401 Unauthorized", "", "")]
    {
        assert_eq!(calls(&[refusal, busy.clone()], 2, signal), (1, Vec::new()));
    }
    let post = |client: &Client| client.set_hard_cap(&SetHardCapParams { hard_cap: true }).err();
    assert_eq!(calls(&[busy.clone(), busy], 2, post), (1, Vec::new()));
}

#[test]
fn a_program_names_itself_and_clones_share_a_client() {
    let (url, heads) = serve(vec![answer("200 OK", "", "{}"), answer("200 OK", "", "{}")]);
    let client = Client::builder(&url, "").user_agent("desk/1.4").build().unwrap();
    let clone = client.clone();
    std::thread::spawn(move || clone.health().unwrap()).join().unwrap();
    client.health().unwrap();
    assert!(heads.recv().unwrap().contains("user-agent: desk/1.4 barograph-rust/"));
    assert!(!format!("{:?}", Client::new(&url, "a-secret").unwrap()).contains("a-secret"));
}

#[test]
fn an_error_has_its_source() {
    let client = Client::builder("http://127.0.0.1:1", "").retries(0).build().unwrap();
    let error = client.health().unwrap_err();
    assert_eq!(error.kind, Kind::Network);
    assert!(error.source().is_some());
}

#[test]
fn new_words_and_bad_times_are_kept() {
    let body = r#"{"symbol": "SPY", "state": 3, "state_name": "extreme", "updated_at": "soon", "since": "2026-03-02T14:30:00.000Z"}"#;
    let (url, _heads) = serve(vec![answer("200 OK", "", body)]);
    let signal = Client::new(&url, "").unwrap().signal(&symbol("SPY")).unwrap();
    assert!(signal.state > State::HighRisk);
    assert_eq!((signal.state.to_string(), signal.state_name.as_str()), ("state 3".to_owned(), "extreme"));
    assert_eq!(signal.data_health, None);
    assert_eq!((signal.updated_at, signal.since.map(|time| time.timestamp())), (None, Some(1_772_461_800)));
}
