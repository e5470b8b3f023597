//! DynamoDB's limits, each once, by the name that AWS gives it.
//!
//! Unless a comment says otherwise the source is the developer guide's page "Quotas in Amazon DynamoDB"
//! (`ServiceQuotas`, `Constraints`), as of November 2026. Sizes are bytes; DynamoDB's KB, MB and GB are
//! powers of two.

/// 1 KB as DynamoDB counts it.
pub const KB: u64 = 1024;
/// 1 MB as DynamoDB counts it.
pub const MB: u64 = 1024 * KB;
/// 1 GB as DynamoDB counts it.
pub const GB: u64 = 1024 * MB;

/// Longest partition key value; the shortest is 1 byte.
pub const PARTITION_KEY_BYTES: u64 = 2048;
/// Longest sort key value; the shortest is 1 byte.
pub const SORT_KEY_BYTES: u64 = 1024;
/// Longest name of an attribute that is a key of the table or of an index.
pub const KEY_NAME_BYTES: u64 = 255;
/// Longest name of any other attribute.
pub const ATTRIBUTE_NAME_BYTES: u64 = 64 * KB - 1;
/// Largest item, names included.
pub const ITEM_BYTES: u64 = 400 * KB;
/// Deepest nesting of lists and maps in one value.
pub const NESTING_LEVELS: usize = 32;

/// Shortest and longest table or index name.
pub const TABLE_NAME_LENGTH: std::ops::RangeInclusive<usize> = 3..=255;

/// Global secondary indexes per table: a quota that AWS raises on request.
pub const GLOBAL_SECONDARY_INDEXES: usize = 20;
/// Local secondary indexes per table.
pub const LOCAL_SECONDARY_INDEXES: usize = 5;
/// INCLUDE attributes over all indexes of a table; the same name in two indexes counts twice.
pub const PROJECTED_ATTRIBUTES: usize = 100;
/// HASH attributes of one global secondary index. Since November 2025: "Multi-attribute keys pattern".
pub const INDEX_HASH_ATTRIBUTES: usize = 4;
/// RANGE attributes of one global secondary index. Since November 2025: "Multi-attribute keys pattern".
pub const INDEX_RANGE_ATTRIBUTES: usize = 4;
/// Largest item collection of a table that has a local secondary index.
pub const ITEM_COLLECTION_BYTES: u64 = 10 * GB;

/// Actions in one TransactWriteItems or TransactGetItems; no two of them on one item.
pub const TRANSACTION_ACTIONS: usize = 100;
/// Bytes of all items of one transaction.
pub const TRANSACTION_BYTES: u64 = 4 * MB;
/// For how long a client request token makes a TransactWriteItems idempotent.
pub const IDEMPOTENCY_SECONDS: u64 = 600;
/// Keys in one BatchGetItem.
pub const BATCH_GET_KEYS: usize = 100;
/// Requests in one BatchWriteItem: puts and deletes, neither conditions nor updates.
pub const BATCH_WRITE_REQUESTS: usize = 25;
/// Bytes that one batch returns (BatchGetItem) or takes (BatchWriteItem).
pub const BATCH_BYTES: u64 = 16 * MB;
/// Bytes that one page of Query or Scan reads, before filters.
pub const PAGE_BYTES: u64 = MB;

/// Longest expression string.
pub const EXPRESSION_BYTES: usize = 4 * KB as usize;
/// Operators and functions in one condition, filter or update expression.
pub const EXPRESSION_OPERATORS: usize = 300;
/// Operands of one IN.
pub const IN_OPERANDS: usize = 100;
/// Bytes of all expression attribute names, and of all values, of one request.
pub const EXPRESSION_SUBSTITUTION_BYTES: u64 = 2 * MB;

/// Significant digits of a number. From "Supported data types".
pub const NUMBER_DIGITS: usize = 38;
/// Largest power of ten of a number's first digit: 9.99…E+125. From "Supported data types".
pub const NUMBER_LARGEST_EXPONENT: i32 = 125;
/// Smallest power of ten of a number's first digit: 1E-130. From "Supported data types".
pub const NUMBER_SMALLEST_EXPONENT: i32 = -130;

/// One read unit reads this much of an item. From "Capacity unit consumption".
pub const READ_UNIT_BYTES: u64 = 4 * KB;
/// One write unit writes this much of an item. From "Capacity unit consumption".
pub const WRITE_UNIT_BYTES: u64 = KB;
/// Read units per second that one partition bears. From "Best practices for partition keys".
pub const PARTITION_READ_UNITS: u64 = 3000;
/// Write units per second that one partition bears. From "Best practices for partition keys".
pub const PARTITION_WRITE_UNITS: u64 = 1000;
/// Seconds of unused capacity that a partition keeps for a burst. From "Burst and adaptive capacity".
pub const BURST_SECONDS: u64 = 300;
/// Read units per second that a new on-demand table takes at once. From "On-demand capacity mode".
pub const NEW_TABLE_READ_UNITS: u64 = 12_000;
/// Write units per second that a new on-demand table takes at once. From "On-demand capacity mode".
pub const NEW_TABLE_WRITE_UNITS: u64 = 4_000;

/// Bytes of storage that are billed in addition to each item and each index entry. From "Item sizes and
/// formats".
pub const STORAGE_OVERHEAD_BYTES: u64 = 100;
/// Hours for which a stream keeps a record.
pub const STREAM_HOURS: u64 = 24;
