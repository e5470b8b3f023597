package runtime

import (
	"errors"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Item is an item as DynamoDB has it.
type Item = map[string]types.AttributeValue

// Page is a page of items. Without a next cursor it is the last one.
type Page[T any] struct {
	Items      []T
	NextCursor string
}

// PageOptions tell which page the caller wants: how many items, by default as many as the design says, and the next
// cursor of the page before.
type PageOptions struct {
	Limit  int
	Cursor string
}

// Input is what the caller gives under one name: a value, several for a list, or nothing.
type Input struct {
	One    types.AttributeValue
	Many   []types.AttributeValue
	IsList bool
}

func (input Input) there() bool {
	return input.IsList || input.One != nil
}

// Inputs are what the caller gives, by name.
type Inputs map[string]Input

// ConditionFailedError says that a condition of the pattern did not hold, so that nothing was written.
type ConditionFailedError struct {
	// Pattern is the pattern's id.
	Pattern string
	// Conditions are the pattern's conditions that failed, in the author's words.
	Conditions []string
	// LostRace says that somebody else was faster, as often as it was tried.
	LostRace bool
}

func (err *ConditionFailedError) Error() string {
	switch {
	case err.LostRace:
		return err.Pattern + ": another writer was faster"
	case len(err.Conditions) == 0:
		return err.Pattern + ": a condition failed"
	}
	return err.Pattern + ": " + strings.Join(err.Conditions, "; ")
}

var (
	// ErrItemNotFound says that the item that a write starts from is not there, so that nothing was written.
	ErrItemNotFound = errors.New("there is no such item")
	// ErrCursor says that a cursor was not made by this method for these inputs.
	ErrCursor = errors.New("the cursor does not belong here")
	// ErrMalformedItem says that an item is not what its type says.
	ErrMalformedItem = errors.New("malformed item")
	// ErrUnprocessed says that DynamoDB left something of a batch over, as often as it was sent.
	ErrUnprocessed = errors.New("a part of a batch was not processed")
)

// Value is a value in an operation; not there where an input that it needs was left out.
type Value func(scope *Scope) (Input, error)

// Pair is an attribute and its value.
type Pair struct {
	Attribute string
	Value     Value
}

// Clause is a part of an expression; where one of its values is absent it falls away, or says something else.
type Clause struct {
	Text      string
	Values    []Value
	Otherwise string
}

// Made is a value that the operation makes up.
type Made struct {
	Name string
	How  string
	Days int64
}

// Order is one attribute of an order.
type Order struct {
	Attribute  string
	Descending bool
	// Values has the declared values, where their order is not that of the texts.
	Values []string
}

// Scatter is a Query that is repeated over the values of placeholders: one row of values after the other.
type Scatter struct {
	Placeholders    []string
	Values          []string
	OneAfterAnother bool
}

// rows says how often the Query is sent.
func (scatter *Scatter) rows() int {
	return len(scatter.Values) / max(1, len(scatter.Placeholders))
}

// row gives the values of the placeholders in one of the Queries.
func (scatter *Scatter) row(at int) map[string]string {
	row := make(map[string]string, len(scatter.Placeholders))
	for column, placeholder := range scatter.Placeholders {
		row[placeholder] = scatter.Values[at*len(scatter.Placeholders)+column]
	}
	return row
}

// Step is a request of an operation: Get, Query, BatchGet, Scan or Write.
type Step interface{ isStep() }

// Get is GetItem.
type Get struct {
	Table       string
	Key         []Pair
	Projection  []string
	Consistent  bool
	MayBeAbsent bool
}

// Query is Query.
type Query struct {
	Table      string
	Index      string
	Partition  []Pair
	Sort       []Pair
	Range      *Clause
	Filter     []Clause
	Projection []string
	Backward   bool
	Limit      int
	Paged      bool
	Consistent bool
	Count      bool
	Scatter    *Scatter
}

// BatchGet is BatchGetItem.
type BatchGet struct {
	Table      string
	OfStep     int
	Each       []Pair
	Projection []string
	Consistent bool
}

// Scan is Scan.
type Scan struct {
	Table  string
	Index  string
	Filter []Clause
	Limit  int
	Paged  bool
	Count  bool
}

// Write is one action by itself, a transaction, or a batch.
type Write struct {
	Mode    string
	Actions []Action
}

func (Get) isStep()      {}
func (Query) isStep()    {}
func (BatchGet) isStep() {}
func (Scan) isStep()     {}
func (Write) isStep()    {}

// Action is what a write does to an item: Put, Update, Delete or Check.
type Action interface{ each() int }

// Put puts an item: its key attributes follow from its type's templates.
type Put struct {
	Table     string
	Item      string
	Values    []Pair
	BasedOn   int
	When      []Value
	Condition []Clause
	FailsAs   string
	OnReads   bool
	Each      int
}

// Entry is an index key attribute that an update sets, or removes.
type Entry struct {
	Attribute   string
	Value       Value
	When        Value
	OnlyIfGiven bool
	Equals      string
}

// Update updates an item.
type Update struct {
	Table     string
	Key       []Pair
	Set       []Clause
	Remove    []string
	Add       []Clause
	Delete    []Clause
	Entries   []Entry
	Condition []Clause
	FailsAs   string
	OnReads   bool
	Each      int
}

// Delete deletes an item.
type Delete struct {
	Table     string
	Key       []Pair
	When      []Value
	Condition []Clause
	FailsAs   string
	OnReads   bool
	Each      int
}

// Check checks an item's condition.
type Check Delete

func (put Put) each() int       { return put.Each }
func (update Update) each() int { return update.Each }
func (del Delete) each() int    { return del.Each }
func (check Check) each() int   { return check.Each }

// Retry starts over when a condition fails on what an earlier step read.
type Retry struct {
	FromStep int
	Attempts int
}

// Operation tells how a pattern is served.
type Operation struct {
	Pattern    string
	Made       []Made
	Steps      []Step
	Shape      string
	AnswerFrom int
	Counter    string
	Order      []Order
	ClientSort bool
	First      int
	Retry      *Retry
}

// Table is a table and its primary key.
type Table struct {
	Name string
	Key  []string
}

// Index is an index and its key.
type Index struct {
	Table string
	Name  string
	Key   []string
}

// ItemKey tells how a key attribute of an item gets its value, and when.
type ItemKey struct {
	Attribute string
	Template  string
	When      string
	Equals    string
}

// ItemType is a kind of item.
type ItemType struct {
	Name  string
	Table string
	Keys  []ItemKey
	// Maps hold attributes: an item has them from the start, so that an update can set what lies in them.
	Maps []string
}

// Alias is an alias that does not spell out its name.
type Alias struct {
	Alias string
	Name  string
}

// Schema holds the tables, indexes and item types.
type Schema struct {
	TypeAttribute string
	Tables        []Table
	Indexes       []Index
	Items         []ItemType
	Aliases       []Alias
}

func (schema *Schema) tableKey(table string) []string {
	for _, it := range schema.Tables {
		if it.Name == table {
			return it.Key
		}
	}
	return nil
}

func (schema *Schema) indexKey(table, index string) []string {
	for _, it := range schema.Indexes {
		if it.Table == table && it.Name == index {
			return it.Key
		}
	}
	return nil
}

func (schema *Schema) item(name string) (ItemType, bool) {
	for _, it := range schema.Items {
		if it.Name == name {
			return it, true
		}
	}
	return ItemType{}, false
}

// Answer is what an operation gave.
type Answer struct {
	Items      []Item
	NextCursor string
	Count      int64
	// Made holds what the operation made up, and the first item that it put.
	Made Item
}

func one(value types.AttributeValue) Input {
	return Input{One: value}
}

// Given is what the caller gives under this name.
func Given(name string) Value {
	return func(scope *Scope) (Input, error) { return scope.input(name), nil }
}

// Generated is what the operation made up under this name.
func Generated(name string) Value {
	return func(scope *Scope) (Input, error) { return one(scope.generated[name]), nil }
}

// Found is an attribute of what an earlier step read.
func Found(step int, attribute string) Value {
	return func(scope *Scope) (Input, error) { return one(scope.read(step, attribute)), nil }
}

// Text is a fixed text.
func Text(text string) Value {
	return func(*Scope) (Input, error) { return one(&types.AttributeValueMemberS{Value: text}), nil }
}

// Number is a fixed number.
func Number(number string) Value {
	return func(*Scope) (Input, error) { return one(&types.AttributeValueMemberN{Value: number}), nil }
}

// Flag is a fixed truth value.
func Flag(flag bool) Value {
	return func(*Scope) (Input, error) { return one(&types.AttributeValueMemberBOOL{Value: flag}), nil }
}

// Key is a key, built by a template.
func Key(template string) Value {
	return func(scope *Scope) (Input, error) { return textInput(BuildKey(template, scope.named)) }
}

// Bound is a leading part of a key, built by a template, as the bound of a range.
func Bound(template string) Value {
	return func(scope *Scope) (Input, error) { return textInput(BuildBound(template, scope.named)) }
}

func textInput(text string, there bool, err error) (Input, error) {
	if err != nil || !there {
		return Input{}, err
	}
	return one(&types.AttributeValueMemberS{Value: text}), nil
}

// Sum is a number and a step added to it; a number that was never written counts from zero.
func Sum(of Value, plus int64) Value {
	return func(scope *Scope) (Input, error) {
		base, err := of(scope)
		if err != nil {
			return Input{}, err
		}
		text, there := KeyText(base.One)
		if !there {
			text = "0"
		}
		value, err := integer(text)
		if err != nil {
			return Input{}, fmt.Errorf("%q is not a whole number", text)
		}
		return one(&types.AttributeValueMemberN{Value: value.Add(value, shifted(plus, 0)).String()}), nil
	}
}
