//! Generates new ids, with the crates that define them, each behind its feature. They use the clock and the
//! system's random numbers.

/// A new ULID.
///
/// ```
/// use keywright_key::{Encoding, Value, ids};
/// let id = ids::ulid();
/// let key = Encoding::parse("ulid").unwrap().encode(&Value::from(id)).unwrap();
/// assert_eq!(key, id.to_string());
/// ```
#[cfg(feature = "ulid")]
pub fn ulid() -> ulid::Ulid {
    ulid::Ulid::generate()
}

/// Generates ULIDs, each greater than the one before, also within one millisecond.
///
/// ```
/// use keywright_key::ids::MonotonicUlids;
/// let mut ids = MonotonicUlids::new();
/// let many: Vec<_> = (0..1000).map(|_| ids.next_id()).collect();
/// assert!(many.is_sorted_by(|a, b| a < b));
/// ```
#[cfg(feature = "ulid")]
#[derive(Debug, Default)]
pub struct MonotonicUlids {
    generator: ulid::Generator,
}

#[cfg(feature = "ulid")]
impl MonotonicUlids {
    /// A generator that has not generated an id yet.
    ///
    /// ```
    /// use keywright_key::ids::MonotonicUlids;
    /// static IDS: std::sync::Mutex<MonotonicUlids> = std::sync::Mutex::new(MonotonicUlids::new());
    /// ```
    pub const fn new() -> MonotonicUlids {
        MonotonicUlids { generator: ulid::Generator::new() }
    }

    /// The next id.
    ///
    /// ```
    /// use keywright_key::ids::MonotonicUlids;
    /// let mut ids = MonotonicUlids::new();
    /// assert!(ids.next_id() < ids.next_id());
    /// ```
    pub fn next_id(&mut self) -> ulid::Ulid {
        match self.generator.generate() {
            Ok(id) => id,
            // The random part of this millisecond is exhausted: count on into the next one, which keeps the
            // order.
            Err(overflow) => overflow.commit_overflow_increment(),
        }
    }
}

/// A new UUIDv7: the current millisecond, a counter within it, and randomness.
///
/// ```
/// let id = keywright_key::ids::uuid_v7();
/// assert_eq!(id.get_version_num(), 7);
/// ```
#[cfg(feature = "uuid")]
pub fn uuid_v7() -> uuid::Uuid {
    uuid::Uuid::now_v7()
}

/// A new KSUID.
///
/// ```
/// let id = keywright_key::ids::ksuid();
/// assert_eq!(id.to_string().len(), 27);
/// ```
#[cfg(feature = "ksuid")]
pub fn ksuid() -> svix_ksuid::Ksuid {
    use svix_ksuid::KsuidLike;
    svix_ksuid::Ksuid::new(None::<std::time::SystemTime>, None)
}
