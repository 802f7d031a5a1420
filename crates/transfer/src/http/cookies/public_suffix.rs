//! Detects public suffixes: domains under which anyone can register a name. [pure]

/// Returns whether anyone can register a name under `domain`.
///
/// A name without a dot also counts as a public suffix, because no website has such a name.
pub(super) fn is_public_suffix(domain: &str) -> bool {
    psl::suffix_str(domain) == Some(domain)
}
