//! Tests a running engine: stopped and resumed, shared, reached from outside, and at rest.

mod keep;
mod owners;
mod rest;
mod share;
mod socket;
