use keywright::{Entity, Instant};

#[derive(Entity)]
#[entity(
    pk = "CUSTOMER#<customer>",
    sk = "ORDER#<placed_at>#<order>",
    index(GSI1, pk = "COURIER#<courier>", sk = "<placed_at:isodesc>", sparse)
)]
struct Order {
    customer: String,
    order: String,
    placed_at: Instant,
    courier: Option<String>,
}

fn main() {
    let order = Order {
        customer: "c1".into(),
        order: "o1".into(),
        placed_at: Instant::EPOCH,
        courier: None,
    };
    assert!(order.primary_key().is_ok());
    assert!(OrderSortKey::prefix_placed_at(Instant::EPOCH).is_ok());
}
