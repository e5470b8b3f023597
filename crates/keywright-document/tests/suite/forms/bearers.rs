//! Whose attribute a condition is about, and which items the inputs of a write change.

use keywright_document::read_access_patterns;
use keywright_model::Model;

use crate::forms::music::{conditions, effects, inputs};

const AIR: &str = "\
## Entities
### Flight
- flightNo: string, id
- gate: string, optional, mutable
- seatsLeft: integer, mutable
- status: enum(SCHEDULED, CLOSED), mutable
### Seat
- flightNo: string, id, ref Flight
- seatNo: string, id
- state: enum(FREE, TAKEN), mutable
- bookingId: ulid, optional, mutable, ref Booking
- passenger: string, optional, mutable
### Booking
- bookingId: ulid, id
- flightNo: string, ref Flight
- seatNo: string
- passenger: string
- price: integer
- state: enum(HELD, PAID), mutable
### Tariff
- code: string, id
- region: string, id
- floor: integer, mutable
- label: string
- Unique: region + label
## Access Patterns
### Writes
| ID | Entity | Description | Input Parameters | Items Written | Transaction | Conditions |
|---|---|---|---|---|---|---|
";

/// The Model of one row, and what was assumed of its conditions.
fn write(entity: &str, description: &str, given: &str, items: &str, must: &str) -> (Model, Vec<String>) {
    let row = format!("| AP-1 | {entity} | {description} | {given} | {items} | Yes | {must} |");
    let (model, findings) = read_access_patterns(&format!("{AIR}{row}\n"));
    let said = findings.into_iter().filter(|it| it.message.contains(" as a condition on "));
    let said = said.map(|it| format!("{}: {}", it.message, it.help.unwrap_or_default())).collect();
    (model, said)
}

/// What the conditions of a booking mean.
fn booking(must: &str) -> (Vec<String>, Vec<String>) {
    let given = "flightNo, seatNo, passenger, price";
    let (model, said) =
        write("Booking", "Book a seat", given, "Booking + Seat (SET bookingId, state = TAKEN)", must);
    (conditions(&model), said)
}

#[test]
fn nothing_holds_of_what_comes_to_be() {
    let (found, said) = booking("bookingId must be empty");
    assert_eq!(found, ["Seat.bookingId is empty"]);
    assert_eq!(
        said,
        [
            "read \"bookingId must be empty\" as a condition on Seat.bookingId: a new Booking has no earlier value; write \
          `Seat.bookingId must be empty` to say so"
        ]
    );
    assert_eq!(booking("bookingId must not exist").0, ["Seat.bookingId is empty"]);
    assert_eq!(booking("state must be FREE").0, ["Seat.state = \"FREE\""]);
    assert_eq!(booking("passenger must not be set").0, ["Seat.passenger is empty"]);
    // What is said outright is not weighed.
    assert_eq!(booking("Seat.bookingId must be empty"), (vec!["Seat.bookingId is empty".to_owned()], vec![]));
}

#[test]
fn a_parent_whose_key_is_given_may_be_what_is_meant() {
    let (found, said) = booking("status must be SCHEDULED");
    assert_eq!(found, ["Flight.status = \"SCHEDULED\""]);
    assert!(
        said[0].contains("no item of the pattern has that attribute, and the whole key of Flight is given"),
        "{said:?}"
    );
    assert!(said[0].ends_with("write `Flight.status must be SCHEDULED` to say so"), "{said:?}");
    assert_eq!(
        booking("seatsLeft >= 1; the flight's gate must be set").0,
        ["Flight.seatsLeft >= \"1\"", "Flight.gate is set"]
    );
    // Nobody gives the region of a tariff.
    assert_eq!(booking("floor <= price").0, ["words"]);
    let (model, _) = write("Seat", "Add a seat", "seatNo, flight_no", "new Seat", "status must be SCHEDULED");
    assert_eq!(conditions(&model), ["Flight.status = \"SCHEDULED\""]);
    assert_eq!(inputs(&model)[1], "flight_no is Seat.flightNo+Flight.flightNo");
}

