//! The section Validation of a design: one line per check with the number of things it looked at; a check that was not
//! made is a line without a tick.

use keywright_design::PartitionHeat;
use keywright_document::Check;
use keywright_dynamodb::Money;
use keywright_dynamodb::limits::{PARTITION_READ_UNITS, PARTITION_WRITE_UNITS, TRANSACTION_ACTIONS};
use keywright_finding::{Finding, Level};
use keywright_model::design::{Action, DesignSource, Request};
use keywright_model::{Certificate, Design, Evidence, Model};

use crate::derivation::RULE_ON_BASE;
use crate::words::counted;

/// The design to validate, with everything that is known about it.
pub(crate) struct Validated<'v> {
    pub(crate) model: &'v Model,
    pub(crate) design: &'v Design,
    /// The design of the table that this one extends.
    pub(crate) base: Option<&'v Design>,
    pub(crate) heat: &'v [PartitionHeat],
    /// How many errors and warnings were found while the document was read and designed.
    pub(crate) found: usize,
    pub(crate) certificate: Option<&'v Certificate>,
    /// The evidence of a proof, if there was one.
    pub(crate) evidence: Option<&'v Evidence>,
}

/// The rules over patterns that find a missing id, input, result or mark.
const PATTERN_RULES: [&str; 5] = [
    "missing-inputs",
    "missing-pattern-id",
    "missing-result",
    "unmarked-multi-entity",
    "unstated-transaction",
];

/// Rules that together say one thing, and what they looked at.
struct Judged {
    statement: &'static str,
    looked_at: (usize, &'static str),
    rules: &'static [&'static str],
}

