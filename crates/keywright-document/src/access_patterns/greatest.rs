//! Values beyond what an attribute may have: `beds = 7`, where it has at most 4.

use std::collections::BTreeMap;

use keywright_model::model::{Entity, Literal, Pattern};

use super::remarks::Remarks;

/// Says of every fixed number whether it is more than its attribute's maximum.
pub(super) fn report(entities: &[Entity], patterns: &[Pattern], remarks: &mut Remarks) {
    let known: BTreeMap<&str, &Entity> = entities.iter().map(|it| (it.name.as_str(), it)).collect();
    for input in patterns.iter().flat_map(Pattern::inputs) {
        let Some(Literal::Number(number)) = &input.constant else { continue };
        let Ok(value) = number.parse::<f64>() else { continue };
        for bind in &input.binds {
            let entity = known.get(bind.entity.as_str());
            let max = entity.and_then(|it| it.attribute(&bind.attribute)).and_then(|it| it.max.as_ref());
            // No maximum that anybody writes is too great to be compared so.
            #[allow(clippy::cast_precision_loss, reason = "only the order matters")]
            if let Some(max) = max.filter(|max| value > max.value as f64) {
                remarks.doubt(
                    input.span,
                    format!("`{} = {number}` is more than {bind} may be, which is {}", input.name, max.value),
                    format!("write a value up to {}, or another `max` behind the attribute", max.value),
                );
            }
        }
    }
}
