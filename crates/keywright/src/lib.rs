//! DynamoDB keys and entities for Rust programs: typed and checked, so that a mistake is an error and not a
//! wrong key.
//!
//! This crate re-exports all of `keywright_key`: [`Template`], [`Encoding`], [`pattern`], [`compat`] and the
//! rest. In addition, `#[derive(Entity)]` builds keys from the fields of a struct and checks them at compile
//! time.
//!
//! ```
//! use keywright::{Entity, Instant};
//!
//! #[derive(Entity)]
//! #[entity(
//!     pk = "TENANT#<tenant>#CUSTOMER#<customer>",
//!     sk = "ORDER#<placed_at>#<order>",
//!     index(GSI1, pk = "TENANT#<tenant>#COURIER#<courier>", sk = "<placed_at>", sparse),
//!     tenant = tenant,
//! )]
//! struct Order {
//!     tenant: String,
//!     customer: String,
//!     order: String,
//!     placed_at: Instant,
//!     courier: Option<String>,
//! }
//!
//! let placed_at = Instant::parse("2024-01-15T10:30:00Z")?;
//!
//! // Keys from their fields, each legal prefix and range as a method: a gap does not compile.
//! assert_eq!(OrderPartitionKey::build("t1", "c1")?, "TENANT#t1#CUSTOMER#c1");
//! assert_eq!(OrderSortKey::prefix()?, "ORDER#");
//! assert_eq!(OrderSortKey::prefix_placed_at(placed_at)?, "ORDER#2024-01-15T10:30:00.000Z#");
//! let since = OrderSortKey::range_placed_at(placed_at..)?;
//! assert!(since.contains("ORDER#2024-02-01T00:00:00.000Z#o2"));
//!
//! // And back.
//! let key = OrderSortKey::parse("ORDER#2024-01-15T10:30:00.000Z#o1")?;
//! assert_eq!((key.placed_at, key.order.as_str()), (placed_at, "o1"));
//!
//! // The index attributes to set and to remove after a change.
//! let waiting = Order { tenant: "t1".into(), customer: "c1".into(), order: "o1".into(), placed_at, courier: None };
//! let given = Order {
//!     tenant: "t1".into(), customer: "c1".into(), order: "o1".into(), placed_at, courier: Some("ada".into()),
//! };
//! let changes = given.index_changes(&waiting)?;
//! assert_eq!(changes.set[0], ("GSI1PK", "TENANT#t1#COURIER#ada".to_owned()));
//! assert_eq!(waiting.index_changes(&given)?.remove, ["GSI1PK", "GSI1SK"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A single template is checked by the compiler too:
//!
//! ```
//! # #[cfg(feature = "derive")] {
//! use keywright::Value;
//! let user = keywright::template!("USER#<userId>");
//! assert_eq!(user.build(&[("userId", Value::from("u1"))]).unwrap(), "USER#u1");
//! # }
//! ```
//!
//! ```compile_fail
//! let user = keywright::template!("USER#<userId:padd6>"); // there is no such encoding; did you mean `padN`?
//! ```
//!
//! # The words of `#[entity(…)]`
//!
//! | word | meaning |
//! |---|---|
//! | `pk = "…"`, `sk = "…"` | the templates of the primary key; the sort key may be left out |
//! | `pk_name = "…"`, `sk_name = "…"` | the names of the key attributes: `pk` and `sk`, for an index `GSI1PK` and `GSI1SK` by default |
//! | `index(GSI1, pk = "…", sk = "…")` | an index; any number of them. A local index repeats the table's `pk` and `pk_name` |
//! | `sparse` | in an index: the item is not in the index while an optional field of its keys is `None` |
//! | `when = path` | in an index: the item is not in the index while `path(&entity)` is false |
//! | `tenant = field` | must be in every key; no prefix or range leaves it out |
//! | `version = field` | a `u64` or a [`Version`]: the sort key can carry versions: `at`, `history`, `latest`, `version_of` |
//! | `ttl = field` | when the item expires: seconds or an [`Instant`], optional or not |
//! | `name = "…"` | the type name, by default the struct's |
//! | `prefix(method, sk, field, …)` | another method name for a valid prefix of `sk` or of an index |
//!
//! Templates use the attribute names that serde stores: its attributes `rename` and `rename_all` are
//! respected. A placeholder without an encoding gets that of the field's type: none for text, `bool` for
//! `bool`, `iso` for [`Instant`], `date` for [`Date`], and their own for ids. Numbers need a width, and
//! floats need `float`. Implement [`KeyField`] for types of your own.
//!
//! # Generated code
//! Every template gets a struct, such as `OrderSortKey`, with the template's attributes as fields and the
//! functions `template`, `build` and `parse`. Sort keys also get `prefix…`, `range_…` and, for text,
//! `starting_…`. A sharded key gets `shards`, which returns the keys of all shards. Ranges take any range of
//! values: `a..b`, `a..=b`, `a..`, `..b`.

mod entity;

pub use entity::{Entity, IndexAttributes, PrimaryKey, TtlField};
#[cfg(feature = "derive")]
pub use keywright_derive::{Entity, template};
pub use keywright_key::*;

/// The page "from `format!` to templates", whose code blocks are tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/from-format-to-templates.md")]
struct FromFormatToTemplates;
