package runtime

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// ready is an action that is ready to be sent.
type ready struct {
	item    types.TransactWriteItem
	failsAs string
	onReads bool
}

func (call *call) write(ctx context.Context, step Write) (*failure, error) {
	actions, err := call.ready(step.Actions)
	if err != nil {
		return nil, err
	}
	switch step.Mode {
	case "transaction":
		for chunk := range slices.Chunk(met(actions), 100) {
			if failed, err := call.transact(ctx, chunk); failed != nil || err != nil {
				return failed, err
			}
		}
	case "batch":
		for chunk := range slices.Chunk(actions, 25) {
			if err := call.writeBatch(ctx, chunk); err != nil {
				return nil, err
			}
		}
	default:
		for _, action := range actions {
			if failed, err := call.writeOne(ctx, action); failed != nil || err != nil {
				return failed, err
			}
		}
	}
	return nil, nil
}

// met joins actions that meet on one item, of which a transaction takes one: a Delete and a Put are that Put under the
// Delete's condition. They meet where a unique value, or a part of a key, is replaced by itself.
func met(actions []ready) []ready {
	var all []ready
	for _, action := range actions {
		if put := action.item.Put; put != nil {
			at := slices.IndexFunc(all, func(other ready) bool {
				deletion := other.item.Delete
				return deletion != nil && *deletion.TableName == *put.TableName && holds(put.Item, deletion.Key)
			})
			if at >= 0 {
				deletion := all[at].item.Delete
				action = ready{types.TransactWriteItem{Put: &types.Put{
					TableName:                 put.TableName,
					Item:                      put.Item,
					ConditionExpression:       deletion.ConditionExpression,
					ExpressionAttributeNames:  deletion.ExpressionAttributeNames,
					ExpressionAttributeValues: deletion.ExpressionAttributeValues,
				}}, all[at].failsAs, all[at].onReads}
				all = slices.Delete(all, at, at+1)
			}
		}
		all = append(all, action)
	}
	return all
}

// holds tells whether an item has this key.
func holds(item, key Item) bool {
	for name, value := range key {
		own, there := KeyText(item[name])
		other, _ := KeyText(value)
		if !there || own != other {
			return false
		}
	}
	return true
}

func (call *call) writeOne(ctx context.Context, action ready) (*failure, error) {
	client := call.store.Client
	var err error
	switch {
	case action.item.Put != nil:
		put := action.item.Put
		_, err = client.PutItem(ctx, &dynamodb.PutItemInput{
			TableName:                 put.TableName,
			Item:                      put.Item,
			ConditionExpression:       put.ConditionExpression,
			ExpressionAttributeNames:  put.ExpressionAttributeNames,
			ExpressionAttributeValues: put.ExpressionAttributeValues,
		})
	case action.item.Update != nil:
		update := action.item.Update
		_, err = client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
			TableName:                 update.TableName,
			Key:                       update.Key,
			UpdateExpression:          update.UpdateExpression,
			ConditionExpression:       update.ConditionExpression,
			ExpressionAttributeNames:  update.ExpressionAttributeNames,
			ExpressionAttributeValues: update.ExpressionAttributeValues,
		})
	case action.item.Delete != nil:
		deletion := action.item.Delete
		_, err = client.DeleteItem(ctx, &dynamodb.DeleteItemInput{
			TableName:                 deletion.TableName,
			Key:                       deletion.Key,
			ConditionExpression:       deletion.ConditionExpression,
			ExpressionAttributeNames:  deletion.ExpressionAttributeNames,
			ExpressionAttributeValues: deletion.ExpressionAttributeValues,
		})
	default:
		// A check can't stand alone: it is a transaction of one.
		return call.transact(ctx, []ready{action})
	}
	var refused *types.ConditionalCheckFailedException
	if errors.As(err, &refused) {
		return failed([]ready{action}), nil
	}
	return nil, err
}

