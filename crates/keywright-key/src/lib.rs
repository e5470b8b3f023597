//! DynamoDB keys that can't be built wrong: templates, order-preserving encodings, versions, tenants. No I/O, no async.

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
