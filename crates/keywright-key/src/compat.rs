//! The key functions of `@mbc-cqrs-serverless/core`, with the same behaviour, so that a Rust service can read
//! and write the same table as a TypeScript one.
//!
//! They accept input that the strict types refuse. Each function says where it differs from its strict
//! counterpart; use the strict one for new tables.

mod keys;
mod number;

pub use keys::*;

pub use crate::tenant::{DEFAULT_TENANT_CODE, TENANT_COMMON};
pub use crate::version::VER_SEPARATOR;
use crate::{Date, Instant, KEY_SEPARATOR as SEPARATOR, KeyFault};

pub use crate::KEY_SEPARATOR;

/// The version of a new item.
///
/// ```
/// use keywright_key::compat;
/// assert_eq!(compat::add_sort_key_version("a", compat::VERSION_FIRST), "a@0");
/// ```
pub const VERSION_FIRST: i64 = 0;
/// The version of a sort key that has none. It stands for "the latest version".
///
/// ```
/// use keywright_key::compat;
/// assert_eq!(compat::get_sort_key_version("a"), Some(compat::VERSION_LATEST as f64));
/// ```
pub const VERSION_LATEST: i64 = -1;

/// The sort key without its version: cut at the last `@`, whatever follows.
///
/// The strict [`SortKey::parse`](crate::SortKey::parse) returns an error if the text after the last `@` is
/// not a version, for example in an e-mail address.
///
/// ```
/// use keywright_key::compat::remove_sort_key_version;
/// assert_eq!(remove_sort_key_version("abc@3"), "abc");
/// assert_eq!(remove_sort_key_version("a@1@2"), "a@1");
/// assert_eq!(remove_sort_key_version("abc@"), "abc");
/// assert_eq!(remove_sort_key_version("@3"), "");
/// assert_eq!(remove_sort_key_version("abc"), "abc");
/// assert_eq!(remove_sort_key_version("user@example.com"), "user");
/// ```
pub fn remove_sort_key_version(sk: &str) -> &str {
    sk.rsplit_once(VER_SEPARATOR).map_or(sk, |(base, _)| base)
}

/// The sort key with this version instead of its own. The version is not padded: `@10` sorts before `@9`, so
/// a descending Query does not find the latest version first.
///
/// The strict [`SortKey::at`](crate::SortKey::at) pads the version and takes no negative one.
///
/// ```
/// use keywright_key::compat::add_sort_key_version;
/// assert_eq!(add_sort_key_version("abc", 7), "abc@7");
/// assert_eq!(add_sort_key_version("abc@3", 7), "abc@7");
/// ```
pub fn add_sort_key_version(sk: &str, version: i64) -> String {
    format!("{}{VER_SEPARATOR}{version}", remove_sort_key_version(sk))
}

/// The version of a sort key: the text after the last `@` as JavaScript's `Number` reads it; -1 without an
/// `@`, and `None` if JavaScript returns NaN.
///
/// The strict [`SortKey::version`](crate::SortKey::version) is an integer of ten digits, from 0.
///
/// ```
/// use keywright_key::compat::get_sort_key_version;
/// assert_eq!(get_sort_key_version("abc"), Some(-1.0));
/// assert_eq!(get_sort_key_version("abc@"), Some(0.0));
/// assert_eq!(get_sort_key_version("abc@3"), Some(3.0));
/// assert_eq!(get_sort_key_version("abc@0x10"), Some(16.0));
/// assert_eq!(get_sort_key_version("abc@ 1e3 "), Some(1000.0));
/// assert_eq!(get_sort_key_version("user@example.com"), None);
/// ```
pub fn get_sort_key_version(sk: &str) -> Option<f64> {
    match sk.rsplit_once(VER_SEPARATOR) {
        None => Some(VERSION_LATEST as f64),
        Some((_, version)) => number::read(version),
    }
}

/// The id of an item: `pk#` and the sort key without its version.
///
/// The strict [`item_id`](crate::item_id) never gives the same id to two keys.
///
/// ```
/// use keywright_key::compat::generate_id;
/// assert_eq!(generate_id("PRODUCT#t1", "p1@3"), "PRODUCT#t1#p1");
/// ```
pub fn generate_id(pk: &str, sk: &str) -> String {
    format!("{pk}{SEPARATOR}{}", remove_sort_key_version(sk))
}

/// The sort key in an id, given the partition key; `None` if the id has another partition key.
///
/// The strict [`split_item_id`](crate::split_item_id) needs no partition key to separate the two parts.
///
/// ```
/// use keywright_key::compat::sort_key_base_from_id;
/// assert_eq!(sort_key_base_from_id("PRODUCT#t1", "PRODUCT#t1#p1"), Some("p1"));
/// assert_eq!(sort_key_base_from_id("PRODUCT#t1", "PRODUCT#t10#p1"), None);
/// ```
pub fn sort_key_base_from_id<'a>(pk: &str, id: &'a str) -> Option<&'a str> {
    id.strip_prefix(pk)?.strip_prefix(SEPARATOR)
}

