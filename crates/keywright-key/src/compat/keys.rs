//! The keys of orders, users, master data and logs, and their parsers, as the guide of the TypeScript library
//! shows them.

use super::generate_id;
use crate::{Bucket, BucketSize, Instant, KEY_SEPARATOR as SEPARATOR};

/// The key of an item and its id.
///
/// ```
/// use keywright_key::compat::entity_id;
/// let key = entity_id("PRODUCT", "t1", "p1@3");
/// assert_eq!((key.pk.as_str(), key.sk.as_str(), key.id.as_str()), ("PRODUCT#t1", "p1@3", "PRODUCT#t1#p1"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntityId {
    /// The partition key.
    pub pk: String,
    /// The sort key.
    pub sk: String,
    /// The id: the partition key, `#` and the sort key without its version.
    pub id: String,
}

/// The keys and the id of an item whose sort key is known.
///
/// ```
/// assert_eq!(keywright_key::compat::entity_id("PRODUCT", "t1", "p1").id, "PRODUCT#t1#p1");
/// ```
pub fn entity_id(prefix: &str, tenant_code: &str, sk: &str) -> EntityId {
    let pk = format!("{prefix}{SEPARATOR}{tenant_code}");
    let id = generate_id(&pk, sk);
    EntityId { pk, sk: sk.to_owned(), id }
}

/// The keys and the id of an item. If `sk` is `None`, the sort key is a new ULID.
///
/// ```
/// use keywright_key::compat::generate_entity_id;
/// let new = generate_entity_id("PRODUCT", "t1", None);
/// assert_eq!(new.sk.len(), 26);
/// assert_eq!(new.id, format!("PRODUCT#t1#{}", new.sk));
/// ```
#[cfg(feature = "ulid")]
pub fn generate_entity_id(prefix: &str, tenant_code: &str, sk: Option<&str>) -> EntityId {
    match sk {
        Some(sk) => entity_id(prefix, tenant_code, sk),
        None => entity_id(prefix, tenant_code, &crate::ids::ulid().to_string()),
    }
}

/// The partition key of products.
///
/// ```
/// assert_eq!(keywright_key::compat::generate_product_pk("t1"), "PRODUCT#t1");
/// ```
pub fn generate_product_pk(tenant_code: &str) -> String {
    format!("PRODUCT{SEPARATOR}{tenant_code}")
}

/// The partition key of orders and their items.
///
/// ```
/// assert_eq!(keywright_key::compat::generate_order_pk("t1"), "ORDER#t1");
/// ```
pub fn generate_order_pk(tenant_code: &str) -> String {
    format!("ORDER{SEPARATOR}{tenant_code}")
}

/// The sort key of an order.
///
/// ```
/// assert_eq!(keywright_key::compat::generate_order_sk("o1"), "ORDER#o1");
/// ```
pub fn generate_order_sk(order_id: &str) -> String {
    format!("ORDER{SEPARATOR}{order_id}")
}

/// The sort key of an order with a new ULID for its id.
///
/// ```
/// assert_eq!(keywright_key::compat::generate_new_order_sk().len(), 32);
/// ```
#[cfg(feature = "ulid")]
pub fn generate_new_order_sk() -> String {
    generate_order_sk(&crate::ids::ulid().to_string())
}

/// The sort key of an item of an order.
///
/// ```
/// assert_eq!(keywright_key::compat::generate_order_item_sk("o1", "001"), "ORDER_ITEM#o1#001");
/// ```
pub fn generate_order_item_sk(order_id: &str, item_id: &str) -> String {
    format!("ORDER_ITEM{SEPARATOR}{order_id}{SEPARATOR}{item_id}")
}

/// The prefix and the order id of a sort key: its first two segments; `None` if there is no second. Further
/// segments are dropped, so the key of an order item is read as that of an order. A strict template reads
/// only its own keys.
///
/// ```
/// use keywright_key::compat::parse_order_sk;
/// assert_eq!(parse_order_sk("ORDER#o1"), ("ORDER", Some("o1")));
/// assert_eq!(parse_order_sk("ORDER"), ("ORDER", None));
/// ```
pub fn parse_order_sk(sk: &str) -> (&str, Option<&str>) {
    let mut segments = sk.split(SEPARATOR);
    (segments.next().unwrap_or_default(), segments.next())
}

/// The prefix, the order id and the item id of a sort key: its first three segments.
///
/// ```
/// use keywright_key::compat::parse_order_item_sk;
/// assert_eq!(parse_order_item_sk("ORDER_ITEM#o1#001"), ("ORDER_ITEM", Some("o1"), Some("001")));
/// ```
pub fn parse_order_item_sk(sk: &str) -> (&str, Option<&str>, Option<&str>) {
    let mut segments = sk.split(SEPARATOR);
    (segments.next().unwrap_or_default(), segments.next(), segments.next())
}

/// The sort key of a user at an authentication provider.
///
/// ```
/// assert_eq!(keywright_key::compat::generate_user_sk("sso", "abc123"), "sso#abc123");
/// ```
pub fn generate_user_sk(provider: &str, user_id: &str) -> String {
    format!("{provider}{SEPARATOR}{user_id}")
}

/// The sort key of a user in a tenant, under `USER_TENANT#common`.
///
/// ```
/// assert_eq!(keywright_key::compat::generate_user_tenant_sk("t1", "user123"), "t1#user123");
/// ```
pub fn generate_user_tenant_sk(tenant_code: &str, user_code: &str) -> String {
    format!("{tenant_code}{SEPARATOR}{user_code}")
}

/// The sort key of master data.
///
/// ```
/// use keywright_key::compat::generate_master_sk;
/// assert_eq!(generate_master_sk("DATA", "product_category", "electronics"), "DATA#product_category#electronics");
/// ```
pub fn generate_master_sk(kind: &str, category: &str, code: &str) -> String {
    format!("{kind}{SEPARATOR}{category}{SEPARATOR}{code}")
}

/// The partition key (tenant and month) and the sort key (instant and event) of a log entry.
///
/// ```
/// use keywright_key::{Instant, compat::generate_log_keys};
/// let at = Instant::parse("2024-01-15T10:30:00Z").unwrap();
/// let (pk, sk) = generate_log_keys("t1", at, "evt001");
/// assert_eq!((pk.as_str(), sk.as_str()), ("LOG#t1#2024-01", "2024-01-15T10:30:00.000Z#evt001"));
/// ```
pub fn generate_log_keys(tenant_code: &str, timestamp: Instant, event_id: &str) -> (String, String) {
    // JavaScript's `toISOString` truncates to milliseconds.
    let millis =
        Instant::from_unix_millis(timestamp.unix_millis()).expect("an instant cut to milliseconds is one");
    let encoding = crate::Encoding::parse("iso").expect("the encoding exists");
    let written = encoding.encode(&millis.into()).expect("milliseconds fit");
    let month = Bucket::of(timestamp, BucketSize::Month);
    (format!("LOG{SEPARATOR}{tenant_code}{SEPARATOR}{month}"), format!("{written}{SEPARATOR}{event_id}"))
}
