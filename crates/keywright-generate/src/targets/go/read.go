package runtime

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

type found struct {
	items []Item
	count int64
	last  Item
}

func (call *call) get(ctx context.Context, step Get) ([]Item, error) {
	key, err := call.primaryKey(step.Key, call.scope)
	if err != nil {
		return nil, err
	}
	expressions := call.expressions(call.scope)
	answer, err := call.store.Client.GetItem(ctx, &dynamodb.GetItemInput{
		TableName:                call.store.tableName(step.Table),
		Key:                      key,
		ConsistentRead:           &step.Consistent,
		ProjectionExpression:     expressions.projection(step.Projection),
		ExpressionAttributeNames: expressions.names,
	})
	if err != nil || len(answer.Item) == 0 {
		return nil, err
	}
	return []Item{answer.Item}, nil
}

// leads tells whether the step gives the answer, or the index entries that a BatchGet turns into it.
func (call *call) leads(number int) bool {
	answer, isBatch := call.operation.Steps[call.operation.AnswerFrom-1].(BatchGet)
	return call.operation.AnswerFrom == number || isBatch && answer.OfStep == number
}

// most tells how many items to return; all if 0.
func (call *call) most(limit int, paged bool, number int) int {
	if call.operation.ClientSort && call.leads(number) {
		return 0
	}
	if paged && call.limit > 0 {
		return call.limit
	}
	return limit
}

func (call *call) query(ctx context.Context, step Query, number int) ([]Item, error) {
	paged := step.Paged && call.leads(number)
	var start Item
	if paged {
		start = call.position.After
	}
	found, err := call.pages(ctx, step, call.scope, start, call.most(step.Limit, step.Paged, number))
	if err != nil {
		return nil, err
	}
	if step.Count {
		call.count = found.count
	}
	if paged && found.last != nil {
		call.next = &position{After: found.last}
	}
	return found.items, nil
}

// pages runs one Query, page after page, until there are enough items or no more.
func (call *call) pages(ctx context.Context, step Query, scope *Scope, start Item, limit int) (found, error) {
	partition, err := call.primaryKey(step.Partition, scope)
	if err != nil {
		return found{}, err
	}
	if start != nil {
		if err := call.checkStart(start, partition, step.Table, step.Index); err != nil {
			return found{}, err
		}
	}
	expressions := call.expressions(scope)
	var conditions []string
	equals := func(attribute string, value types.AttributeValue) {
		conditions = append(conditions, expressions.aliased(alias(attribute))+" = "+expressions.value(value))
	}
	for _, pair := range step.Partition {
		equals(pair.Attribute, partition[pair.Attribute])
	}
	open := true
	for _, pair := range step.Sort {
		input, err := pair.Value(scope)
		if err != nil {
			return found{}, err
		}
		if input.One == nil {
			open = false
			break
		}
		equals(pair.Attribute, input.One)
	}
	if open && step.Range != nil {
		text, there, err := expressions.clause(*step.Range)
		if err != nil {
			return found{}, err
		}
		if there {
			conditions = append(conditions, text)
		}
	}
	filter, err := expressions.all(step.Filter)
	if err != nil {
		return found{}, err
	}
	condition, forward := strings.Join(conditions, " AND "), !step.Backward
	input := dynamodb.QueryInput{
		TableName:              call.store.tableName(step.Table),
		KeyConditionExpression: &condition,
		FilterExpression:       filter,
		ScanIndexForward:       &forward,
		ConsistentRead:         &step.Consistent,
	}
	if step.Index != "" {
		input.IndexName = &step.Index
	}
	if step.Count {
		input.Select = types.SelectCount
	} else {
		input.ProjectionExpression = expressions.projection(step.Projection)
	}
	input.ExpressionAttributeNames, input.ExpressionAttributeValues = expressions.names, expressions.values
	// DynamoDB counts what it reads before it filters: with a limit of one it would look at one item after the other.
	single := filter != nil && step.Limit == 1 && !step.Paged
	if single {
		limit = 0
	}
	result, err := follow(start, limit, func(start Item, limit *int32) ([]Item, int32, Item, error) {
		input.ExclusiveStartKey, input.Limit = start, limit
		answer, err := call.store.Client.Query(ctx, &input)
		if err != nil {
			return nil, 0, nil, err
		}
		return answer.Items, answer.Count, answer.LastEvaluatedKey, nil
	})
	if single && len(result.items) > 1 {
		result.items = result.items[:1]
	}
	return result, err
}

