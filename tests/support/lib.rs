//! What the stories stand on.
#![expect(clippy::expect_used, clippy::panic, reason = "a story that cannot be set up has failed, and says where")]

pub mod home;
pub mod machine;
pub mod origin;
pub mod proxy;
pub mod soak;
pub mod tls;
