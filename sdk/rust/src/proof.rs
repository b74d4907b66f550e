//! Over plain http a request is sent only after the program at the address proved that it knows the key: another one may have
//! taken the port of a service that ended. https has the certificate instead.
use crate::error::{Error, Kind};
use crate::webhook::{hex, is_signed};
use sha2::{Digest, Sha256};
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(5);

pub(crate) struct Prover {
    base: String,
    origin: String,
    digest: String,
}

fn digits(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{:02x}", byte)).collect()
}

/// One question for a proof.
pub(crate) struct Question {
    pub url: String,
    pub query: [(&'static str, String); 3],
    pub limit: Duration,
}

impl Prover {
    pub fn new(base: &str, origin: String, key: &str) -> Self {
        Prover { base: base.to_owned(), origin, digest: digits(&Sha256::digest(key.as_bytes())) }
    }

    pub fn question(&self) -> Result<Question, Error> {
        let mut random = [0; 32];
        getrandom::getrandom(&mut random).map_err(|_| Error::new(Kind::NotSent, "there is no randomness"))?;
        let key_id = format!("key_{}", &self.digest[..12]);
        let query = [("key", key_id), ("nonce", digits(&random)), ("origin", self.origin.clone())];
        Ok(Question { url: format!("{}/proof", self.base), query, limit: LIMIT })
    }

    pub fn check(&self, asked: &Question, status: u16, retry_after: Option<&str>, said: &[u8]) -> Result<(), Error> {
        if status == 429 || status >= 500 {
            return Err(Error::of_answer(status, retry_after, said));
        }
        let fields: serde_json::Value = serde_json::from_slice(said).unwrap_or_default();
        let given = fields["proof"].as_str().and_then(hex).unwrap_or_default();
        let [(_, key_id), (_, nonce), _] = &asked.query;
        let text = ["barograph service proof 1", &self.origin, key_id, nonce].join("\n");
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
