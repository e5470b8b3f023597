use keywright::Entity;

#[derive(Entity)]
#[entity(pk = "STORE#<country>", sk = "<state>#<city>#<store>")]
struct Store {
    country: String,
    state: String,
    city: String,
    store: String,
}

fn main() {
    let _ = StoreSortKey::prefix_city("Berlin");
}
