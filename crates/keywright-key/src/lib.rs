//! DynamoDB keys that can't be built wrong: templates, order-preserving encodings, versions, tenants. No I/O, no async.

mod decimal;
mod encoding;
mod error;
mod near;
mod template;
mod time;
mod value;

pub use decimal::{Decimal, DecimalError};
pub use encoding::name::encoding_names;
pub use encoding::text::ESCAPE_ALPHABET;
pub use encoding::{
    Direction, Encoding, EncodingError, Enumeration, EnumerationOrder, EpochUnit, Precision, shard_of,
};
pub use error::{KeyError, KeyFault, TemplateError, TemplateFault};
pub use template::{
    AttributeType, Collision, KEY_SEPARATOR, KeyOrder, KeyPart, KeyRange, Parsed, Placeholder, Segment,
    SeparatorPolicy, Template,
};
pub use time::{Bucket, BucketSize, Date, Instant, TimeError};
pub use value::{Value, Values};
