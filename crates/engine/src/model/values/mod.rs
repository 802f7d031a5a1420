//! Values with their own text form: sizes, durations, hours and methods. [pure]

pub(crate) mod byte_size;
pub(crate) mod http_method;
pub(crate) mod local_time;
pub mod path_text;
pub(crate) mod quiet_hours;
pub(crate) mod retention;
pub(crate) mod shortened;
pub(crate) mod weekly_hours;
