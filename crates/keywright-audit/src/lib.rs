//! Checks the certificate of a Design: that it costs what it says, and that no design in the space costs less.
//!
//! Nothing is shared with the designer but values. The canonical layouts are generated anew, prices come from a cost
//! function of its own, and what the tables say is checked by enumeration: every layout that could cost less than a
//! table says is looked at. What the certificate says of the document it was derived from is taken as it stands.
//!
//! ```text
//! facts ─paths─▶ layouts ─price─▶ least of an entity ─eliminate─▶ least of a component ─numbers of indexes─▶ bound
//!                           └tree▶ ends of decisions ┘
//! ```

mod arrange;
mod audit;
mod component;
mod eliminate;
mod entity;
mod enumerate;
mod money;
mod native;
mod numbers;
mod paths;
mod present;
mod price;
mod room;
mod serve;
mod set;
mod space;
mod superfluous;
mod together;
mod tree;
mod whole;

use std::collections::BTreeSet;

use keywright_dynamodb::Money;
use keywright_model::design::Total;
use keywright_model::{Certificate, Design};

/// What a check showed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// What the design costs per month, operational prices included.
    pub total: Money,
    /// What the certificate says that nothing is cheaper than.
    pub claimed: Money,
    /// What the tables show that nothing is cheaper than.
    pub shown: Money,
    /// Entities with more layouts than could be looked at: what is claimed of them counts for nothing here.
    pub too_large: BTreeSet<String>,
}

impl Verdict {
    /// Whether the tables show all that the certificate claims.
    pub fn is_shown(&self) -> bool {
        self.shown >= self.claimed
    }
}

/// Why a certificate is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// There is nothing to check.
    #[error("the certificate has no facts and no price tables to check")]
    NoProof,
    /// Positions or lists do not fit together.
    #[error("the parts of the certificate do not fit together")]
    Malformed,
    /// A layout that can't be.
    #[error(
        "a layout of {entity} leaves a pattern unserved, or has more indexes than its table of prices allows"
    )]
    Illegal {
        /// The entity.
        entity: String,
    },
    /// A layout costs something else.
    #[error("a layout of {entity} costs ${real} a month, but the certificate says ${claimed}")]
    Price {
        /// The entity.
        entity: String,
        /// What is written.
        claimed: Money,
        /// What it costs.
        real: Money,
    },
    /// A layout that is cheaper than all that are written down.
    #[error("a layout of {entity} costs ${price} a month, less than every layout in the certificate")]
    Missing {
        /// The entity.
        entity: String,
        /// What it costs.
        price: Money,
    },
    /// The entities of a component cost something else together.
    #[error(
        "{entities} cost at least {} together, but the certificate says {}",
        in_words(real),
        in_words(claimed)
    )]
    Sum {
        /// The entities.
        entities: String,
        /// What is written; none for impossible.
        claimed: Option<Money>,
        /// What it is.
        real: Option<Money>,
    },
    /// An entry of a table is not the least price of a subtree.
    #[error(
        "{entity} and the entities summed up with it cost at least {}, but the certificate says {}",
        in_words(real),
        in_words(claimed)
    )]
    Subtree {
        /// The entity that is summed out.
        entity: String,
        /// What is written; none for impossible.
        claimed: Option<Money>,
        /// What it is.
        real: Option<Money>,
    },
    /// The design costs something else.
    #[error("the design costs ${real} a month, but the certificate says ${claimed}")]
    Total {
        /// What is written.
        claimed: Money,
        /// What it costs.
        real: Money,
    },
    /// The number of GSIs is another.
    #[error("the design has or needs {needed} indexes, but the certificate says {claimed}")]
    Indexes {
        /// What is written.
        claimed: usize,
        /// What there are, or have to be.
        needed: usize,
    },
    /// The decisions about an entity leave something that could be cheaper.
    #[error("the decision tree of {entity} does not rule out a cheaper layout")]
    Undecided {
        /// The entity.
        entity: String,
    },
}

/// A price in words; none for what can't be.
fn in_words(price: &Option<Money>) -> String {
    price.map_or_else(|| "nothing, since no layout exists".to_owned(), |price| format!("${price} a month"))
}

/// Checks a design's certificate.
pub fn audit(design: &Design, certificate: &Certificate) -> Result<Verdict, Refusal> {
    audit_total(&design.total, design.indexes.len(), certificate)
}

/// Checks the certificate of a design that has this price and so many indexes.
pub fn audit_total(total: &Total, indexes: usize, certificate: &Certificate) -> Result<Verdict, Refusal> {
    audit::audit(total.bill + total.operational, indexes, certificate)
}
