package runtime

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// ready is an action that is ready to be sent.
type ready struct {
	item    types.TransactWriteItem
	failsAs string
	onReads bool
	// adds has the aliases of what an update adds that is repeated for every item.
	adds []string
}

// transactionActions is how many actions a transaction takes.
const transactionActions = 100

func (call *call) write(ctx context.Context, step Write) (*failure, error) {
	if step.Mode == "transaction" {
		portions, err := call.transactions(step.Actions)
		if err != nil {
			return nil, err
		}
		for _, portion := range portions {
			if failed, err := call.transact(ctx, portion); failed != nil || err != nil {
				return failed, err
			}
		}
		return nil, nil
	}
	actions, err := call.ready(step.Actions)
	if err != nil {
		return nil, err
	}
	switch step.Mode {
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

// transactions gives the transactions that actions take: where all are repeated, what belongs to one item is in one of
// them.
func (call *call) transactions(actions []Action) ([][]ready, error) {
	each := 0
	for at, action := range actions {
		if at == 0 {
			each = action.each()
		} else if action.each() != each {
			each = 0
		}
	}
	if each == 0 {
		all, err := call.ready(actions)
		return slices.Collect(slices.Chunk(met(all), transactionActions)), err
	}
	var portions [][]ready
	for at := range call.scope.items(each) {
		var all []ready
		for _, action := range actions {
			one, err := call.forItem(action, each, at)
			if err != nil {
				return nil, err
			}
			if one != nil {
				all = append(all, *one)
			}
		}
		last := len(portions) - 1
		if last >= 0 && len(portions[last])+added(portions[last], all) <= transactionActions {
			for _, one := range all {
				portions[last] = join(portions[last], one)
			}
		} else {
			portions = append(portions, met(all))
		}
	}
	return portions, nil
}

// added tells by how many actions a transaction grows.
func added(portion, more []ready) int {
	count := 0
	for _, one := range more {
		repeated := func(other ready) bool { return isRepeated(one, other) }
		if !slices.ContainsFunc(portion, repeated) {
			count++
		}
	}
	return count
}

// met gives one action per item, as a transaction wants it.
func met(actions []ready) []ready {
	var all []ready
	for _, action := range actions {
		all = join(all, action)
	}
	return all
}

// join adds an action to a transaction. A Delete and a Put that meet on one item are that Put under the Delete's
// condition: they meet where a unique value, or a part of a key, is replaced by itself. Repeated updates are one that
// adds all.
func join(all []ready, action ready) []ready {
	if at := slices.IndexFunc(all, func(other ready) bool { return isRepeated(action, other) }); at >= 0 {
		all[at] = together(all[at], action)
		return all
	}
	if put := action.item.Put; put != nil {
		at := slices.IndexFunc(all, func(other ready) bool {
			deletion := other.item.Delete
			return deletion != nil && *deletion.TableName == *put.TableName && holds(put.Item, deletion.Key)
		})
		if at >= 0 {
			deletion := all[at].item.Delete
			action = ready{item: types.TransactWriteItem{Put: &types.Put{
				TableName:                 put.TableName,
				Item:                      put.Item,
				ConditionExpression:       deletion.ConditionExpression,
				ExpressionAttributeNames:  deletion.ExpressionAttributeNames,
				ExpressionAttributeValues: deletion.ExpressionAttributeValues,
			}}, failsAs: all[at].failsAs, onReads: all[at].onReads}
			all = slices.Delete(all, at, at+1)
		}
	}
	return append(all, action)
}

// isRepeated tells whether two are the same update of the same item, repeated.
func isRepeated(one, other ready) bool {
	if one.adds == nil || other.adds == nil {
		return false
	}
	mine, theirs := one.item.Update, other.item.Update
	return *mine.TableName == *theirs.TableName && holds(mine.Key, theirs.Key)
}

// together gives an update that adds what two of them add.
func together(one, other ready) ready {
	update := *one.item.Update
	update.ExpressionAttributeValues = maps.Clone(update.ExpressionAttributeValues)
	for _, alias := range one.adds {
		mine := wholeNumber(update.ExpressionAttributeValues[alias])
		theirs := wholeNumber(other.item.Update.ExpressionAttributeValues[alias])
		sum := strconv.FormatInt(mine+theirs, 10)
		update.ExpressionAttributeValues[alias] = &types.AttributeValueMemberN{Value: sum}
	}
	one.item.Update = &update
	return one
}

func wholeNumber(value types.AttributeValue) int64 {
	if number, ok := value.(*types.AttributeValueMemberN); ok {
		if whole, err := strconv.ParseInt(number.Value, 10, 64); err == nil {
			return whole
		}
	}
	return 0
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
			one, err := call.forItem(action, step, at)
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

// forItem gives an action for one of the items that a step read.
func (call *call) forItem(action Action, step, at int) (*ready, error) {
	call.scope.atHandStep, call.scope.atHand = step, at
	one, err := call.one(action)
	call.scope.atHandStep, call.scope.atHand = 0, 0
	return one, err
}

// lacks tells whether one of the values without which an action is left out is absent.
func (call *call) lacks(needed []Value) (bool, error) {
	for _, value := range needed {
		input, err := value(call.scope)
		if err != nil || !input.there() {
			return true, err
		}
	}
	return false, nil
}

func (call *call) one(action Action) (*ready, error) {
	expressions := call.expressions(call.scope)
	switch action := action.(type) {
	case Put:
		if lacks, err := call.lacks(action.When); lacks {
			return nil, err
		}
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
		}}, action.FailsAs, action.OnReads, nil}, nil
	case Update:
		key, err := call.primaryKey(action.Key, call.scope)
		if err != nil {
			return nil, err
		}
		change, adds, err := call.change(action, expressions)
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
		if action.Each == 0 {
			adds = nil
		}
		return &ready{types.TransactWriteItem{Update: &types.Update{
			TableName:                 call.store.tableName(action.Table),
			Key:                       key,
			UpdateExpression:          change,
			ConditionExpression:       condition,
			ExpressionAttributeNames:  expressions.names,
			ExpressionAttributeValues: expressions.values,
		}}, action.FailsAs, action.OnReads, adds}, nil
	case Delete:
		if lacks, err := call.lacks(action.When); lacks {
			return nil, err
		}
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
		}}, action.FailsAs, action.OnReads, nil}, nil
	case Check:
		return call.check(action)
	}
	return nil, fmt.Errorf("%s: an action that is unknown", call.operation.Pattern)
}

// check gives a condition check; nothing where no condition is left.
func (call *call) check(action Check) (*ready, error) {
	if lacks, err := call.lacks(action.When); lacks {
		return nil, err
	}
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
	}}, action.FailsAs, action.OnReads, nil}, nil
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

// change gives the update expression, and the aliases of what it adds; nothing where nothing is left of it.
func (call *call) change(action Update, expressions *expressions) (*string, []string, error) {
	set, err := expressions.clauses(action.Set)
	if err != nil {
		return nil, nil, err
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
				return nil, nil, err
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
			return nil, nil, err
		}
		if there {
			set = append(set, assignment)
		}
	}
	add, err := expressions.clauses(action.Add)
	if err != nil {
		return nil, nil, err
	}
	removed, err := expressions.clauses(action.Delete)
	if err != nil {
		return nil, nil, err
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
		return nil, nil, nil
	}
	text := strings.Join(parts, " ")
	return &text, aliases.FindAllString(strings.Join(add, " "), -1), nil
}

// aliases finds the aliases of values in an expression.
var aliases = regexp.MustCompile(`:v\d+`)
