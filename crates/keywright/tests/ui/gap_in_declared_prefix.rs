use keywright::Entity;

#[derive(Entity)]
#[entity(
    pk = "STORE#<country>",
    sk = "<state>#<city>#<store>",
    prefix(stores_of_city, sk, city)
)]
struct Store {
    country: String,
    state: String,
    city: String,
    store: String,
}

fn main() {}
