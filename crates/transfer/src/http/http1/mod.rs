//! HTTP/1.1 over connections whose responses are watched.

pub(crate) mod direct;
pub(crate) mod fields;
pub(crate) mod framing;
pub(crate) mod head;
