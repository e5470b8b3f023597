//! What prices take for granted is said, as long as the document does not state it.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use keywright_design::assumptions;
use keywright_finding::Level;

/// What is assumed of a document that reads well.
fn said(document: &str) -> Vec<String> {
    let (model, findings) = keywright_document::read_access_patterns(document);
    let wrong: Vec<&str> =
        findings.iter().filter(|it| it.level != Level::Note).map(|it| it.message.as_str()).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
    let said = assumptions(&model);
    for it in &said {
        assert!(!it.reason.is_empty() && it.span.end as usize <= document.len(), "{it:?}");
    }
    said.into_iter().map(|it| it.statement).collect()
}

const SILENT: &str = "\
# DynamoDB Access Patterns

## Entities

### Customer
- **Attributes**:
  - `customerId` (ulid, id)
  - `name` (string)
  - `city` (string)

### Order
- **Attributes**:
  - `orderId` (ulid, id)
  - `customerId` (ulid, ref Customer)
  - `status` (enum(OPEN, PAID, SENT), mutable)
  - `placedAt` (datetime, immutable)
  - `paidAt` (datetime, optional, mutable)
  - `updatedAt` (datetime, mutable)
- **Relationships**:
  - Belongs to a Customer

## Access Patterns

### Reads
| ID | Entity | Description | Input Parameters | Result | Sort | Paginated | Frequency | Consistency |
|---|---|---|---|---|---|---|---|---|
| AP-001 | Customer | Customers of a city | city | Collection | - | Yes | Warm | Eventual |
| AP-002 | Order | Orders in a state | status | Collection | placedAt desc | Yes | Hot | Eventual |
| AP-003 | Order | Orders of a customer since | customerId, placedAt >= since | Collection | placedAt desc | Yes | Warm | Eventual |

### Writes
| ID | Entity | Description | Input Parameters | Items Written | Frequency |
|---|---|---|---|---|---|
| AP-010 | Order | Change the state of an order | orderId, new status | update Order (status) | Cold |
";

#[test]
fn all_that_a_silent_document_leaves_open_is_said() {
    let said = said(SILENT);
    for wanted in [
        "there are 1000000 items of Customer",
        "there are 1000000 items of Order",
        "a value of name has 24 bytes",
        "50 % of all items of Order have paidAt",
        "items of Customer have 1000 different values of city",
        "each of the 3 values of status occurs in equally many items of Order",
        "the mean number of Order items of one Customer is 1",
        "any number of Order items may belong to one Customer",
        "every update of Order sets updatedAt",
        "one in 10 items is within the range of AP-003",
        "a page of AP-001 has 25 items",
        "Hot means 300 times a second, for AP-002",
        "Warm means 10 times a second, for AP-001 and one other pattern",
        "Cold means 0.1 times a second, for AP-010",
        "patterns without a stated peak never run more often than on average",
        "the hottest value of a key takes 10 times its even share of the traffic, where no skew is stated",
    ] {
        assert!(said.iter().any(|it| it == wanted), "not said: {wanted}\n{said:#?}");
    }
    // What nobody asks by has no spread that matters.
    assert!(!said.iter().any(|it| it.contains("values of name")), "{said:#?}");
}

#[test]
fn what_is_stated_is_not_assumed() {
    let stated = SILENT
        .replace("`name` (string)", "`name` (string, ~30 bytes)")
        .replace("`city` (string)", "`city` (string, ~12 bytes, ~300 values)\n- **Cardinality**: ~10K total\n- **Skew**: 5%")
        .replace("(datetime, optional, mutable)", "(datetime, optional, 20%, mutable)")
        .replace("  - `updatedAt` (datetime, mutable)\n", "")
        .replace(
            "  - Belongs to a Customer\n",
            "  - Belongs to a Customer\n- **Cardinality**: ~20 per customer, max 200 per customer, ~200K total\n- **Skew**: 5%\n",
        )
        .replace("| Paginated | Frequency |", "| Page Size | Frequency |")
        .replace("| Yes |", "| 20 |")
        .replace("| Warm |", "| Warm (10/s, peak 20/s) |")
        .replace("| Hot |", "| Hot (300/s, peak 900/s) |")
        .replace("| Cold |", "| Cold (0.1/s, peak 1/s) |");
    // No document can say these two otherwise.
    assert_eq!(
        said(&stated),
        [
            "each of the 3 values of status occurs in equally many items of Order",
            "one in 10 items is within the range of AP-003"
        ]
    );
}

#[test]
fn first_values_that_no_input_gives_are_said() {
    let said = said(
        "## Entities\n### Pet\n\
         - **Attributes**: petId (ulid, id), name (string, ~20 bytes), species (enum(DOG, CAT)), vip (boolean), \
         weight (integer), bornOn (date), note (string, optional)\n\
         - **Cardinality**: ~2M total\n\
         ## Access Patterns\n### Reads\n\
         | ID | Entity | Description | Input Parameters | Result | Rate |\n|---|---|---|---|---|---|\n\
         | AP-001 | Pet | Get a pet | petId | Single | 1 |\n\
         ### Writes\n\
         | ID | Entity | Description | Input Parameters | Items Written | Rate |\n|---|---|---|---|---|---|\n\
         | AP-002 | Pet | Register a pet | name | 1 (Pet) | 1 |\n\
         | AP-003 | Pet | Import a pet | name, species = CAT, vip, weight, bornOn | 1 (Pet) | 1 |\n",
    );
    let made: Vec<&String> = said.iter().filter(|it| it.contains(" creates ")).collect();
    assert_eq!(
        made,
        ["AP-002 creates a Pet with species = DOG, vip = false, weight = 0, bornOn = the day of the write"]
    );
}