impl Validated<'_> {
    /// The lines, in the order of a review: the patterns, partitions, keys, reads, writes, then what was run and reckoned.
    pub(crate) fn checks(&self) -> Vec<Check> {
        let mut checks = vec![self.patterns()];
        checks.extend(self.heat());
        checks.extend(self.rates());
        let findings = keywright_lint::designs_on_base(
            self.design,
            &DesignSource::default(),
            Some(self.model),
            self.base,
        );
        let alarms: Vec<&Finding> = findings.iter().filter(|it| it.level >= Level::Warning).collect();
        let judged = self.judged();
        checks.extend(judged.iter().filter(|it| it.looked_at.0 > 0).map(|it| it.check(&alarms)));
        checks.push(self.transactions());
        // Keys that move were found on the way.
        let of_design = alarms.iter().filter(|it| it.rule.name() != RULE_ON_BASE).count();
        checks.push(all_rules(self.found + of_design));
        checks.push(self.proof());
        checks.push(self.optimum());
        checks
    }

    /// Whether the patterns state everything that a design needs.
    fn patterns(&self) -> Check {
        let findings = keywright_lint::patterns(self.model);
        let lacking = findings.iter().filter(|it| PATTERN_RULES.contains(&it.rule.name())).count();
        let count = counted(self.model.patterns.len(), "pattern");
        let statement = match lacking {
            0 => {
                format!(
                    "Every pattern has an id, inputs, a result or items written, and its required columns ({count})"
                )
            }
            _ => format!(
                "Every pattern has an id, inputs, a result or items written, and its required columns: {}",
                counted(lacking, "finding")
            ),
        };
        Check { statement, holds: lacking == 0 }
    }

    /// The load of the hottest partition.
    fn heat(&self) -> Vec<Check> {
        let Some(hottest) = self.heat.first() else {
            let statement = "The load of partitions was not checked: it is known only for a derived design";
            return vec![Check { statement: statement.to_owned(), holds: false }];
        };
        let fits = |it: &PartitionHeat| {
            it.read_units <= PARTITION_READ_UNITS && it.write_units <= PARTITION_WRITE_UNITS
        };
        let asked = |it: &PartitionHeat| {
            format!(
                "{} of {} takes up to {} of {PARTITION_READ_UNITS} read units and {} of {PARTITION_WRITE_UNITS} write units \
                 a second",
                it.partition, it.place, it.read_units, it.write_units
            )
        };
        let hot: Vec<&PartitionHeat> = self.heat.iter().filter(|it| !fits(it)).collect();
        let kinds = counted(self.heat.len(), "kind");
        let statement = match hot.as_slice() {
            [] => format!(
                "No partition is too hot ({kinds} of partition keys checked); the hottest: {}",
                asked(hottest)
            ),
            hot => {
                let each: Vec<String> = hot.iter().map(|it| asked(it)).collect();
                format!(
                    "No partition is too hot ({kinds} of partition keys checked), except: {}",
                    each.join("; ")
                )
            }
        };
        vec![Check { statement, holds: hot.is_empty() }]
    }

    /// Loads and prices are as good as the rates behind them.
    fn rates(&self) -> Option<Check> {
        let unstated: Vec<&str> = self
            .model
            .patterns
            .iter()
            .filter(|pattern| pattern.rate.is_none() && pattern.frequency.is_none())
            .map(|pattern| pattern.id.as_str())
            .collect();
        (!unstated.is_empty()).then(|| Check {
            statement: format!(
                "The rates of {} were not checked: the document states none, so the default is used",
                unstated.join(", ")
            ),
            holds: false,
        })
    }

    fn judged(&self) -> [Judged; 9] {
        let operations = &self.design.operations;
        let requests = || operations.iter().flat_map(|operation| &operation.requests);
        let reads = || operations.iter().filter(|it| !it.outcome.items.is_empty());
        let several = reads().filter(|it| it.outcome.items.len() > 1).count();
        let sorted = reads().filter(|it| !it.outcome.order.is_empty()).count();
        let on_index =
            requests().filter(|it| matches!(it, Request::Query(query) if query.index.is_some())).count();
        let actions = || requests().flat_map(Request::actions);
        let puts = actions().filter(|it| matches!(it, Action::Put(_))).count();
        let keys: usize = self.design.items.iter().map(|item| item.keys.len()).sum();
        [
            Judged {
                statement: "Keys of different item types never collide, and none is a prefix of another",
                looked_at: (self.design.items.len(), "item type"),
                rules: &["ambiguous-prefix", "key-collision", "missing-prefix", "open-prefix"],
            },
            Judged {
                statement: "Numbers and dates in keys sort as their values do",
                looked_at: (keys, "key"),
                rules: &[
                    "inconsistent-padding",
                    "inverted-out-of-range",
                    "unpadded-number-in-sort-key",
                    "unsortable-date",
                    "wrong-order-claim",
                ],
            },
            Judged {
                statement: "Keys and items are within DynamoDB's limits",
                looked_at: (self.design.items.len(), "item type"),
                rules: &["empty-key", "key-too-long", "oversized-item", "unbounded-list"],
            },
            Judged {
                statement: "Every read of several entities is one Query",
                looked_at: (several, "read"),
                rules: &["split-multi-entity-read"],
            },
            Judged {
                statement: "Every list is returned in the order that its pattern states",
                looked_at: (sorted, "read"),
                rules: &["unsorted-result"],
            },
            Judged {
                statement: "Every index holds the items and projects the attributes that its reads return",
                looked_at: (on_index, "Query"),
                rules: &[
                    "missing-projection",
                    "stale-sparse-entry",
                    "uncovered-projection",
                    "unpopulated-index",
                ],
            },
            Judged {
                statement: "Every write has the whole key of each item that it touches",
                looked_at: (actions().count(), "action"),
                rules: &["same-item-twice", "unaddressable-write"],
            },
            Judged {
                statement: "No put overwrites an item that it did not check, and unique values are guarded",
                looked_at: (puts, "put"),
                rules: &["unguarded-create", "unguarded-uniqueness", "version-unchecked-update"],
            },
            Judged {
                statement: "No write causes excessive write amplification",
                looked_at: (actions().count(), "action"),
                rules: &["write-amplification"],
            },
        ]
    }

    fn transactions(&self) -> Check {
        let mut sizes: Vec<(usize, &str)> = Vec::new();
        for operation in &self.design.operations {
            for request in &operation.requests {
                if let Request::TransactWriteItems { actions } = request {
                    sizes.push((actions.len(), &operation.pattern));
                }
            }
        }
        let Some((largest, pattern)) = sizes.iter().rev().max_by_key(|(size, _)| *size) else {
            return Check { statement: "No write is a transaction".to_owned(), holds: true };
        };
        Check {
            statement: format!(
                "Every transaction has at most {TRANSACTION_ACTIONS} actions ({}, the largest in {pattern} with {largest})",
                counted(sizes.len(), "transaction"),
            ),
            holds: *largest <= TRANSACTION_ACTIONS,
        }
    }

    fn proof(&self) -> Check {
        let all = self.model.patterns.len();
        match self.evidence {
            Some(evidence) => Check {
                statement: format!(
                    "Every pattern was run on an engine and returned what the document describes ({} of {all}{})",
                    evidence.held,
                    match evidence.unchecked().len() {
                        0 => String::new(),
                        left => format!("; {} left unchecked, see Proof", counted(left, "property")),
                    }
                ),
                holds: evidence.held as usize == all && evidence.unchecked().is_empty(),
            },
            None => Check {
                statement: "No pattern was run on an engine: run `keywright prove` or `keywright build`"
                    .to_owned(),
                holds: false,
            },
        }
    }

    fn optimum(&self) -> Check {
        let total = self.design.total.bill + self.design.total.operational;
        match self.certificate {
            Some(certificate) if certificate.optimal => Check {
                statement: format!(
                    "No design in the search space costs less than {} a month, operational prices included",
                    total.in_cents()
                ),
                holds: true,
            },
            Some(certificate) => Check {
                statement: format!(
                    "The optimum was not proven: a design could cost at most {} less than {} a month",
                    certificate.gap.max(Money::ZERO).in_cents(),
                    total.in_cents()
                ),
                holds: false,
            },
            None => Check { statement: "The optimum was not checked".to_owned(), holds: false },
        }
    }
}

