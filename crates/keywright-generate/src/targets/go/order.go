package runtime

import (
	"bytes"
	"math/big"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// merge merges what shards found in the promised order; the order of the shards breaks ties, so that pages are stable.
func merge(results []*found, order []Order, limit int) ([]Item, []int) {
	taken := make([]int, len(results))
	var items []Item
	for limit == 0 || len(items) < limit {
		best := -1
		for at, result := range results {
			if result == nil || taken[at] >= len(result.items) {
				continue
			}
			if best < 0 || byOrder(result.items[taken[at]], results[best].items[taken[best]], order) < 0 {
				best = at
			}
		}
		if best < 0 {
			break
		}
		items = append(items, results[best].items[taken[best]])
		taken[best]++
	}
	return items, taken
}

func byOrder(a, b Item, order []Order) int {
	for _, part := range order {
		if difference := part.compare(At(a, part.Attribute), At(b, part.Attribute)); difference != 0 {
			if part.Descending {
				return -difference
			}
			return difference
		}
	}
	return 0
}

// compare gives the order of two values: that in which they are declared, or their own.
func (part Order) compare(a, b types.AttributeValue) int {
	left, right := part.rank(a), part.rank(b)
	if left < 0 || right < 0 {
		return compare(a, b)
	}
	return left - right
}

// rank gives the position of a value among those that are declared; -1 if it is none of them.
func (part Order) rank(value types.AttributeValue) int {
	if text, is := value.(*types.AttributeValueMemberS); is {
		return slices.Index(part.Values, text.Value)
	}
	return -1
}

// compare gives the order of two values; an absent one comes first.
func compare(a, b types.AttributeValue) int {
	if a == nil || b == nil {
		switch {
		case a != nil:
			return 1
		case b != nil:
			return -1
		}
		return 0
	}
	switch a := a.(type) {
	case *types.AttributeValueMemberS:
		if b, same := b.(*types.AttributeValueMemberS); same {
			return strings.Compare(a.Value, b.Value)
		}
	case *types.AttributeValueMemberN:
		if b, same := b.(*types.AttributeValueMemberN); same {
			left, _ := new(big.Rat).SetString(a.Value)
			right, _ := new(big.Rat).SetString(b.Value)
			if left != nil && right != nil {
				return left.Cmp(right)
			}
		}
	case *types.AttributeValueMemberB:
		if b, same := b.(*types.AttributeValueMemberB); same {
			return bytes.Compare(a.Value, b.Value)
		}
	case *types.AttributeValueMemberBOOL:
		if b, same := b.(*types.AttributeValueMemberBOOL); same && a.Value != b.Value {
			if a.Value {
				return 1
			}
			return -1
		}
	}
	return 0
}