func follow(start Item, limit int, send func(Item, *int32) ([]Item, int32, Item, error)) (found, error) {
	result := found{last: start}
	for {
		var rest *int32
		if limit > 0 {
			count := int32(limit - int(result.count))
			rest = &count
		}
		items, count, last, err := send(result.last, rest)
		if err != nil {
			return found{}, err
		}
		result.items = append(result.items, items...)
		result.count += int64(count)
		result.last = nil
		if len(last) > 0 {
			result.last = last
		}
		if result.last == nil || limit > 0 && result.count >= int64(limit) {
			return result, nil
		}
	}
}

// checkStart tells whether a cursor's key lies in the partition that the request reads, and is a key of table or index.
func (call *call) checkStart(start, partition Item, table, index string) error {
	names := map[string]bool{}
	for _, name := range append(slices.Clone(call.store.Schema.tableKey(table)), call.store.Schema.indexKey(table, index)...) {
		names[name] = true
	}
	whole := len(start) == len(names)
	for name := range start {
		whole = whole && names[name]
	}
	for attribute, value := range partition {
		wanted, _ := KeyText(value)
		actual, there := KeyText(start[attribute])
		whole = whole && there && actual == wanted
	}
	if !whole {
		return fmt.Errorf("%s: %w: it belongs to another partition", call.operation.Pattern, ErrCursor)
	}
	return nil
}

func (call *call) scattered(ctx context.Context, step Query, number int) ([]Item, error) {
	scatter := step.Scatter
	limit := call.most(step.Limit, step.Paged, number)
	paged := step.Paged && call.leads(number)
	shards := make([]progress, scatter.rows())
	if paged && call.position.Shards != nil {
		shards = slices.Clone(call.position.Shards)
	}
	if len(shards) != scatter.rows() {
		return nil, fmt.Errorf("%s: %w: it was made for another number of shards", call.operation.Pattern, ErrCursor)
	}
	results := make([]*found, len(shards))
	read := func(at, most int) error {
		scope := *call.scope
		scope.scattered = scatter.row(at)
		result, err := call.pages(ctx, step, &scope, shards[at].After, most)
		results[at] = &result
		return err
	}
	if scatter.OneAfterAnother {
		have := 0
		for at := range shards {
			if shards[at].Done || limit > 0 && have >= limit {
				continue
			}
			most := 0
			if limit > 0 {
				most = limit - have
			}
			if err := read(at, most); err != nil {
				return nil, err
			}
			have += int(results[at].count)
		}
	} else {
		errs := make([]error, len(shards))
		var group sync.WaitGroup
		for at := range shards {
			if shards[at].Done {
				continue
			}
			group.Add(1)
			go func() {
				defer group.Done()
				errs[at] = read(at, limit)
			}()
		}
		group.Wait()
		for _, err := range errs {
			if err != nil {
				return nil, err
			}
		}
	}
	if step.Count {
		for _, result := range results {
			if result != nil {
				call.count += result.count
			}
		}
		return nil, nil
	}
	items, taken := merge(results, call.mergeOrder(step), limit)
	more := false
	for at, result := range results {
		switch {
		case result == nil:
		case taken[at] == len(result.items):
			shards[at] = progress{After: result.last, Done: result.last == nil}
		case taken[at] > 0:
			shards[at] = progress{After: call.startAfter(step, result.items[taken[at]-1])}
		}
		more = more || !shards[at].Done
	}
	if paged && more {
		call.next = &position{Shards: shards}
	}
	return items, nil
}

// mergeOrder gives the promised order, then that of the sort key: what an index does not project of the first is in the
// second.
func (call *call) mergeOrder(step Query) []Order {
	if len(call.operation.Order) == 0 {
		return nil
	}
	key := call.store.Schema.tableKey(step.Table)
	if step.Index != "" {
		key = call.store.Schema.indexKey(step.Table, step.Index)
	}
	order := slices.Clone(call.operation.Order)
	for _, name := range key {
		if !slices.ContainsFunc(step.Partition, func(pair Pair) bool { return pair.Attribute == name }) {
			order = append(order, Order{Attribute: name, Descending: step.Backward})
		}
	}
	return order
}

// startAfter gives the key after which a Query goes on, from an item that it returned.
func (call *call) startAfter(step Query, item Item) Item {
	key := Item{}
	schema := call.store.Schema
	for _, name := range append(slices.Clone(schema.tableKey(step.Table)), schema.indexKey(step.Table, step.Index)...) {
		if value := item[name]; value != nil {
			key[name] = value
		}
	}
	return key
}

