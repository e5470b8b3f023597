//! Calls of the compat functions by the names that they have in TypeScript, with JSON arguments and results.

use keywright_key::{Instant, compat};
use serde_json::{Value, json};

/// The result as JavaScript would give it: what is none there (undefined, NaN, a thrown error) is null.
pub(crate) fn call(function: &str, arguments: &[Value]) -> Result<Value, String> {
    let text = |at: usize| arguments.get(at).and_then(Value::as_str);
    let need = |at: usize| text(at).ok_or_else(|| format!("{function} needs text as argument {at}"));
    let number = |at: usize| {
        arguments
            .get(at)
            .and_then(Value::as_i64)
            .ok_or_else(|| format!("{function} needs a number as argument {at}"))
    };
    let instant = |at: usize| Instant::parse(need(at)?).map_err(|error| error.to_string());
    Ok(match function {
        "removeSortKeyVersion" => json!(compat::remove_sort_key_version(need(0)?)),
        "addSortKeyVersion" => json!(compat::add_sort_key_version(need(0)?, number(1)?)),
        "getSortKeyVersion" => match compat::get_sort_key_version(need(0)?) {
            Some(version) if version.is_infinite() => json!(version.to_string().replace("inf", "Infinity")),
            Some(version) => json!(version),
            None => Value::Null,
        },
        "generateId" => json!(compat::generate_id(need(0)?, need(1)?)),
        "sortKeyBaseFromId" => json!(compat::sort_key_base_from_id(need(0)?, need(1)?)),
        "parseTwoSegmentPkSkFromId" => match compat::parse_two_segment_pk_sk_from_id(need(0)?) {
            Some((pk, sk)) => json!({ "pk": pk, "sk": sk }),
            None => Value::Null,
        },
        "getTenantCode" => json!(compat::get_tenant_code(need(0)?)),
        "masterPk" => json!(compat::master_pk(text(0))),
        "seqPk" => json!(compat::seq_pk(text(0))),
        "ttlSk" => json!(compat::ttl_sk(need(0)?)),
        "hashBucket" => json!(compat::hash_bucket(need(0)?, number(1)? as u32)),
        "reverseTimestamp" => json!(compat::reverse_timestamp(instant(0)?).ok()),
        "generateOrderItemSk" => json!(compat::generate_order_item_sk(need(0)?, need(1)?)),
        "parseOrderSk" => {
            let (prefix, order) = compat::parse_order_sk(need(0)?);
            json!({ "prefix": prefix, "orderId": order })
        }
        "parseOrderItemSk" => {
            let (prefix, order, item) = compat::parse_order_item_sk(need(0)?);
            json!({ "prefix": prefix, "orderId": order, "itemId": item })
        }
        "generateUserSk" => json!(compat::generate_user_sk(need(0)?, need(1)?)),
        "generateMasterSk" => json!(compat::generate_master_sk(need(0)?, need(1)?, need(2)?)),
        "generateLogKeys" => {
            let (pk, sk) = compat::generate_log_keys(need(0)?, instant(1)?, need(2)?);
            json!({ "pk": pk, "sk": sk })
        }
        _ => return Err(format!("there is no function {function}")),
    })
}
