//! Chooses the safe name of a file from the names that servers and users offer. [pure]

pub mod charset;
mod content_disposition;
mod encoded_words;
mod extension;
#[cfg(test)]
mod fuzz;
pub(crate) mod name;
pub(crate) mod numbered_names;
pub(crate) mod partial_name;
#[cfg(debug_assertions)]
pub(crate) mod safety_check;
mod sanitize;
#[cfg(test)]
mod tc2231;

#[cfg(debug_assertions)]
pub(crate) use crate::filename::safety_check::assert_is_safe;
pub(crate) use extension::{extension, is_of_a_page, is_of_no_page};
pub use sanitize::{is_invisible, safe as safe_file_name};
