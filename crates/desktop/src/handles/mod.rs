//! Handles on the window and its page. `AppContext` holds them.

pub(crate) mod chosen_paths;
pub(crate) mod window;