impl Judged {
    fn check(&self, alarms: &[&Finding]) -> Check {
        let found: Vec<&str> =
            alarms.iter().map(|it| it.rule.name()).filter(|name| self.rules.contains(name)).collect();
        let looked_at = counted(self.looked_at.0, self.looked_at.1);
        let mut names = found.clone();
        names.dedup();
        let statement = match found.as_slice() {
            [] => format!("{} ({looked_at})", self.statement),
            _ => format!(
                "{} ({looked_at}), except {} of {}",
                self.statement,
                counted(found.len(), "finding"),
                names.join(", ")
            ),
        };
        Check { statement, holds: found.is_empty() }
    }
}

/// All rules, those that no line names among them.
fn all_rules(alarms: usize) -> Check {
    let rules =
        keywright_lint::rules().len() + keywright_design::RULES.len() + keywright_document::RULES.len();
    let except = if alarms == 0 { String::new() } else { format!(", except {alarms}") };
    let statement =
        format!("No error or warning from {rules} rules over documents, patterns and designs{except}");
    Check { statement, holds: alarms == 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::catalogue;

    #[test]
    fn every_rule_that_a_line_names_is_in_the_catalogue() {
        let (model, design) = (Model::default(), Design::default());
        let validated = Validated {
            model: &model,
            design: &design,
            base: None,
            heat: &[],
            found: 0,
            certificate: None,
            evidence: None,
        };
        let judged = validated.judged();
        let of_designs = judged.iter().flat_map(|it| it.rules).copied();
        let named: Vec<&str> = of_designs.chain(PATTERN_RULES).chain([RULE_ON_BASE]).collect();
        let catalogue = catalogue();
        let unknown: Vec<&str> = named.into_iter().filter(|name| catalogue.get(name).is_none()).collect();
        assert!(unknown.is_empty(), "{unknown:?}");
    }
}
