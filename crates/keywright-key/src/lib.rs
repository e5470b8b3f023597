//! DynamoDB keys that can't be built wrong: templates, order-preserving encodings, versions, tenants. No I/O,
//! no async, and no dependencies unless features are enabled.
//!
//! A key template consists of literals and encoded attributes. It builds keys, reads them back, and gives the
//! prefixes and ranges that a Query reads:
//!
//! ```
//! use keywright_key::{Instant, Template, Value};
//!
//! let template = Template::parse("ORDER#<placedAt:iso>#<orderId>")?;
//! let placed_at = Instant::parse("2024-01-15T10:30:00Z")?;
//! let key = template.build(&[("placedAt", placed_at.into()), ("orderId", Value::from("o1"))])?;
//! assert_eq!(key, "ORDER#2024-01-15T10:30:00.000Z#o1");
//!
//! let parsed = template.parse_key(&key)?;
//! assert_eq!(parsed.field::<Instant>("placedAt")?, placed_at);
//!
//! assert_eq!(template.prefix(&())?, "ORDER#");
//! let january = template.range(&(), Value::from(Instant::parse("2024-01-01T00:00:00Z")?)..)?;
//! assert!(january.contains(&key));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Values never change the shape of a key
//! Text that contains the separator is escaped so that it keeps its order and can be read back
//! ([`SeparatorPolicy`]). Before a separator, every byte up to `$` is written as `$` and a character of
//! [`ESCAPE_ALPHABET`]; at the end of a key only `#` and `$` are. With [`SeparatorPolicy::Reject`] such text
//! is an error.
//!
//! ```
//! use keywright_key::{Template, Value};
//! let template = Template::parse("TENANT#<tenant>#USER#<user>")?;
//! let key = template.build(&[("tenant", Value::from("t1#USER#root")), ("user", Value::from("u1"))])?;
//! assert_eq!(key, "TENANT#t1$ZUSER$Zroot#USER#u1");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Encodings
//! The byte order of keys is exactly the order of values. A value that does not fit is an error; it is never
//! cut or rounded.
//!
//! | name | values | in the key |
//! |---|---|---|
//! | none | text | UTF-8, escaped |
//! | `padN`, `descN` | 0 to 10^N-1 | N digits; descending 10^N-1-n |
//! | `intN`, `intdescN` | -(10^N-1) to 10^N-1 | N+1 digits of 10^N+n; descending 10^N-n |
//! | `decN.S`, `decdescN.S` | decimals of N digits, S after the point | as `intN`, with the point |
//! | `float`, `floatdesc` | finite floats | 16 hexadecimal digits in total order |
//! | `bool`, `booldesc` | truth values | `0`, `1` |
//! | `iso`, `isos`, `isou`, `…desc` | instants of the years 0000 to 9999 | RFC 3339 in UTC with milliseconds, seconds, microseconds; descending 9-d for every digit d |
//! | `epochs`, `epochms`, `…desc` | instants of the years 1970 to 9999 | 12 digits of seconds, 15 of milliseconds |
//! | `date`, `datedesc` | dates | `2024-01-15` |
//! | `y`, `ym`, `ymd`, `ymdh` | instants, dates | the bucket that holds it; the rest is lost |
//! | `shardN` | any | [`shard_of`] it; the rest is lost |
//! | `ulid`, `uuid`, `ksuid`, `…desc` | ids | their canonical text; behind features of these names |
//! | `enum(A,B)`, `enumdesc(…)` | declared values | the index, padded |
//! | `enumname(A,B)`, `enumnamedesc(…)` | declared values | the name; descending its rank from the end |
//!
//! [`Encoding`] describes the same as types. The folder `vectors` has test vectors for other languages.
//!
//! # Patterns
//! [`pattern`] has constructors for six patterns of primary keys, and tells which requirement needs which:
//!
//! ```
//! use keywright_key::{Value, pattern};
//! let orders = pattern::hierarchical("ORDER", "ORDER_ITEM")?;
//! let items = orders.child.sort().prefix(&[("parentId", Value::from("o1"))])?;
//! assert_eq!(items, "ORDER_ITEM#o1#");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Versions and tenants
//! [`VersionedTemplate`] and [`SortKey`] keep all versions of an item, newest last. [`TenantTemplate`] builds
//! nothing without a [`Tenant`]. [`compat`] has the key functions of `@mbc-cqrs-serverless/core`, for tables
//! that are shared with TypeScript programs.
//!
//! # Comparing templates
//!
//! ```
//! use keywright_key::{KeyOrder, Template};
//! let [order, item, customer] = ["ORDER#<id>", "ORDER_ITEM#<id>", "CUSTOMER#<id>"].map(|t| Template::parse(t).unwrap());
//! assert!(!order.may_collide(&item));
//! assert!(Template::parse("ORDER").unwrap().contains(&item)); // begins_with(ORDER) matches items too
//! assert!(!order.contains(&item)); // begins_with(ORDER#) does not
//! assert_eq!(customer.order(&order), KeyOrder::Before);
//! ```
//!
//! # Features
//! None is on by default. `ulid`, `uuid` and `ksuid` enable the encodings of these ids and their generators
//! in [`ids`]; `jiff` enables conversions of instants and dates; `serde` (de)serializes templates as strings.

pub mod compat;
mod decimal;
mod encoding;
mod error;
mod field;
pub mod ids;
mod item_id;
mod near;
pub mod pattern;
mod template;
mod tenant;
mod time;
mod value;
mod version;

pub use decimal::{Decimal, DecimalError};
pub use encoding::name::encoding_names;
pub use encoding::text::ESCAPE_ALPHABET;
pub use encoding::{
    Direction, Encoding, EncodingError, Enumeration, EnumerationOrder, EpochUnit, Precision, Shard, shard_of,
};
pub use error::{KeyError, KeyFault, TemplateError, TemplateFault};
pub use field::{FieldKind, KeyField};
pub use item_id::{item_id, split_item_id};
pub use pattern::KeySchema;
pub use template::{
    AttributeType, Collision, KEY_SEPARATOR, KeyOrder, KeyPart, KeyRange, Parsed, Placeholder, Segment,
    SeparatorPolicy, Template,
};
pub use tenant::{DEFAULT_TENANT_CODE, TENANT_COMMON, Tenant, TenantTemplate};
pub use time::{Bucket, BucketSize, Date, Instant, TimeError};
pub use value::{Value, Values};
pub use version::{Latest, SortKey, VER_SEPARATOR, Version, VersionedTemplate};
