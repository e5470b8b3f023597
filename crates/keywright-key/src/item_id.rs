//! One text for a whole primary key, from which both parts can be recovered.

use crate::encoding::text::Guard;
use crate::{KEY_SEPARATOR, KeyFault};

/// The id of an item: its partition key with every byte up to `$` escaped, `#`, and its sort key unchanged.
///
/// Different keys never share an id, unlike with [`compat::generate_id`](crate::compat::generate_id), which
/// gives (`A#B`, `C`) and (`A`, `B#C`) the same one.
///
/// ```
/// use keywright_key::{item_id, split_item_id};
/// let id = item_id("PRODUCT#t1", "01HX7MBJK3V9WQBZ7XNDK5ZT2M");
/// assert_eq!(id, "PRODUCT$Zt1#01HX7MBJK3V9WQBZ7XNDK5ZT2M");
/// assert_eq!(split_item_id(&id).unwrap(), ("PRODUCT#t1".into(), "01HX7MBJK3V9WQBZ7XNDK5ZT2M"));
/// assert_ne!(item_id("A#B", "C"), item_id("A", "B#C"));
/// ```
pub fn item_id(partition_key: &str, sort_key: &str) -> String {
    let mut id = String::with_capacity(partition_key.len() + sort_key.len() + 8);
    Guard::Separator.write(partition_key, &mut id).expect("escaping refuses nothing");
    id.push_str(KEY_SEPARATOR);
    id.push_str(sort_key);
    id
}

/// The partition key and the sort key of an id, the inverse of [`item_id`].
///
/// ```
/// assert!(keywright_key::split_item_id("no separator").is_err());
/// ```
pub fn split_item_id(id: &str) -> Result<(std::borrow::Cow<'_, str>, &str), KeyFault> {
    let (partition, sort) = id
        .split_once(KEY_SEPARATOR)
        .ok_or_else(|| KeyFault::Literal { expected: KEY_SEPARATOR.to_owned() })?;
    Ok((Guard::Separator.read(partition)?, sort))
}
