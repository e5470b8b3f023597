//! Generated models of any size: shops beside each other, no two alike, the same for the same seed.
//!
//! A shop is seven entities that are read together in several ways: customers with their addresses and orders, orders
//! with their lines and payments, products with their reviews. Beside its 36 usual patterns it gets as many others as
//! are asked for: by one or two attributes, in some order, of all or of a few attributes, one in eight of them strong.

#![allow(dead_code, reason = "each bench and test uses its own part")]

use crate::support::dice::Dice;
use crate::support::{Doc, doc};

/// The entities of one shop.
const ENTITIES: usize = 7;
/// The patterns that every shop has.
const USUAL: usize = 36;

/// A model of about so many entities and patterns: whole shops, with the patterns spread evenly over them.
pub(crate) fn model(entities: usize, patterns: usize) -> Doc {
    let shops = (entities / ENTITIES).max(1);
    let mut dice = Dice(7);
    let mut model = doc("Shops");
    for shop in 0..shops {
        let before = model.0.patterns.len();
        let share = patterns * (shop + 1) / shops - patterns * shop / shops;
        model = usual(model, shop, &mut dice);
        assert_eq!(model.0.patterns.len() - before, USUAL, "a shop has its usual patterns");
        for more in USUAL..share {
            model = unusual(model, shop, more, &mut dice);
        }
        model.0.patterns.truncate(before + share);
    }
    model
}

/// One entity that is listed by each of so many attributes, and once more by the first in another order: as many indexes
/// as a table can have, when there is one attribute more than that.
pub(crate) fn wide(attributes: usize) -> Doc {
    let names: Vec<String> = (0..attributes).map(|at| format!("a{at:02}")).collect();
    let declared: Vec<String> = names.iter().map(|name| format!("{name}:string:5000values")).collect();
    let mut dice = Dice(11);
    let mut model =
        doc("Wide").entity("Thing", 1_000_000, &format!("thingId:ulid:id, {}", declared.join(", ")));
    for (at, name) in names.iter().enumerate() {
        let result = format!("page {}", dice.pick(&[10, 25, 100]));
        model = model.read(&format!("AP-{at}"), "Thing", name, &result, dice.pick(&[1, 3, 10, 40]));
    }
    let last = &names[names.len() - 1];
    model = model.read("AP-first", "Thing", &names[0], &format!("page 25 by {last} desc"), 3);
    model.write("AP-create", "create Thing", &names.join(", "), 5)
}

/// A name within a shop.
fn name(shop: usize, entity: &str) -> String {
    format!("{entity}{shop}")
}

/// One shop with its usual patterns.
fn usual(model: Doc, shop: usize, dice: &mut Dice) -> Doc {
    let of = |entity: &str| name(shop, entity);
    let (customer, address, order, line) = (of("Customer"), of("Address"), of("Order"), of("Line"));
    let (payment, product, review) = (of("Payment"), of("Product"), of("Review"));
    let thousands = 1 + dice.roll(1_000);
    let bound = dice.pick(&[None, Some(20), Some(100)]);
    let rate = |dice: &mut Dice| dice.pick(&[1, 3, 10, 40]);
    let id = |at: usize| format!("AP-{shop}-{at}");
    let mut model = model
        .entity(
            &customer,
            1_000 * thousands,
            "customerId:ulid:id, email:string:unique, region:string:40values, tier:enum(FREE|PLUS|GOLD):mutable, \
             name:string, joinedAt:datetime",
        )
        .entity(&address, 2_000 * thousands, "addressId:ulid:id, customerId:ulid, country:string:90values, text:text")
        .entity(
            &order,
            20_000 * thousands,
            "orderId:ulid:id, customerId:ulid, status:enum(OPEN|PAID|SENT|DONE):mutable, placedAt:datetime, \
             store:string:300values, total:integer:max999999, note:text:900B:optional",
        )
        .entity(
            &line,
            60_000 * thousands,
            "lineId:ulid:id, orderId:ulid, productId:ulid, quantity:integer:max9999, price:integer:max999999",
        )
        .entity(
            &payment,
            21_000 * thousands,
            "paymentId:ulid:id, orderId:ulid, state:enum(NEW|HELD|PAID|VOID):mutable, paidAt:datetime:optional, \
             method:string:12values, details:text:1500B",
        )
        .entity(
            &product,
            100 * thousands,
            "productId:ulid:id, sku:string:unique, category:string:60values, brand:string:400values, \
             price:integer:max999999:mutable, listedAt:datetime, text:text:3000B",
        )
        .entity(
            &review,
            300 * thousands,
            "reviewId:ulid:id, productId:ulid, customerId:ulid, stars:integer:max9, writtenAt:datetime, text:text:700B",
        )
        .belongs(&address, &customer, "customerId", 2, bound)
        .belongs(&order, &customer, "customerId", 20, dice.pick(&[None, None, Some(500)]))
        .belongs(&line, &order, "orderId", 3, Some(50))
        .belongs(&payment, &order, "orderId", 1, dice.pick(&[None, Some(5)]))
        .belongs(&review, &product, "productId", 3, None);
    let with = |one: &str, other: &str| format!("{one}, {other}");
    let reads: [(String, &str, &str); 20] = [
        (customer.clone(), "customerId", "single"),
        (customer.clone(), "email", "single"),
        (customer.clone(), "region, tier", "page 25 by joinedAt desc"),
        (with(&customer, &address), "customerId", "all"),
        (with(&customer, &order), "customerId", "page 25 by orderId desc"),
        (address.clone(), "customerId, country", "all"),
        (order.clone(), "orderId", "single"),
        (order.clone(), "customerId, status", "page 25 by placedAt desc"),
        (order.clone(), "status=OPEN", "page 50 by placedAt returns orderId+placedAt"),
        (order.clone(), "store, >= placedAt, <= placedAt", "page 25 by placedAt returns orderId+total"),
        (with(&order, &line), "orderId", "all"),
        (line.clone(), "productId", "page 25"),
        (payment.clone(), "orderId", "all"),
        (payment.clone(), "method, >= paidAt, <= paidAt", "page 100 by paidAt"),
        (product.clone(), "productId", "single"),
        (product.clone(), "sku", "single"),
        (product.clone(), "category", "page 25 by price"),
        (product.clone(), "brand", "page 25 by listedAt desc returns productId+price"),
        (with(&product, &review), "productId", "page 10 by writtenAt desc"),
        (review.clone(), "customerId", "page 25 by writtenAt desc"),
    ];
    for (at, (entities, inputs, result)) in reads.iter().enumerate() {
        model = model.read(&id(at), entities, inputs, result, rate(dice));
    }
    let writes: [(String, &str); 16] = [
        (format!("create {customer}"), "email, region, tier, name"),
        (format!("update {customer}"), "customerId, new tier"),
        (format!("update {customer}"), "customerId, new name"),
        (format!("create {address}"), "customerId, country, text"),
        (format!("delete {address}"), "customerId, addressId"),
        (format!("create {order}"), "customerId, status, store, total"),
        (format!("update {order}"), "orderId, new status"),
        (format!("update {order}"), "orderId, new note"),
        (format!("create {line}"), "orderId, productId, quantity, price"),
        (format!("update {line}"), "orderId, lineId, new quantity"),
        (format!("create {payment}"), "orderId, state, method, details"),
        (format!("update {payment}"), "orderId, paymentId, new state"),
        (format!("create {product}"), "sku, category, brand, price, text"),
        (format!("update {product}"), "productId, new price"),
        (format!("create {review}"), "productId, customerId, stars, text"),
        (format!("delete {review}"), "productId, reviewId"),
    ];
    for (at, (effects, inputs)) in writes.iter().enumerate() {
        model = model.write(&id(reads.len() + at), effects, inputs, rate(dice));
    }
    model
}

