//! What the stories stand on.
