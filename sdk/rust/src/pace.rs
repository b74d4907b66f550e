//! Holds calls back that the service would refuse, by what its limit headers said last.
use crate::error::{seconds, Error, Kind};
use crate::request::PATIENCE;
use std::collections::HashMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

const LONGEST_WINDOW: Duration = Duration::from_secs(120);
/// Names the bucket that all endpoints share.
const PLAN: &str = "";

#[derive(Default)]
pub(crate) struct Pace {
    free_at: Mutex<HashMap<String, Instant>>,
}

/// The headers of an answer that speak of limits.
#[derive(Default, Clone, Copy)]
pub(crate) struct Limits<'a> {
    pub left: Option<&'a str>,
    pub policy: Option<&'a str>,
    pub retry_after: Option<&'a str>,
}

impl Pace {
    /// The wait for a place, or an error where it is too long.
    pub fn take(&self, path: &str, now: Instant) -> Result<Duration, Error> {
        let free_at = self.free_at.lock().unwrap_or_else(|broken| broken.into_inner());
        let until = |name: &str| free_at.get(name).map_or(Duration::ZERO, |at| at.saturating_duration_since(now));
        let wait = until(path).max(until(PLAN));
        if wait <= PATIENCE {
            return Ok(wait);
        }
        let message = format!("the service takes no call to {} for {} s; none was sent", path, wait.as_secs());
        Err(Error { retry_after: Some(wait), ..Error::new(Kind::RateLimited, message) })
    }

    pub fn answered(&self, path: &str, status: u16, limits: Limits<'_>, now: Instant) {
        let left = |item, name| field(limits.left, item, name);
        let policy = |item, name| field(limits.policy, item, name);
        let is_enforced = policy("endpoint", "enforced") != Some(0);
        let wait = match (status, left("endpoint", "r")) {
            (429, _) => seconds(limits.retry_after).unwrap_or_default(),
            (_, Some(0)) if is_enforced => Duration::from_secs(left("endpoint", "t").unwrap_or(0)),
            _ => Duration::ZERO,
        };
        let mut free_at = self.free_at.lock().unwrap_or_else(|broken| broken.into_inner());
        // A longer wait is no minute's: a month says what is left, and refuses nothing by itself.
        if wait <= LONGEST_WINDOW {
            free_at.insert(path.to_owned(), now + wait);
        }
        // The bucket of the plan is filled at the rate of its terms.
        if let (Some(0), Some(window), Some(calls)) = (left("plan", "r"), policy("plan", "w"), policy("plan", "q")) {
            if is_enforced && calls > 0 && window <= LONGEST_WINDOW.as_secs() {
                free_at.insert(PLAN.to_owned(), now + Duration::from_millis(window * 1000 / calls));
            }
        }
    }
}

/// A field of an item: of `"month";r=4;t=60` the r of month is 4.
fn field(header: Option<&str>, item: &str, name: &str) -> Option<u64> {
    let item = format!("\"{}\"", item);
    let found =
        header?.split(',').map(str::trim).find(|one| one.split(';').next().map(str::trim) == Some(item.as_str()))?;
    found.split(';').skip(1).find_map(|pair| pair.trim().strip_prefix(name)?.strip_prefix('=')?.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_waits_for_its_place_or_is_not_sent() {
        let (pace, now) = (Pace::default(), Instant::now());
        let limits = |left| Limits { left: Some(left), ..Limits::default() };
        pace.answered("/a", 200, limits("\"endpoint\";r=1;t=30, \"month\";r=0;t=90000"), now);
        assert_eq!(pace.take("/a", now).unwrap(), Duration::ZERO);
        pace.answered("/a", 200, limits("\"endpoint\";r=0;t=30, \"month\";r=0;t=90000"), now);
        let error = pace.take("/a", now).unwrap_err();
        assert_eq!(
            (error.kind, error.status, error.retry_after),
            (Kind::RateLimited, None, Some(Duration::from_secs(30)))
        );
        assert_eq!(pace.take("/b", now).unwrap(), Duration::ZERO);
        assert_eq!(pace.take("/a", now + Duration::from_secs(29)).unwrap(), Duration::from_secs(1));
        let shown = Limits { policy: Some("\"endpoint\";q=100;w=60;enforced=0"), ..limits("\"endpoint\";r=0;t=30") };
        pace.answered("/a", 200, shown, now);
        assert_eq!(pace.take("/a", now).unwrap(), Duration::ZERO);
        let plan = Limits { policy: Some("\"plan\";q=120;w=60;burst=20"), ..limits("\"plan\";r=0;t=1") };
        pace.answered("/a", 200, plan, now);
        assert_eq!(pace.take("/b", now).unwrap(), Duration::from_millis(500));
    }
}
