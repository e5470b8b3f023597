package runtime

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// DynamoDB is what is used of the client of AWS SDK v2.
type DynamoDB interface {
	GetItem(context.Context, *dynamodb.GetItemInput, ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error)
	Query(context.Context, *dynamodb.QueryInput, ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error)
	Scan(context.Context, *dynamodb.ScanInput, ...func(*dynamodb.Options)) (*dynamodb.ScanOutput, error)
	BatchGetItem(context.Context, *dynamodb.BatchGetItemInput, ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error)
	PutItem(context.Context, *dynamodb.PutItemInput, ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error)
	UpdateItem(context.Context, *dynamodb.UpdateItemInput, ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error)
	DeleteItem(context.Context, *dynamodb.DeleteItemInput, ...func(*dynamodb.Options)) (*dynamodb.DeleteItemOutput, error)
	BatchWriteItem(context.Context, *dynamodb.BatchWriteItemInput, ...func(*dynamodb.Options)) (*dynamodb.BatchWriteItemOutput, error)
	TransactWriteItems(context.Context, *dynamodb.TransactWriteItemsInput, ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error)
}

// Store is DynamoDB, as the repositories use it.
type Store struct {
	// Client talks to DynamoDB.
	Client DynamoDB
	// Schema holds the tables, indexes and item types.
	Schema *Schema
	// TableNames are the names of the tables where they are deployed, by their names in the design.
	TableNames map[string]string
	// Make makes up a value of an operation; the clock and the system's randomness do unless it is set.
	Make func(made Made, now time.Time) types.AttributeValue
}

func (store *Store) tableName(table string) *string {
	if name, there := store.TableNames[table]; there {
		return &name
	}
	return &table
}

// Run runs an operation.
func (store *Store) Run(ctx context.Context, operation Operation, inputs Inputs, page PageOptions) (Answer, error) {
	if page.Limit < 0 {
		return Answer{}, fmt.Errorf("%s: the limit must not be negative", operation.Pattern)
	}
	call := call{store: store, operation: operation, limit: page.Limit, written: Item{}}
	if page.Cursor != "" {
		position, err := decodeCursor(page.Cursor, operation.Pattern)
		if err != nil {
			return Answer{}, err
		}
		call.position = position
	}
	now, generated := time.Now(), Item{}
	for _, made := range operation.Made {
		if store.Make != nil {
			generated[made.Name] = store.Make(made, now)
		} else {
			generated[made.Name] = MakeValue(made, now)
		}
	}
	call.scope = &Scope{inputs: inputs, generated: generated}
	return call.run(ctx)
}

// MakeValue makes up a value of an operation.
func MakeValue(made Made, now time.Time) types.AttributeValue {
	millis := now.UnixMilli()
	switch made.How {
	case "ulid":
		return &types.AttributeValueMemberS{Value: NewULID(millis)}
	case "uuid":
		return &types.AttributeValueMemberS{Value: NewUUID(millis)}
	case "ksuid":
		return &types.AttributeValueMemberS{Value: NewKSUID(millis)}
	case "nowMillis":
		return &types.AttributeValueMemberN{Value: fmt.Sprint(millis)}
	case "today":
		return &types.AttributeValueMemberS{Value: now.UTC().Format(time.DateOnly)}
	case "expiry":
		return &types.AttributeValueMemberN{Value: fmt.Sprint(millis/1000 + made.Days*86_400)}
	}
	return &types.AttributeValueMemberS{Value: now.UTC().Format("2006-01-02T15:04:05.000Z")}
}

// whole gives the whole item of a type: its type and its keys follow from its attributes.
func (store *Store) whole(name string, item Item) (Item, error) {
	schema := store.Schema
	itemType, known := schema.item(name)
	if !known {
		return nil, fmt.Errorf("%w: there is no item type %s", ErrMalformedItem, name)
	}
	for _, path := range itemType.Maps {
		if At(item, path) == nil {
			put(item, path, &types.AttributeValueMemberM{Value: Item{}})
		}
	}
	if schema.TypeAttribute != "" {
		item[schema.TypeAttribute] = &types.AttributeValueMemberS{Value: name}
	}
	for _, key := range itemType.Keys {
		delete(item, key.Attribute)
	}
	keys := Item{}
	for _, key := range itemType.Keys {
		if key.When != "" {
			guard := At(item, key.When)
			text, _ := KeyText(guard)
			if guard == nil || key.Equals != "" && text != key.Equals {
				continue
			}
		}
		built, there, err := BuildKey(key.Template, func(attribute string) (string, bool) { return KeyText(At(item, attribute)) })
		if err != nil {
			return nil, err
		}
		if there {
			keys[key.Attribute] = &types.AttributeValueMemberS{Value: built}
		}
	}
	// Strings of one index that come and go by the same attribute are all there or none is: half of them would keep a stale
	// attribute on the item. One that stands by itself stays, and so does what the table has for its own key.
	for _, index := range schema.Indexes {
		if index.Table != itemType.Table {
			continue
		}
		ended := map[[2]string]bool{}
		for _, key := range itemType.Keys {
			if _, there := keys[key.Attribute]; slices.Contains(index.Key, key.Attribute) && !there {
				ended[[2]string{key.When, key.Equals}] = true
			}
		}
		for _, key := range itemType.Keys {
			ends := slices.Contains(index.Key, key.Attribute) && ended[[2]string{key.When, key.Equals}]
			if ends && !slices.Contains(schema.tableKey(itemType.Table), key.Attribute) {
				delete(keys, key.Attribute)
			}
		}
	}
	for attribute, value := range keys {
		item[attribute] = value
	}
	for _, attribute := range schema.tableKey(itemType.Table) {
		if item[attribute] == nil {
			return nil, fmt.Errorf("%w: %s: the attributes of its key %s are not all there", ErrMalformedItem, name, attribute)
		}
	}
	return item, nil
}
