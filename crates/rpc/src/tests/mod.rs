//! Tests of client and endpoint together.

#[cfg(test)]
pub(crate) mod owners;
#[cfg(test)]
pub(crate) mod round_trip;
#[cfg(test)]
pub(crate) mod socket_document;
