//! Entities: values from which the keys of their items are built.

use keywright_key::{Instant, KeyError};

/// A value that is stored as an item. `#[derive(Entity)]` implements it for a struct.
///
/// ```
/// use keywright::{Entity, Instant};
///
/// #[derive(Entity)]
/// #[entity(
///     pk = "CUSTOMER#<customer_id>",
///     sk = "ORDER#<placed_at>#<order_id>",
///     index(GSI1, pk = "COURIER#<courier>", sk = "<placed_at>#<order_id>", sparse)
/// )]
/// struct Order {
///     customer_id: String,
///     order_id: String,
///     placed_at: Instant,
///     courier: Option<String>,
/// }
///
/// let order = Order {
///     customer_id: "c1".into(),
///     order_id: "o1".into(),
///     placed_at: Instant::parse("2024-01-15T10:30:00Z")?,
///     courier: None,
/// };
/// let key = order.primary_key()?;
/// assert_eq!(key.partition.1, "CUSTOMER#c1");
/// assert_eq!(key.sort.unwrap().1, "ORDER#2024-01-15T10:30:00.000Z#o1");
/// // Nobody delivers it yet: the index must not hold it.
/// assert_eq!(order.index_attributes()?.remove, ["GSI1PK", "GSI1SK"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Entity {
    /// The name of the item type.
    const TYPE_NAME: &'static str;

    /// The primary key.
    fn primary_key(&self) -> Result<PrimaryKey, KeyError>;

    /// All key attributes of all indexes: those to set, and those to remove because the item is not in the
    /// index now.
    fn index_attributes(&self) -> Result<IndexAttributes, KeyError>;

    /// The time at which the item expires, in seconds since 1970; `None` if it does not expire.
    fn ttl(&self) -> Option<i64> {
        None
    }

    /// The tenant that owns the item; `None` if the entity has no tenant.
    fn tenant_code(&self) -> Option<String> {
        None
    }

    /// The index attributes to set and remove when `before` changes to this value: only those that differ.
    ///
    /// ```
    /// use keywright::Entity;
    ///
    /// #[derive(Entity, Clone)]
    /// #[entity(pk = "TASK#<id>", index(GSI1, pk = "OWNER#<owner>", sk = "<id>", sparse))]
    /// struct Task { id: String, owner: Option<String> }
    ///
    /// let before = Task { id: "t1".into(), owner: Some("ada".into()) };
    /// let after = Task { owner: None, ..before.clone() };
    /// assert_eq!(after.index_changes(&before)?.remove, ["GSI1PK", "GSI1SK"]);
    /// assert_eq!(before.index_changes(&after)?.set.len(), 2);
    /// assert!(before.index_changes(&before)?.is_empty());
    /// # Ok::<(), keywright::KeyError>(())
    /// ```
    fn index_changes(&self, before: &Self) -> Result<IndexAttributes, KeyError> {
        let (before, mut after) = (before.index_attributes()?, self.index_attributes()?);
        after.set.retain(|attribute| !before.set.contains(attribute));
        after.remove.retain(|name| !before.remove.contains(name));
        Ok(after)
    }
}

/// A primary key: the names and values of its attributes.
///
/// ```
/// use keywright::{Entity, PrimaryKey};
/// #[derive(Entity)]
/// #[entity(pk = "USER#<id>")]
/// struct User { id: String }
/// let PrimaryKey { partition, sort } = User { id: "u1".into() }.primary_key().unwrap();
/// assert_eq!((partition, sort), (("pk", "USER#u1".to_owned()), None));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrimaryKey {
    /// The partition key.
    pub partition: (&'static str, String),
    /// The sort key, if the table has one.
    pub sort: Option<(&'static str, String)>,
}

/// Index attributes: those that an update sets, and those that it removes so that the item leaves a sparse
/// index.
///
/// ```
/// use keywright::IndexAttributes;
/// assert!(IndexAttributes::default().is_empty());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IndexAttributes {
    /// Names and values to set.
    pub set: Vec<(&'static str, String)>,
    /// Names to remove.
    pub remove: Vec<&'static str>,
}

impl IndexAttributes {
    /// Whether there is nothing to set or remove.
    ///
    /// ```
    /// use keywright::IndexAttributes;
    /// let leaves = IndexAttributes { set: vec![], remove: vec!["GSI1PK"] };
    /// assert!(IndexAttributes::default().is_empty() && !leaves.is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.set.is_empty() && self.remove.is_empty()
    }
}

/// A field type that can hold the time of expiry.
///
/// ```
/// use keywright::{Instant, TtlField};
/// assert_eq!(1_700_000_000u64.ttl_seconds(), Some(1_700_000_000));
/// assert_eq!(None::<Instant>.ttl_seconds(), None);
/// ```
pub trait TtlField {
    /// Seconds since 1970; `None` if the item does not expire.
    fn ttl_seconds(&self) -> Option<i64>;
}

impl TtlField for Instant {
    fn ttl_seconds(&self) -> Option<i64> {
        Some(self.unix_seconds())
    }
}

impl TtlField for i64 {
    fn ttl_seconds(&self) -> Option<i64> {
        Some(*self)
    }
}

impl TtlField for u64 {
    fn ttl_seconds(&self) -> Option<i64> {
        i64::try_from(*self).ok()
    }
}

impl TtlField for u32 {
    fn ttl_seconds(&self) -> Option<i64> {
        Some(i64::from(*self))
    }
}

impl<T: TtlField> TtlField for Option<T> {
    fn ttl_seconds(&self) -> Option<i64> {
        self.as_ref().and_then(T::ttl_seconds)
    }
}
