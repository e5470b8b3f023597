//! The catalogue as it was agreed: every rule is there, at the level that it was given.

use keywright_finding::Level;

/// What fails a run.
const ERRORS: &[&str] = &[
    "ambiguous-prefix",
    "collection-mismatch",
    "create-cycle",
    "duplicate-pattern-id",
    "empty-key",
    "extra-mapping",
    "get-item-on-index",
    "hot-index",
    "hot-partition",
    "illegal-key-condition",
    "inconsistent-padding",
    "inverted-out-of-range",
    "key-collision",
    "key-too-long",
    "local-index-growth",
    "missing-inputs",
    "missing-pattern-id",
    "missing-prefix",
    "missing-projection",
    "missing-result",
    "missing-tie-breaker",
    "moved-key",
    "non-atomic-counter",
    "oversized-batch",
    "oversized-item",
    "oversized-transaction",
    "partial-key-get",
    "reversed-between",
    "same-item-twice",
    "sample-mismatch",
    "scan",
    "separator-in-value",
    "several-ttl-attributes",
    "split-multi-entity-read",
    "stale-sparse-entry",
    "strong-read-on-index",
    "tenant-not-in-partition-key",
    "too-many-indexes",
    "ttl-not-epoch-seconds",
    "unaddressable-write",
    "unbounded-list",
    "uncovered-projection",
    "unescaped-reserved-word",
    "unguarded-create",
    "unguarded-uniqueness",
    "unknown-attribute",
    "unknown-entity",
    "unmapped-pattern",
    "unmarked-multi-entity",
    "unnormalised-tenant",
    "unpadded-number-in-sort-key",
    "unpopulated-index",
    "unsortable-date",
    "unsorted-result",
    "unstated-transaction",
    "version-in-data-key",
    "wrong-order-claim",
];

/// What is likely a mistake. Rules that judge capacity are among them: numbers make them errors or notes.
const WARNINGS: &[&str] = &[
    "date-partition-key",
    "descriptive-key-name",
    "duplicate-index",
    "entity-without-pattern",
    "filter-as-access",
    "growing-collection",
    "index-per-pattern",
    "low-cardinality-partition-key",
    "lower-case-prefix",
    "meaningless-sort-key",
    "missing-type-attribute",
    "mixed-separators",
    "mutable-attribute-in-key",
    "one-way-many-to-many",
    "open-prefix",
    "overloaded-sort-key",
    "overly-granular-partition-key",
    "pattern-free-write",
    "sequential-partition-key",
    "serial-requests",
    "shared-index-attribute",
    "static-partition-key",
    "timestamp-only-key",
    "unenforced-condition",
    "uneven-partition-key",
    "unknown-to-client",
    "unpaginated-collection",
    "unstated-sort",
    "unused-index",
    "vague-pattern",
    "version-unchecked-update",
    "write-amplification",
];

/// What is worth knowing.
const NOTES: &[&str] = &["full-key-query", "key-in-pattern", "missing-volume", "never-created"];

#[test]
fn every_rule_has_the_level_that_was_agreed_on() {
    let rules = keywright_lint::rules();
    for (level, names) in [(Level::Error, ERRORS), (Level::Warning, WARNINGS), (Level::Note, NOTES)] {
        for name in names {
            let rule = rules.iter().find(|rule| rule.name() == *name);
            assert_eq!(rule.map(|rule| rule.level()), Some(level), "{name}");
        }
    }
}

#[test]
fn no_name_is_taken_twice() {
    let mut names: Vec<&str> = keywright_lint::rules().iter().map(|rule| rule.name()).collect();
    names.sort_unstable();
    let count = names.len();
    names.dedup();
    assert_eq!(names.len(), count);
}
