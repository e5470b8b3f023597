use keywright::Entity;

#[derive(Entity)]
#[entity(
    pk = "TENANT#<tenant>#USER#<user>",
    index(GSI1, pk = "EMAIL#<email>"),
    tenant = tenant
)]
struct User {
    tenant: String,
    user: String,
    email: String,
}

fn main() {}
