//! Runs designs on a DynamoDB engine and sees whether they hold.
//!
//! [`prove()`] makes data from a Model, writes it through a Design's own operations, runs every pattern, and holds what
//! comes back against an oracle that knows nothing of keys.
//!
//! | module | does |
//! |---|---|
//! | `prove` | a proof from outside: options, progress, evidence |
//! | `prover` | the phases of a proof, in order: `load` makes data, `enrich` makes what reads ask for, `lead` brings records into states, `conditions` breaks them one by one, `pairings` says who is raced with whom, `limits` reaches limits, `orphans` writes what parents left behind |
//! | `check` | one call, or two at once, held against the oracle: `statics`, `read`, `write`, `race`; `counters` that writes keep, `lifetime`, and the `final_scan` of all tables and indexes |
//! | `oracle` | what patterns mean, on plain records |
//! | `world`, `writing` | the records that should exist; a write beside the operation that serves it |
//! | `data`, `inputs`, `random` | records and inputs by seed: ties, extremes, hostile values |
//! | `interpret` | runs any operation: keys, expressions, pages, shards, transactions, retries |
//! | `image`, `mirror`, `packed` | what the tables should hold, what they do, and items in few bytes |
//! | `session`, `cost` | the line to the engine, and what each request should consume |
//! | `tally`, `shrink`, `show` | what was seen of each pattern, the smallest case of a failure, and both as people read them |
//! | `recording` | a proof's calls as data, for programs in other languages |
//! | `engine` | the engines, below |
//!
//! # Engines
//!
//! [`engine::Engine`] is one call in DynamoDB's wire format. [`engine::Embedded`] is DynamoDB in this process;
//! `engine::Endpoint` (feature `endpoint`) is any address that speaks the protocol; [`engine::serve`] lets other
//! programs use the embedded one. [`engine::Tables`] are the tables of a run, on engines that others use too.
//!
//! # What the embedded engine does not check
//!
//! It is not taken at its word for these; they are checked against [`keywright_dynamodb::limits`] and the design
//! itself, before a request is sent or beside the answer:
//!
//! | DynamoDB | the embedded engine | who checks |
//! |---|---|---|
//! | refuses a write whose index key is over 2048 or 1024 bytes | takes some of them | we, on every item written |
//! | refuses a read of a global index that names an attribute outside the projection | may answer without it | we, from the design's projection |
//! | leaves items with a wrong type, an empty or an oversized key out of a new index's backfill | may not | we: proofs create indexes with their tables |
//! | refuses key names over 255 bytes | takes them | we, on the table definition |
//! | refuses over 300 operators in an expression | takes them | we, on the printed expression |
//! | fetches from the table what a local index lacks | only in part | designs have no local indexes |
//! | cancels transactions that conflict, throttles | never | concurrency is run as interleavings of requests; heat is arithmetic |
//!
//! Beside that its expression parser recurses without a bound: it runs on threads with stacks of 64 MiB, and what
//! we send is bounded in depth.
//!
//! `tests/embedded.rs` holds what we do rely on. Run it at every new version of the engine.

pub mod engine;

mod check;
mod cost;
mod data;
mod image;
mod inputs;
mod interpret;
mod mirror;
mod oracle;
mod packed;
mod prove;
mod prover;
mod random;
mod reading;
mod recording;
mod session;
mod show;
mod shrink;
mod tally;
mod world;
mod writing;

pub use prove::{Options, Progress, prove, prove_in, record};
pub use recording::{Event, Recording};