func (call *call) transact(ctx context.Context, actions []ready) (*failure, error) {
	items := make([]types.TransactWriteItem, len(actions))
	for at, action := range actions {
		items[at] = action.item
	}
	_, err := call.store.Client.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: items})
	var canceled *types.TransactionCanceledException
	if !errors.As(err, &canceled) {
		return nil, err
	}
	var refused []ready
	conflict := len(canceled.CancellationReasons) == 0
	for at, reason := range canceled.CancellationReasons {
		switch {
		case reason.Code == nil || at >= len(actions):
		case *reason.Code == "ConditionalCheckFailed":
			refused = append(refused, actions[at])
		case *reason.Code == "TransactionConflict":
			conflict = true
		}
	}
	switch {
	case len(refused) > 0:
		return failed(refused), nil
	case conflict:
		return &failure{race: true}, nil
	}
	return nil, err
}

func failed(actions []ready) *failure {
	failure := &failure{}
	for _, action := range actions {
		if action.failsAs != "" {
			failure.conditions = append(failure.conditions, action.failsAs)
		}
		// What an earlier step read may have changed since, unless a condition of the pattern itself failed.
		failure.race = failure.race || action.failsAs == "" || action.onReads
	}
	return failure
}

func (call *call) writeBatch(ctx context.Context, actions []ready) error {
	rest := map[string][]types.WriteRequest{}
	for _, action := range actions {
		if put := action.item.Put; put != nil {
			request := types.WriteRequest{PutRequest: &types.PutRequest{Item: put.Item}}
			rest[*put.TableName] = append(rest[*put.TableName], request)
		} else if deletion := action.item.Delete; deletion != nil {
			request := types.WriteRequest{DeleteRequest: &types.DeleteRequest{Key: deletion.Key}}
			rest[*deletion.TableName] = append(rest[*deletion.TableName], request)
		}
	}
	for attempt := 0; len(rest) > 0; attempt++ {
		if attempt == batchAttempts {
			return fmt.Errorf("%s: %w: writes", call.operation.Pattern, ErrUnprocessed)
		}
		if err := pause(ctx, attempt); err != nil {
			return err
		}
		answer, err := call.store.Client.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{RequestItems: rest})
		if err != nil {
			return err
		}
		rest = answer.UnprocessedItems
	}
	return nil
}

// ready gives the actions, one per item where they are repeated, ready to be sent.
func (call *call) ready(actions []Action) ([]ready, error) {
	var all []ready
	for _, action := range actions {
		step := action.each()
		count := 1
		if step > 0 {
			count = len(call.scope.items(step))
		}
		for at := range count {
			call.scope.atHandStep, call.scope.atHand = step, at
			one, err := call.one(action)
			call.scope.atHandStep, call.scope.atHand = 0, 0
			if err != nil {
				return nil, err
			}
			if one != nil {
				all = append(all, *one)
			}
		}
	}
	return all, nil
}

func (call *call) one(action Action) (*ready, error) {
	expressions := call.expressions(call.scope)
	switch action := action.(type) {
	case Put:
		item, err := call.putItem(action)
		if err != nil {
			return nil, err
		}
		for name, value := range item {
			if _, there := call.written[name]; !there {
				call.written[name] = value
			}
		}
		condition, err := expressions.all(action.Condition)
		if err != nil {
			return nil, err
		}
		return &ready{types.TransactWriteItem{Put: &types.Put{
			TableName:                 call.store.tableName(action.Table),
			Item:                      item,
			ConditionExpression:       condition,
			ExpressionAttributeNames:  expressions.names,
			ExpressionAttributeValues: expressions.values,
		}}, action.FailsAs, action.OnReads}, nil
	case Update:
		key, err := call.primaryKey(action.Key, call.scope)
		if err != nil {
			return nil, err
		}
		change, err := call.change(action, expressions)
		if err != nil {
			return nil, err
		}
		if change == nil {
			return call.check(Check{Table: action.Table, Key: action.Key, Condition: action.Condition, FailsAs: action.FailsAs, OnReads: action.OnReads})
		}
		condition, err := expressions.all(action.Condition)
		if err != nil {
			return nil, err
		}
		return &ready{types.TransactWriteItem{Update: &types.Update{
			TableName:                 call.store.tableName(action.Table),
			Key:                       key,
			UpdateExpression:          change,
			ConditionExpression:       condition,
			ExpressionAttributeNames:  expressions.names,
			ExpressionAttributeValues: expressions.values,
		}}, action.FailsAs, action.OnReads}, nil
	case Delete:
		key, err := call.primaryKey(action.Key, call.scope)
		if err != nil {
			return nil, err
		}
		condition, err := expressions.all(action.Condition)
		if err != nil {
			return nil, err
		}
		return &ready{types.TransactWriteItem{Delete: &types.Delete{
			TableName:                 call.store.tableName(action.Table),
			Key:                       key,
			ConditionExpression:       condition,
			ExpressionAttributeNames:  expressions.names,
			ExpressionAttributeValues: expressions.values,
		}}, action.FailsAs, action.OnReads}, nil
	case Check:
		return call.check(action)
	}
	return nil, fmt.Errorf("%s: an action that is unknown", call.operation.Pattern)
}

