//! Detects public suffixes: domains under which anyone can register a name. [pure]

/// Returns whether anyone can register a name under `domain`.
///
/// A name without a dot counts as a public suffix, because no site has such a name.
pub(super) fn is_public_suffix(domain: &str) -> bool {
    psl::suffix_str(domain) == Some(domain)
}
