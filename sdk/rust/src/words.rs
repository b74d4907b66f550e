//! Types of fields that stay readable when the service says more than this version knows.
use chrono::{DateTime, Utc};
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;

/// Enumerations of the service: each has the words that this version knows, and any other as it came.
macro_rules! words {
    ($($name:ident { $($variant:ident = $text:literal,)+ })+) => {$(
        #[doc = concat!("`", stringify!($name), "`: a word of the service, which may add others.")]
        #[derive(Debug, Clone, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
        #[serde(from = "String", into = "String")]
        #[non_exhaustive]
        pub enum $name {
            $(#[doc = concat!("`", $text, "`")] $variant,)+
            /// A word that this version does not know, as it came; "" where the answer lacks it.
            Other(String),
        }

        impl $name {
            /// The word on the wire.
            pub fn as_str(&self) -> &str {
                match self {
                    $($name::$variant => $text,)+
                    $name::Other(text) => text,
                }
            }
        }

        impl Default for $name {
            fn default() -> Self {
                $name::Other(String::new())
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                match text.as_str() {
                    $($text => $name::$variant,)+
                    _ => $name::Other(text),
                }
            }
        }

        impl From<$name> for String {
            fn from(word: $name) -> String {
                word.as_str().to_owned()
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    )+};
}
pub(crate) use words;

/// How risky a symbol is. A greater one is riskier, also one that this version does not know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(from = "i64", into = "i64")]
#[non_exhaustive]
pub enum State {
    /// 0
    Normal,
    /// 1
    Elevated,
    /// 2
    HighRisk,
    /// A state that this version does not know.
    Other(i64),
}

impl Default for State {
    /// What the answer does not say counts as no known state.
    fn default() -> Self {
        State::Other(-1)
    }
}

impl From<i64> for State {
    fn from(number: i64) -> Self {
        match number {
            0 => State::Normal,
            1 => State::Elevated,
            2 => State::HighRisk,
            other => State::Other(other),
        }
    }
}

impl From<State> for i64 {
    fn from(state: State) -> i64 {
        match state {
            State::Normal => 0,
            State::Elevated => 1,
            State::HighRisk => 2,
            State::Other(number) => number,
        }
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            State::Normal => f.write_str("normal"),
            State::Elevated => f.write_str("elevated"),
            State::HighRisk => f.write_str("high_risk"),
            State::Other(number) => write!(f, "state {}", number),
        }
    }
}

/// A time that cannot be read is None, and does not take the rest of its record with it.
pub(crate) fn time<'de, D: Deserializer<'de>>(from: D) -> Result<Option<DateTime<Utc>>, D::Error> {
    let value = serde_json::Value::deserialize(from)?;
    let time = value.as_str().and_then(|text| DateTime::parse_from_rfc3339(text).ok());
    Ok(time.map(|time| time.with_timezone(&Utc)))
}

/// A list or map that is null is empty.
pub(crate) fn or_empty<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(from: D) -> Result<T, D::Error> {
    Ok(Option::deserialize(from)?.unwrap_or_default())
}
