//! Hashes of codes and tokens. [pure]

use sha2::{Digest as _, Sha256};

/// Returns the hash of a secret for one purpose, in hexadecimal.
///
/// Codes and tokens are random, so a slow hash would give no additional protection.
pub(crate) fn hash(purpose: &str, secret: &str) -> String {
    let hasher = Sha256::new().chain_update("ashore ").chain_update(purpose).chain_update([0]);
    hex::encode(hasher.chain_update(secret).finalize())
}