/// The partition key (the first two segments) and the sort key (the rest) of an id; `None` for fewer than
/// three segments.
///
/// The strict [`split_item_id`](crate::split_item_id) works for any number of segments.
///
/// ```
/// use keywright_key::compat::parse_two_segment_pk_sk_from_id;
/// assert_eq!(parse_two_segment_pk_sk_from_id("ORDER#t1#ORDER#o1"), Some(("ORDER#t1", "ORDER#o1")));
/// assert_eq!(parse_two_segment_pk_sk_from_id("ORDER#t1"), None);
/// ```
pub fn parse_two_segment_pk_sk_from_id(id: &str) -> Option<(&str, &str)> {
    let first = id.find(SEPARATOR)? + SEPARATOR.len();
    let second = first + id[first..].find(SEPARATOR)?;
    Some((&id[..second], &id[second + SEPARATOR.len()..]))
}

/// The tenant of a partition key: the text after the **last** `#`; `None` without a `#`.
///
/// The strict [`TenantTemplate::tenant_of`](crate::TenantTemplate::tenant_of) takes the tenant from its place
/// in the template.
///
/// ```
/// use keywright_key::compat::get_tenant_code;
/// assert_eq!(get_tenant_code("PRODUCT#tenant001"), Some("tenant001"));
/// assert_eq!(get_tenant_code("LOG#t1#2024-01"), Some("2024-01"));
/// assert_eq!(get_tenant_code("PRODUCT"), None);
/// ```
pub fn get_tenant_code(pk: &str) -> Option<&str> {
    pk.rsplit_once(SEPARATOR).map(|(_, tenant)| tenant)
}

/// The partition key of master data. A missing or empty tenant becomes `single`.
///
/// The strict [`Tenant::new`](crate::Tenant::new) refuses an empty code.
///
/// ```
/// use keywright_key::compat::master_pk;
/// assert_eq!(master_pk(Some("t1")), "MASTER#t1");
/// assert_eq!(master_pk(None), "MASTER#single");
/// ```
pub fn master_pk(tenant_code: Option<&str>) -> String {
    format!("MASTER{SEPARATOR}{}", tenant_or_default(tenant_code))
}

/// The partition key of sequences. A missing or empty tenant becomes `single`.
///
/// ```
/// use keywright_key::compat::seq_pk;
/// assert_eq!(seq_pk(Some("t1")), "SEQ#t1");
/// assert_eq!(seq_pk(Some("")), "SEQ#single");
/// ```
pub fn seq_pk(tenant_code: Option<&str>) -> String {
    format!("SEQ{SEPARATOR}{}", tenant_or_default(tenant_code))
}

/// The sort key of a table's TTL setting.
///
/// ```
/// assert_eq!(keywright_key::compat::ttl_sk("product"), "TTL#product");
/// ```
pub fn ttl_sk(table: &str) -> String {
    format!("TTL{SEPARATOR}{table}")
}

fn tenant_or_default(tenant_code: Option<&str>) -> &str {
    tenant_code.filter(|code| !code.is_empty()).unwrap_or(DEFAULT_TENANT_CODE)
}

/// The bucket, 0 to `buckets`-1, of an id: `h` = (`h` << 5) - `h` + each UTF-16 unit, as 32-bit integers;
/// then the absolute value of `h` modulo `buckets`.
///
/// The strict encoding `shardN` ([`shard_of`](crate::shard_of)) spreads similar ids better.
///
/// ```
/// use keywright_key::compat::hash_bucket;
/// assert_eq!(hash_bucket("dino-001", 10), 8);
/// ```
///
/// # Panics
/// If `buckets` is zero.
pub fn hash_bucket(id: &str, buckets: u32) -> u32 {
    let hash = id
        .encode_utf16()
        .fold(0i32, |hash, unit| hash.wrapping_shl(5).wrapping_sub(hash).wrapping_add(i32::from(unit)));
    hash.unsigned_abs() % buckets
}

/// Milliseconds from the instant to 2099-12-31T00:00:00Z, padded to 15 digits, so that the newest comes
/// first. Later instants are an error.
///
/// The strict encodings `epochmsdesc` and `isodesc` reach to the year 9999.
///
/// ```
/// use keywright_key::{Instant, compat::reverse_timestamp};
/// let end = Instant::parse("2099-12-31T00:00:00Z").unwrap();
/// assert_eq!(reverse_timestamp(end).unwrap(), "000000000000000");
/// assert!(reverse_timestamp(Instant::MAX).is_err());
/// ```
pub fn reverse_timestamp(instant: Instant) -> Result<String, KeyFault> {
    let end = const { Date::new(2099, 12, 31).expect("the date exists").midnight() };
    match end.unix_millis() - instant.unix_millis() {
        millis @ 0.. => Ok(format!("{millis:015}")),
        _ => Err(KeyFault::OutOfRange {
            value: instant.to_string(),
            least: Instant::MIN.to_string(),
            most: end.to_string(),
        }),
    }
}
