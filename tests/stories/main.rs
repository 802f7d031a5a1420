//! The stories: what happens to people, told through the front door.

mod transfer;
