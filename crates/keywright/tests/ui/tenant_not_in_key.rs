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

#[derive(Entity)]
#[entity(pk = "TENANT#<tenant:shard4>", sk = "<id>", tenant = tenant)]
struct ShardOfTenant {
    tenant: String,
    id: String,
}

fn main() {}