func (call *call) batchGet(ctx context.Context, step BatchGet) ([]Item, error) {
	names := call.store.Schema.tableKey(step.Table)
	wanted, err := call.wantedKeys(step, names)
	if err != nil {
		return nil, err
	}
	identity := func(item Item) string {
		var parts []string
		for _, name := range names {
			text, _ := KeyText(item[name])
			parts = append(parts, fmt.Sprintf("%q", text))
		}
		return strings.Join(parts, ",")
	}
	var distinct []Item
	asked := map[string]bool{}
	for _, key := range wanted {
		if !asked[identity(key)] {
			asked[identity(key)] = true
			distinct = append(distinct, key)
		}
	}
	table := *call.store.tableName(step.Table)
	results := map[string]Item{}
	for chunk := range slices.Chunk(distinct, 100) {
		expressions := call.expressions(call.scope)
		paths := slices.Clone(step.Projection)
		for _, name := range names {
			// Answers come in any order: only their keys tell which is which.
			if len(paths) > 0 && !slices.Contains(paths, alias(name)) {
				paths = append(paths, alias(name))
			}
		}
		projection := expressions.projection(paths)
		for attempt := 0; len(chunk) > 0; attempt++ {
			if attempt == batchAttempts {
				return nil, fmt.Errorf("%s: %w: keys", call.operation.Pattern, ErrUnprocessed)
			}
			if err := pause(ctx, attempt); err != nil {
				return nil, err
			}
			answer, err := call.store.Client.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{
				RequestItems: map[string]types.KeysAndAttributes{table: {
					Keys:                     chunk,
					ConsistentRead:           &step.Consistent,
					ProjectionExpression:     projection,
					ExpressionAttributeNames: expressions.names,
				}},
			})
			if err != nil {
				return nil, err
			}
			for _, item := range answer.Responses[table] {
				results[identity(item)] = item
			}
			chunk = answer.UnprocessedKeys[table].Keys
		}
	}
	var items []Item
	for _, key := range wanted {
		if item, there := results[identity(key)]; there {
			items = append(items, item)
		}
	}
	return items, nil
}

func (call *call) wantedKeys(step BatchGet, names []string) ([]Item, error) {
	var keys []Item
	if step.OfStep > 0 && len(step.Each) > 0 {
		for at := range call.scope.items(step.OfStep) {
			scope := *call.scope
			scope.atHandStep, scope.atHand = step.OfStep, at
			key, err := call.primaryKey(step.Each, &scope)
			if err != nil {
				return nil, err
			}
			keys = append(keys, key)
		}
		return keys, nil
	}
	if step.OfStep > 0 {
		for _, entry := range call.scope.items(step.OfStep) {
			key := Item{}
			for _, name := range names {
				key[name] = entry[name]
			}
			keys = append(keys, key)
		}
		return keys, nil
	}
	elements := 0
	for _, input := range call.scope.inputs {
		elements = max(elements, len(input.Many))
	}
	for at := range elements {
		scope := *call.scope
		scope.inList, scope.element = true, at
		key, err := call.primaryKey(step.Each, &scope)
		if err != nil {
			return nil, err
		}
		keys = append(keys, key)
	}
	return keys, nil
}

func (call *call) scan(ctx context.Context, step Scan, number int) ([]Item, error) {
	paged := step.Paged && call.leads(number)
	expressions := call.expressions(call.scope)
	filter, err := expressions.all(step.Filter)
	if err != nil {
		return nil, err
	}
	input := dynamodb.ScanInput{
		TableName:                 call.store.tableName(step.Table),
		FilterExpression:          filter,
		ExpressionAttributeNames:  expressions.names,
		ExpressionAttributeValues: expressions.values,
	}
	if step.Index != "" {
		input.IndexName = &step.Index
	}
	if step.Count {
		input.Select = types.SelectCount
	}
	var start Item
	if paged {
		start = call.position.After
	}
	result, err := follow(start, call.most(step.Limit, step.Paged, number),
		func(start Item, limit *int32) ([]Item, int32, Item, error) {
			input.ExclusiveStartKey, input.Limit = start, limit
			answer, err := call.store.Client.Scan(ctx, &input)
			if err != nil {
				return nil, 0, nil, err
			}
			return answer.Items, answer.Count, answer.LastEvaluatedKey, nil
		})
	if err != nil {
		return nil, err
	}
	if step.Count {
		call.count = result.count
	}
	if paged && result.last != nil {
		call.next = &position{After: result.last}
	}
	return result.items, nil
}
