//! The rules that designing itself checks: what makes a document impossible to serve, or only partly.

use keywright_finding::{Group, Rule};

macro_rules! rules {
    ($($level:ident $name:ident = $text:literal in $group:ident: $summary:literal;)*) => {
        $(
            #[doc = $summary]
            pub(crate) static $name: Rule = Rule::$level(
                $text,
                Group::$group,
                $summary,
                include_str!(concat!("rules/", $text, ".md")),
            );
        )*
        /// All rules of this crate, for the program's catalogue.
        pub static RULES: &[&Rule] = &[$(&$name),*];
    };
}

rules! {
    error NO_PATTERNS = "no-patterns" in Patterns: "a document without a single access pattern";
    error NO_IDENTITY = "no-identity" in Patterns: "an entity without an attribute that identifies its items";
    error TOO_MANY_ATTRIBUTES = "too-many-attributes" in Patterns: "an entity with more attributes than the \
                                                                    search supports";
    error TOO_MANY_ITEMS = "too-many-items" in Patterns: "more items of an entity than prices are reckoned for";
    error ITEM_TOO_LARGE = "item-too-large" in Indexes: "an item larger than DynamoDB's 400 KB";
    error UNSERVABLE_PATTERN = "unservable-pattern" in Patterns: "a pattern that no design within DynamoDB's limits serves";
    error MISSING_KEY_INPUT = "missing-key-input" in Patterns: "a write that can't address its item with \
                                                                the inputs it has";
    error NEEDS_TOO_MANY_INDEXES = "needs-too-many-indexes" in Indexes: "patterns that need more indexes than a table may have";
    error TOO_HOT = "too-hot" in Keys: "more load on one key or item than a partition can serve";
    error BASE_NOT_EXTENDABLE = "base-not-extendable" in Keys: "a base design whose keys can't be read as \
                                                                the document's attributes";
    error KEY_MUST_MOVE = "key-must-move" in Keys: "a pattern that the existing keys of a table can't serve";
    warning AMBIGUOUS_SINGLE = "ambiguous-single" in Patterns: "a read of one item by attributes that are not unique";
    warning FORCED_TRANSACTION = "forced-transaction" in Operations: "a write that must be a transaction though the document says No";
    warning TRANSACTION_IN_PARTS = "transaction-in-parts" in Operations: "a transaction over more items \
                                                                          than DynamoDB allows";
    warning TRANSACTION_CONFLICTS = "transaction-conflicts" in Operations: "an item that takes part in so many transactions that they cancel each other";
    warning CONDITION_NOT_ENFORCED = "condition-not-enforced" in Operations: "a condition that no operation enforces";
    warning VALUE_NOT_GIVEN = "value-not-given" in Patterns: "a create without a value for a required \
                                                              attribute";
    warning TENANT_OUTSIDE_KEY = "tenant-outside-key" in Keys: "an entity of a tenant whose keys do not begin with it";
    warning PARENT_CYCLE = "parent-cycle" in Patterns: "entities that are each other's parents";
}
