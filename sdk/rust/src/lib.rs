//! Client of the Market Risk Signal Service: calls, lists, the event stream and webhooks.
mod calls;
mod client;
mod error;
mod models;
mod pace;
mod proof;
mod stream;
mod webhook;

pub use calls::*;
pub use client::{Client, Rows};
pub use error::{Error, Kind};
pub use models::*;
pub use stream::{Beginning, Events, EventsParams};
pub use webhook::{Refusal, Webhook};
