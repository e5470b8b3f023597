package runtime

import (
	"context"
	"fmt"
	"slices"
)

const defaultPage = 25

// call is one call of an operation.
type call struct {
	store     *Store
	operation Operation
	scope     *Scope
	limit     int
	position  position
	next      *position
	count     int64
	written   Item
}

// failure says which conditions of the pattern failed; a race where what failed was read by an earlier step.
type failure struct {
	conditions []string
	race       bool
}

func (call *call) run(ctx context.Context) (Answer, error) {
	steps, pattern := call.operation.Steps, call.operation.Pattern
	retries := 0
	for at := 0; at < len(steps); {
		call.scope.reads = call.scope.reads[:at]
		if write, isWrite := steps[at].(Write); isWrite {
			failed, err := call.write(ctx, write)
			if err != nil {
				return Answer{}, err
			}
			if failed != nil {
				retry := call.operation.Retry
				if failed.race && retry != nil && retries < retry.Attempts {
					retries++
					if err := pause(ctx, retries); err != nil {
						return Answer{}, err
					}
					// Before what is repeated is reached, nothing is done yet.
					if at < retry.FromStep-1 {
						at = 0
					} else {
						at = retry.FromStep - 1
					}
					continue
				}
				lostRace := failed.race && len(failed.conditions) == 0
				return Answer{}, &ConditionFailedError{pattern, failed.conditions, lostRace}
			}
			call.scope.reads = append(call.scope.reads, nil)
			at++
			continue
		}
		items, err := call.read(ctx, steps[at], at+1)
		if err != nil {
			return Answer{}, err
		}
		call.scope.reads = append(call.scope.reads, items)
		if looksForOne(steps[at]) && len(items) == 0 && at+1 < len(steps) {
			if call.operation.Shape != "nothing" {
				break
			}
			// What an earlier step found has gone meanwhile: somebody else was faster.
			retry := call.operation.Retry
			if retry == nil || at < retry.FromStep || retries >= retry.Attempts {
				return Answer{}, fmt.Errorf("%s: %w", pattern, ErrItemNotFound)
			}
			retries++
			if err := pause(ctx, retries); err != nil {
				return Answer{}, err
			}
			at = retry.FromStep - 1
			continue
		}
		at++
	}
	return call.answer(), nil
}

func (call *call) answer() Answer {
	operation := call.operation
	items := call.scope.items(operation.AnswerFrom)
	next := call.next
	if operation.ClientSort {
		items = slices.Clone(items)
		slices.SortStableFunc(items, func(a, b Item) int { return byOrder(a, b, operation.Order) })
	}
	if operation.Shape == "page" && operation.ClientSort {
		size := call.limit
		if size == 0 {
			size = defaultPage
		}
		start := min(call.position.Offset, len(items))
		end := min(start+size, len(items))
		next = nil
		if end < len(items) {
			next = &position{Offset: end}
		}
		items = items[start:end]
	}
	if operation.First > 0 && operation.First < len(items) {
		items = items[:operation.First]
	}
	answer := Answer{Items: items, Count: call.count, Made: call.written}
	for name, value := range call.scope.generated {
		answer.Made[name] = value
	}
	if operation.Counter != "" {
		answer.Count = 0
		if len(items) > 0 {
			if text, there := KeyText(At(items[0], operation.Counter)); there {
				if value, err := integer(text); err == nil {
					answer.Count = value.Int64()
				}
			}
		}
	}
	if operation.Shape == "single" && len(items) > 1 {
		answer.Items = items[:1]
	}
	if operation.Shape == "page" && next != nil {
		answer.NextCursor = encodeCursor(operation.Pattern, *next)
	}
	return answer
}

func (call *call) read(ctx context.Context, step Step, number int) ([]Item, error) {
	switch step := step.(type) {
	case Get:
		return call.get(ctx, step)
	case BatchGet:
		return call.batchGet(ctx, step)
	case Scan:
		return call.scan(ctx, step, number)
	case Query:
		if step.Scatter != nil {
			return call.scattered(ctx, step, number)
		}
		return call.query(ctx, step, number)
	}
	return nil, fmt.Errorf("%s: a step that is unknown", call.operation.Pattern)
}

func (call *call) primaryKey(pairs []Pair, scope *Scope) (Item, error) {
	key := Item{}
	for _, pair := range pairs {
		input, err := pair.Value(scope)
		if err != nil {
			return nil, err
		}
		if input.One == nil {
			return nil, fmt.Errorf("%w: %s: there is no value for the key %s", ErrMalformedItem, call.operation.Pattern, pair.Attribute)
		}
		key[pair.Attribute] = input.One
	}
	return key, nil
}

// looksForOne tells whether an operation ends where a step finds nothing. A Query that looks for a single item stands for
// a Get.
func looksForOne(step Step) bool {
	switch step := step.(type) {
	case Get:
		return !step.MayBeAbsent
	case Query:
		return step.Limit == 1 && !step.Paged && !step.Count
	}
	return false
}
