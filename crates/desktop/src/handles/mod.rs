//! Handles on the window and its page, which `AppContext` holds.

pub(crate) mod chosen_paths;
pub(crate) mod window;
