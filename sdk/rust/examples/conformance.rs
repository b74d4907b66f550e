//! The conformance run, against a sandbox: everything that is made by hand, used as a stranger would.
//!
//! CONDITIONS in the environment: JSON with url, faults (an address in front of the same service: below /cut/ the first
//! stream breaks after an event, below /silent/ it says nothing, below /relayed/ it is another program), key, secret and deliveries.
use barograph_client::*;
use serde_json::{json, Value};
use std::collections::HashSet;
use std::sync::Mutex;
use std::time::Duration;

const SYMBOL: &str = "SPY";
const SILENCE: Duration = Duration::from_millis(1500);

fn trigger(client: &Client, event: &str) -> Result<String, Error> {
    let params = TriggerParams { event: event.to_owned(), symbol: Some(SYMBOL.to_owned()), ..Default::default() };
    Ok(client.trigger(&params)?.data.pop().expect("an event").event_id)
}

fn name_of(kind: Kind) -> String {
    let mut name = String::new();
    for letter in format!("{:?}", kind).chars() {
        if letter.is_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.push(letter.to_ascii_lowercase());
    }
    name
}

/// Triggers once it is connected, and again when that event is there; ends with the second.
fn listen(client: &Client, url: &str, key: &str) -> Result<Value, Error> {
    let newest = client.alert_transitions(&Default::default()).page_size(1).next().expect("a transition")?.event_id;
    let (beginnings, problems) = (Mutex::new(Vec::new()), Mutex::new(Vec::new()));
    let (triggered, mut ids) = (Mutex::new(Vec::new()), Vec::new());
    // The address in front is none of the service: it cannot prove itself.
    let listener = Client::builder(url, key).trusted().build()?;
    let events = listener.events(EventsParams {
        symbols: vec![SYMBOL.to_owned()],
        after: Some(newest),
        silence: Some(SILENCE),
        on_connect: Some(Box::new(|beginning| {
            beginnings.lock().unwrap().push(format!("{:?}", beginning).to_lowercase());
            if triggered.lock().unwrap().is_empty() {
                triggered.lock().unwrap().push(trigger(client, "signal.high_risk").expect("a trigger"));
            }
        })),
        on_problem: Some(Box::new(|error| problems.lock().unwrap().push(name_of(error.kind)))),
        ..EventsParams::default()
    });
    for event in events {
        let event = event?;
        if !["signal.normal", "signal.elevated", "signal.high_risk"].contains(&event.event.as_str()) {
            continue;
        }
        ids.push(event.event_id.clone());
        if triggered.lock().unwrap().last() != Some(&event.event_id) {
            continue;
        }
        if triggered.lock().unwrap().len() == 2 {
            break;
        }
        let second = trigger(client, "signal.normal")?;
        triggered.lock().unwrap().push(second);
    }
    let once = ids.iter().collect::<HashSet<_>>().len() == ids.len();
    Ok(json!({ "once": once, "beginnings": *beginnings.lock().unwrap(), "problems": *problems.lock().unwrap() }))
}

fn proven(conditions: &Value, name: &str) -> String {
    let delivery = &conditions["deliveries"][name];
    let headers = delivery["headers"].as_object().expect("headers");
    let header = |wanted: &str| {
        let found = headers.iter().find(|(name, _)| name.eq_ignore_ascii_case(wanted));
        found.and_then(|(_, value)| value.as_str())
    };
    let webhook = Webhook::new(conditions["secret"].as_str().unwrap());
    match webhook.verify(delivery["body"].as_str().unwrap().as_bytes(), header) {
        Ok(event) => event.event.to_string(),
        Err(refusal) => refusal.to_string(),
    }
}

fn refused(client: &Client, symbol: &str) -> Value {
    match client.signal(&SignalParams { symbol: symbol.to_owned() }) {
        Ok(_) => Value::Null,
        Err(error) => {
            let waits = error.retry_after.map_or(false, |wait| !wait.is_zero());
            json!({ "kind": name_of(error.kind), "status": error.status, "code": error.code, "waits": waits })
        }
    }
}

/// By the other client.
async fn rows_of_history(url: &str, key: &str) -> Result<usize, Error> {
    let history = HistoryParams { symbol: SYMBOL.to_owned(), ..HistoryParams::default() };
    let mut rows = AsyncClient::new(url, key)?.history(&history).page_size(20);
    let mut count = 0;
    while let Some(row) = rows.next().await {
        row?;
        count += 1;
    }
    Ok(count)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let conditions: Value = serde_json::from_str(&std::env::var("CONDITIONS")?)?;
    let text = |name: &str| conditions[name].as_str().unwrap_or_default().to_owned();
    let (url, faults, key) = (text("url"), text("faults"), text("key"));
    let client = Client::new(&url, &key)?;
    let log = client.event_log().page_size(10).take(25);
    let numbers = log.map(|event| event.map(|event| event.seq)).collect::<Result<Vec<i64>, Error>>()?;
    // First, while the service's bucket is full: a refused stream would be the one that breaks.
    let cut = listen(&client, &format!("{}/cut", faults), &key)?;
    let silent = listen(&client, &format!("{}/silent", faults), &key)?;
    let tokio = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let mut report = json!({
        "snapshot": client.snapshot(&Default::default()).page_size(2).collect::<Result<Vec<_>, _>>()?.len(),
        "history": tokio.block_on(rows_of_history(&url, &key))?,
        "events": { "count": numbers.len(), "withoutHoles": numbers.windows(2).all(|pair| pair[1] == pair[0] + 1) },
        "cut": cut,
        "silent": silent,
        "webhooks": {
            "good": proven(&conditions, "good"),
            "forged": proven(&conditions, "forged"),
            "late": proven(&conditions, "late"),
        },
        "unproven": refused(&Client::new(&format!("{}/relayed", faults), &key)?, SYMBOL)["kind"],
        "unauthorized": refused(&Client::builder(&url, "svc_test_notthekeynotthekey").trusted().build()?, SYMBOL),
        "notCovered": refused(&client, "NOPE"),
    });
    report["heldBack"] = (0..500).map(|_| refused(&client, SYMBOL)).find(|held| !held.is_null()).unwrap_or_default();
    report["rateLimited"] = refused(&Client::new(&url, &key)?, SYMBOL);
    println!("{}", report);
    Ok(())
}
