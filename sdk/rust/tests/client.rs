//! The client against a server that answers as it is told.
use barograph_client::*;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::sync::mpsc::{channel, Receiver};
use std::time::Duration;

/// Answers one request after another, and closes each connection. Gives the head of every request.
fn serve(answers: Vec<String>) -> (String, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1/", listener.local_addr().unwrap());
    let (sender, heads) = channel();
    std::thread::spawn(move || {
        for answer in answers {
            let (mut socket, _) = listener.accept().unwrap();
            let lines = BufReader::new(socket.try_clone().unwrap()).lines().map_while(Result::ok);
            let head: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
            let _ = sender.send(head.join("\n").to_lowercase());
            let _ = socket.write_all(answer.as_bytes());
        }
    });
    (url, heads)
}

fn answer(status: &str, headers: &str, body: &str) -> String {
    format!("HTTP/1.1 {}\r\n{}connection: close\r\ncontent-length: {}\r\n\r\n{}", status, headers, body.len(), body)
}

fn symbol(name: &str) -> SignalParams {
    SignalParams { symbol: name.to_owned() }
}

#[test]
fn the_key_travels_in_a_header_and_parameters_in_the_address() {
    let (url, heads) = serve(vec![answer("200 OK", "", r#"{"symbol": "A/B", "new": 1}"#)]);
    let client = Client::new(&url, "secret").unwrap().trusted();
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
    let page = |symbol, cursor| answer("200 OK", "", &format!(r#"{{"data": [{{"symbol": "{}"}}], "next_cursor": {}}}"#, symbol, cursor));
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
    let client = Client::new(&url, "").unwrap();
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
    let (url, _heads) = serve(vec![answer("200 OK", "", r#"{"powers": {"risk premium": 0.5}, "dimensions": [{"code": "D-01"}]}"#)]);
    let read = Client::new(&url, "").unwrap().archetypes(&Default::default()).unwrap();
    assert_eq!((read.powers.risk_premium, read.dimensions[0].code.as_str()), (Some(0.5), "D-01"));
}

const KEY: &str = "svc_test_aaaaaaaaaaaaaaaaaaaa";

/// Keeps its connections; proves that it knows `knows`, for `origin` (None: the one that is asked). Notes path and key of
/// every request.
fn service(knows: &'static str, origin: Option<&'static str>) -> (String, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1/", listener.local_addr().unwrap());
    let (sender, seen) = channel();
    std::thread::spawn(move || loop {
        let (mut socket, _) = listener.accept().unwrap();
        let mut lines = BufReader::new(socket.try_clone().unwrap()).lines().map_while(Result::ok);
        loop {
            let head: Vec<String> = lines.by_ref().take_while(|line| !line.is_empty()).collect();
            let path = head.first().and_then(|line| line.split(' ').nth(1)).unwrap_or_default().to_owned();
            if path.is_empty() {
                break;
            }
            let key = head.iter().find_map(|line| line.strip_prefix("x-api-key: ")).unwrap_or("none");
            let _ = sender.send(format!("{} {}", path.split('?').next().unwrap_or_default(), key));
            let body = if path.starts_with("/v1/proof") { proof(knows, &path, origin) } else { r#"{"symbol": "SPY"}"#.to_owned() };
            let _ = write!(socket, "HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{}", body.len(), body);
        }
    });
    (url, seen)
}

fn proof(key: &str, path: &str, origin: Option<&str>) -> String {
    use hmac::{Hmac, Mac};
    use sha2::{Digest, Sha256};
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{:02x}", byte)).collect::<String>();
    let url = url::Url::parse(&format!("http://x{}", path)).unwrap();
    let asked = |name: &str| url.query_pairs().find(|(one, _)| one == name).unwrap().1.into_owned();
    let signed = origin.map(str::to_owned).unwrap_or_else(|| asked("origin"));
    let text = format!("barograph service proof 1\n{}\n{}\n{}", signed, asked("key"), asked("nonce"));
    let mut mac = Hmac::<Sha256>::new_from_slice(hex(&Sha256::digest(key)).as_bytes()).unwrap();
    mac.update(text.as_bytes());
    format!(r#"{{"proof": "{}"}}"#, hex(&mac.finalize().into_bytes()))
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
    for (status, kind) in [("404 Not Found", Kind::Unproven), ("200 OK", Kind::Unproven), ("503 Busy", Kind::Unavailable)] {
        let (url, heads) = serve(vec![answer(status, "retry-after: 3\r\n", r#"{"proof": 7}"#)]);
        let error = Client::new(&url, KEY).unwrap().signal(&symbol("SPY")).unwrap_err();
        assert_eq!(error.kind, kind, "{}", status);
        assert!(!heads.recv().unwrap().contains("x-api-key"));
    }
}

#[test]
fn a_trusted_service_is_asked_for_no_proof() {
    let (url, seen) = service("another", None);
    Client::new(&url, KEY).unwrap().trusted().signal(&symbol("SPY")).unwrap();
    Client::new(&url, "").unwrap().signal(&symbol("SPY")).unwrap();
    assert_eq!(seen.try_iter().collect::<Vec<_>>(), [format!("/v1/signal {}", KEY), "/v1/signal none".to_owned()]);
}