#[test]
fn a_value_that_one_lists_is_that_one_s() {
    let both = "Booking (SET state = PAID) + Seat (SET passenger)";
    let given = "bookingId, flightNo, seatNo, passenger";
    for (must, meant) in [
        ("state must be HELD", "Booking.state = \"HELD\""),
        ("state must be TAKEN", "Seat.state = \"TAKEN\""),
    ] {
        let (model, said) = write("Booking", "Pay", given, both, must);
        assert_eq!((conditions(&model), said), (vec![meant.to_owned()], vec![]));
    }
    // Where either may be meant, it is said which was taken.
    let (model, said) = write("Booking", "Pay", given, both, "passenger must be ANN");
    assert_eq!(conditions(&model), ["Booking.passenger = \"ANN\""]);
    assert!(said[0].contains("Seat has that attribute too"), "{said:?}");
}

#[test]
fn what_is_given_is_compared_with_what_is_there() {
    let (found, _) = booking("price must be at least seatsLeft");
    assert_eq!(found, ["Flight.seatsLeft <= price"]);
    let (model, _) =
        write("Tariff", "Raise", "code, region, newFloor, cap", "Tariff update", "cap must be above floor");
    assert_eq!(conditions(&model), ["Tariff.floor < cap"]);
}

#[test]
fn one_of_several_that_are_unique_together_means_all_of_them() {
    let create = |must: &str| {
        let (model, _) = write("Tariff", "Create a tariff", "code, region, label, floor", "new Tariff", must);
        conditions(&model)
    };
    assert_eq!(create("label must be unique"), ["unique Tariff region+label"]);
    assert_eq!(create("region and label must be unique"), ["unique Tariff region+label"]);
    assert_eq!(create("code must be unique"), ["unique Tariff code+region"]);
    assert_eq!(create("floor must be unique"), ["unique Tariff floor"]);
}

#[test]
fn what_an_item_sets_is_given_to_it_though_another_has_it_too() {
    let given = "flightNo, seatNo, passenger, price";
    let (model, _) =
        write("Booking", "Book a seat", given, "Booking + Seat (SET state = TAKEN, passenger)", "-");
    assert_eq!(effects(&model), ["create Booking", "update Seat (state, passenger)"]);
    assert_eq!(inputs(&model)[2], "passenger is Booking.passenger+Seat.passenger");
    // What is taken away, or gets another value, is not given.
    for items in
        ["Booking + Seat (SET state = FREE, REMOVE passenger)", "Booking + Seat (SET passenger = NOBODY)"]
    {
        let (model, _) = write("Booking", "Book a seat", given, items, "-");
        assert_eq!(inputs(&model)[2], "passenger is Booking.passenger", "{items}");
    }
}

#[test]
fn what_moves_a_number_is_not_what_another_item_becomes() {
    let given = "bookingId, flightNo, price";
    let items = "Booking (SET state = PAID) + Flight (seatsLeft -price)";
    let (model, _) = write("Booking", "Pay", given, items, "seatsLeft >= price");
    assert_eq!(inputs(&model)[2], "price for Flight.seatsLeft");
    assert_eq!(effects(&model), ["update Booking (state)", "seatsLeft -price Flight"]);
    assert_eq!(conditions(&model), ["Flight.seatsLeft >= price"]);
    let items = "Booking (SET state = PAID) + Flight (seatsLeft -seatsLeft)";
    let (model, _) = write("Booking", "Pay", "bookingId, flightNo, seatsLeft", items, "-");
    assert_eq!(inputs(&model)[2], "seatsLeft for Flight.seatsLeft");
}

#[test]
fn what_the_items_do_not_name_is_what_is_there_unless_it_may_be_missing() {
    let (model, _) = write("Booking", "Pay", "bookingId, price", "Booking (SET state = PAID)", "-");
    assert_eq!(inputs(&model)[1], "price is Booking.price");
    assert_eq!(effects(&model), ["update Booking (state)"]);
    let (model, _) = write("Seat", "Take", "flightNo, seatNo, passenger", "Seat (SET state = TAKEN)", "-");
    assert_eq!(inputs(&model)[2], "passenger new Seat.passenger");
    assert_eq!(effects(&model), ["update Seat (state, passenger)"]);
    let (model, _) = write("Booking", "Pay", "bookingId, newPrice", "Booking (SET state = PAID)", "-");
    assert_eq!(effects(&model), ["update Booking (state, price)"]);
}