/// What an unusual read may ask of an entity: inputs, orders, lists of attributes.
type Asks = (&'static str, &'static [&'static str], &'static [&'static str], &'static [&'static str]);

const ASKS: [Asks; ENTITIES] = [
    (
        "Customer",
        &["region", "tier", "region, tier"],
        &["by joinedAt desc", "by name", ""],
        &["customerId+name"],
    ),
    (
        "Address",
        &["customerId", "country", "customerId, country"],
        &["", "by addressId"],
        &["addressId+country"],
    ),
    (
        "Order",
        &["customerId", "status", "store", "store, status", "customerId, store", "customerId, status"],
        &["by placedAt desc", "by placedAt", "by total desc", ""],
        &["orderId+total", "orderId+placedAt", "orderId+status"],
    ),
    (
        "Line",
        &["orderId", "productId", "orderId, productId"],
        &["by quantity desc", ""],
        &["lineId+quantity"],
    ),
    (
        "Payment",
        &["orderId", "method", "state", "method, state"],
        &["by paidAt desc", ""],
        &["paymentId+state"],
    ),
    (
        "Product",
        &["category", "brand", "category, brand"],
        &["by price", "by price desc", "by listedAt desc", ""],
        &["productId+price", "productId+sku"],
    ),
    (
        "Review",
        &["productId", "customerId", "productId, stars", "customerId, stars"],
        &["by writtenAt desc", "by stars desc", ""],
        &["reviewId+stars"],
    ),
];

/// One more read of some entity of the shop, or one more write.
fn unusual(model: Doc, shop: usize, at: usize, dice: &mut Dice) -> Doc {
    let id = format!("AP-{shop}-{at}");
    let (entity, inputs, orders, lists) = ASKS[at % ENTITIES];
    let entity = name(shop, entity);
    let rate = dice.pick(&[1, 3, 10]);
    if dice.roll(8) == 0 {
        let inputs = match ASKS[at % ENTITIES].0 {
            "Customer" => "customerId, new tier",
            "Address" => "customerId, addressId, new text",
            "Order" => "customerId, orderId, new total",
            "Line" => "orderId, lineId, new price",
            "Payment" => "orderId, paymentId, new details",
            "Product" => "productId, new text",
            _ => "productId, reviewId, new text",
        };
        return model.write(&id, &format!("update {entity}"), inputs, rate);
    }
    let order = dice.pick(orders);
    let list = if dice.roll(3) == 0 { format!("returns {}", dice.pick(lists)) } else { String::new() };
    let result = format!("page {} {order} {list}", dice.pick(&[10, 25, 100]));
    let result = result.split_whitespace().collect::<Vec<_>>().join(" ");
    model.read(&id, &entity, dice.pick(inputs), &result, rate)
}