// check gives a condition check; nothing where no condition is left.
func (call *call) check(action Check) (*ready, error) {
	expressions := call.expressions(call.scope)
	key, err := call.primaryKey(action.Key, call.scope)
	if err != nil {
		return nil, err
	}
	condition, err := expressions.all(action.Condition)
	if err != nil || condition == nil {
		return nil, err
	}
	return &ready{types.TransactWriteItem{ConditionCheck: &types.ConditionCheck{
		TableName:                 call.store.tableName(action.Table),
		Key:                       key,
		ConditionExpression:       condition,
		ExpressionAttributeNames:  expressions.names,
		ExpressionAttributeValues: expressions.values,
	}}, action.FailsAs, action.OnReads}, nil
}

func (call *call) putItem(action Put) (Item, error) {
	item := Item{}
	if action.BasedOn > 0 {
		if read := call.scope.readItem(action.BasedOn); read != nil {
			item = maps.Clone(read)
		}
	}
	for _, pair := range action.Values {
		input, err := pair.Value(call.scope)
		if err != nil {
			return nil, err
		}
		switch {
		case input.IsList:
			put(item, pair.Attribute, &types.AttributeValueMemberL{Value: input.Many})
		case input.One != nil:
			put(item, pair.Attribute, input.One)
		}
	}
	return call.store.whole(action.Item, item)
}

// change gives the update expression; nothing where nothing is left of it.
func (call *call) change(action Update, expressions *expressions) (*string, error) {
	set, err := expressions.clauses(action.Set)
	if err != nil {
		return nil, err
	}
	var remove []string
	for _, path := range action.Remove {
		remove = append(remove, expressions.aliased(path))
	}
	for _, entry := range action.Entries {
		path := alias(entry.Attribute)
		wanted := entry.Value != nil
		if wanted && entry.When != nil {
			guard, err := entry.When(call.scope)
			if err != nil {
				return nil, err
			}
			// An input that was left out leaves the entry as it is.
			if !guard.there() && entry.OnlyIfGiven {
				continue
			}
			text, _ := KeyText(guard.One)
			wanted = guard.One != nil && (entry.Equals == "" || text == entry.Equals)
		}
		if !wanted {
			remove = append(remove, expressions.aliased(path))
			continue
		}
		assignment, there, err := expressions.clause(Clause{Text: path + " = {0}", Values: []Value{entry.Value}})
		if err != nil {
			return nil, err
		}
		if there {
			set = append(set, assignment)
		}
	}
	add, err := expressions.clauses(action.Add)
	if err != nil {
		return nil, err
	}
	removed, err := expressions.clauses(action.Delete)
	if err != nil {
		return nil, err
	}
	var parts []string
	for _, part := range []struct {
		word    string
		clauses []string
	}{{"SET", set}, {"REMOVE", remove}, {"ADD", add}, {"DELETE", removed}} {
		if len(part.clauses) > 0 {
			parts = append(parts, part.word+" "+strings.Join(part.clauses, ", "))
		}
	}
	if len(parts) == 0 {
		return nil, nil
	}
	text := strings.Join(parts, " ")
	return &text, nil
}
