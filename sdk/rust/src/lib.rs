//! Client of the Market Risk Signal Service: calls, lists, the event stream and webhooks.
//!
//! `Client` (feature `blocking`, on by default) blocks; `AsyncClient` (feature `async`) is for tokio. Both have a method for
//! every request.
//!
//! ```no_run
//! # #[cfg(feature = "blocking")]
//! # fn main() -> Result<(), barograph_client::Error> {
//! use barograph_client::{Client, SignalParams, State};
//!
//! let client = Client::builder("https://risk.example", "key").user_agent("desk/1.4").build()?;
//! let signal = client.signal(&SignalParams { symbol: "SPY".into() })?;
//! if signal.state >= State::Elevated {
//!     println!("{} since {:?}", signal.state, signal.since);
//! }
//! # Ok(())
//! # }
//! # #[cfg(not(feature = "blocking"))]
//! # fn main() {}
//! ```
#![forbid(unsafe_code)]
#![warn(missing_docs)]
#[cfg(feature = "async")]
mod async_client;
mod calls;
#[cfg(feature = "blocking")]
mod client;
mod error;
mod models;
mod pace;
mod proof;
mod request;
mod stream;
mod webhook;
mod words;

#[cfg(feature = "async")]
pub use async_client::{AsyncClient, AsyncEvents, AsyncRows};
pub use calls::*;
#[cfg(feature = "blocking")]
pub use client::{Client, Rows};
pub use error::{Error, Kind};
pub use models::*;
pub use request::Builder;
#[cfg(feature = "blocking")]
pub use stream::Events;
pub use stream::{Beginning, EventsParams};
pub use webhook::{Refusal, Webhook};
pub use words::State;
