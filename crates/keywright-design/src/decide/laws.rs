//! What the laws and the operational prices are worth: shown beside the choice, not a part of it.

use keywright_dynamodb::Money;
use keywright_model::Certificate;

/// What the design would cost under other rules, where that was reckoned.
pub(crate) fn in_words(certificate: &Certificate) -> String {
    let mut text = String::new();
    if let Some(pure) = &certificate.pure_bill {
        text.push_str(&format!(
            "; with operational prices at zero, the bill would be {} a month",
            pure.bill.in_cents()
        ));
    }
    if let Some(price) = certificate.one_query {
        let (verb, amount) =
            if price < Money::ZERO { ("saves", Money::ZERO - price) } else { ("costs", price) };
        text.push_str(&format!(
            "; serving every multi-entity read with one Query {verb} {} a month, operational prices included",
            amount.in_cents()
        ));
    }
    text
}
