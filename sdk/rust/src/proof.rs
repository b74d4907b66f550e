//! Over plain http a request is sent only after the program at the address proved that it knows the key: another one may have
//! taken the port of a service that ended. https has the certificate instead.
use crate::error::{Error, Kind};
use crate::webhook::{hex, is_signed};
use sha2::{Digest, Sha256};
use std::io::Read;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(5);
const BODY_LIMIT: u64 = 2048;

pub(crate) struct Prover {
    base: String,
    origin: String,
    digest: String,
}

fn digits(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{:02x}", byte)).collect()
}

impl Prover {
    pub fn new(base: &str, origin: String, key: &str) -> Self {
        Prover { base: base.to_owned(), origin, digest: digits(&Sha256::digest(key.as_bytes())) }
    }

    /// Asks before every request, by the agent that sends it: the request takes the connection of the proof, while that lasts.
    pub fn prove(&self, agent: &ureq::Agent) -> Result<(), Error> {
        let mut random = [0; 32];
        getrandom::getrandom(&mut random).map_err(|_| Error::new(Kind::NotSent, "there is no randomness"))?;
        let (key_id, nonce) = (format!("key_{}", &self.digest[..12]), digits(&random));
        let asked = agent.get(&format!("{}/proof", self.base)).timeout(LIMIT).set("accept", "application/json");
        let asked = asked.query("key", &key_id).query("nonce", &nonce).query("origin", &self.origin);
        let answer = match asked.call() {
            Ok(answer) | Err(ureq::Error::Status(_, answer)) => answer,
            Err(ureq::Error::Transport(broken)) => return Err(Error::of_transport(&self.base, &broken)),
        };
        let (status, retry_after) = (answer.status(), answer.header("retry-after").map(str::to_owned));
        let mut said = Vec::new();
        let read = answer.into_reader().take(BODY_LIMIT).read_to_end(&mut said);
        read.map_err(|error| Error::of_transport(&self.base, &error))?;
        if status == 429 || status >= 500 {
            return Err(Error::of_answer(status, retry_after.as_deref(), &String::from_utf8_lossy(&said)));
        }
        let fields: serde_json::Value = serde_json::from_slice(&said).unwrap_or_default();
        let given = fields["proof"].as_str().and_then(hex).unwrap_or_default();
        let text = ["barograph service proof 1", &self.origin, &key_id, &nonce].join("\n");
        if status == 200 && is_signed(self.digest.as_bytes(), &[text.as_bytes()], &given) {
            return Ok(());
        }
        let message = format!(
            "the program at {} cannot prove that it knows the key: another one took the address, the key has ended there, or it \
             has no such proof; nothing else was sent",
            self.origin
        );
        Err(Error::new(Kind::Unproven, message))
    }
}
