//! What the values of a write take from the requests before it.

use std::collections::BTreeSet;

use keywright_model::design::{Value, else_in, sum_in};

/// Attributes that earlier requests read, each with the number of its request.
pub(crate) type Taken = BTreeSet<(u32, String)>;

/// Notes what a value takes from earlier requests.
pub(crate) fn note(value: &Value, taken: &mut Taken) {
    match value {
        Value::Read { request, attribute } => {
            taken.insert((*request, attribute.clone()));
        }
        Value::Sum { of, .. } => note(of, taken),
        Value::Template(text) => {
            let places = text.split('<').skip(1).filter_map(|part| part.split_once('>'));
            for (place, _) in places {
                let place = else_in(place).map_or(place, |(_, read)| read);
                let sides = sum_in(place).map_or([place, place], |(left, right, _)| [left, right]);
                for side in sides {
                    let name = side.split(':').next().unwrap_or(side);
                    if let Some((request, name)) = name.split_once('.')
                        && let Ok(request) = request.parse()
                    {
                        taken.insert((request, name.to_owned()));
                    }
                }
            }
        }
        Value::Input(_) | Value::Generated(_) | Value::Literal(_) => {}
    }
}
