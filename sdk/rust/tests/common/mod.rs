//! Servers that answer as they are told.
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::sync::mpsc::{channel, Receiver};

/// Answers one request after another, and closes each connection. Gives the head of every request.
pub fn serve(answers: Vec<String>) -> (String, Receiver<String>) {
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

pub fn answer(status: &str, headers: &str, body: &str) -> String {
    format!("HTTP/1.1 {}\r\n{}connection: close\r\ncontent-length: {}\r\n\r\n{}", status, headers, body.len(), body)
}

pub const KEY: &str = "svc_test_aaaaaaaaaaaaaaaaaaaa";

/// Keeps its connections; proves that it knows `knows`, for `origin` (None: the one that is asked). Notes path and key of
/// every request.
pub fn service(knows: &'static str, origin: Option<&'static str>) -> (String, Receiver<String>) {
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
            let body = if path.starts_with("/v1/proof") {
                proof(knows, &path, origin)
            } else {
                r#"{"symbol": "SPY"}"#.to_owned()
            };
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
