//! Runs designs on a DynamoDB engine and sees whether they hold.
//!
//! [`prove()`] makes data from a Model, writes it through a Design's own operations, runs every pattern, and holds what
//! comes back against an oracle that knows nothing of keys.
//!
//! | module | does |
//! |---|---|
//! | `interpret` | runs any operation: keys, expressions, pages, shards, transactions, retries |
//! | `oracle` | what patterns mean, on plain records |
//! | `data`, `inputs` | records and inputs by seed: ties, extremes, hostile values |
//! | `image`, `mirror` | what the tables should hold, and what they do |
//! | `world`, `packed` | the records that should exist; items in few bytes |
//! | `session`, `cost` | the line to the engine, and what each request should consume |
//! | `check` | reads, writes, races, replays, everything read whole |
//! | `breach`, `limit`, `lead` | conditions broken one by one, limits reached, records led into states |
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

mod asked;
mod breach;
mod check;
mod cost;
mod data;
mod image;
mod inputs;
mod interpret;
mod lead;
mod limit;
mod load;
mod mirror;
mod oracle;
mod orphan;
mod packed;
mod prove;
mod prover;
mod race;
mod random;
mod record;
mod session;
mod show;
mod shrink;
mod tally;
mod world;
mod writing;

pub use prove::{Options, Progress, prove, prove_in, record};
pub use record::{Event, Recording};
