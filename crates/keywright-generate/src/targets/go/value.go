package runtime

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Decimal is a number, exact, in decimal digits.
type Decimal string

// position tells where a page begins.
type position struct {
	After  Item
	Shards []progress
	Offset int
}

// progress tells how far one shard was read.
type progress struct {
	After Item
	Done  bool
}

type packedKey map[string][2]string

type packedProgress struct {
	After packedKey `json:"after,omitempty"`
	Done  bool      `json:"done,omitempty"`
}

type packedCursor struct {
	Pattern string           `json:"pattern"`
	After   packedKey        `json:"after,omitempty"`
	Shards  []packedProgress `json:"shards,omitempty"`
	Offset  int              `json:"offset,omitempty"`
}

func pack(key Item) packedKey {
	if key == nil {
		return nil
	}
	packed := packedKey{}
	for name, value := range key {
		switch value := value.(type) {
		case *types.AttributeValueMemberS:
			packed[name] = [2]string{"S", value.Value}
		case *types.AttributeValueMemberN:
			packed[name] = [2]string{"N", value.Value}
		case *types.AttributeValueMemberB:
			packed[name] = [2]string{"B", base64.StdEncoding.EncodeToString(value.Value)}
		}
	}
	return packed
}

func unpack(packed packedKey) (Item, error) {
	if packed == nil {
		return nil, nil
	}
	key := Item{}
	for name, pair := range packed {
		switch pair[0] {
		case "S":
			key[name] = &types.AttributeValueMemberS{Value: pair[1]}
		case "N":
			key[name] = &types.AttributeValueMemberN{Value: pair[1]}
		case "B":
			bytes, err := base64.StdEncoding.DecodeString(pair[1])
			if err != nil {
				return nil, fmt.Errorf("%w: it can't be read", ErrCursor)
			}
			key[name] = &types.AttributeValueMemberB{Value: bytes}
		default:
			return nil, fmt.Errorf("%w: it can't be read", ErrCursor)
		}
	}
	return key, nil
}

func encodeCursor(pattern string, position position) string {
	packed := packedCursor{Pattern: pattern, After: pack(position.After), Offset: position.Offset}
	for _, shard := range position.Shards {
		packed.Shards = append(packed.Shards, packedProgress{pack(shard.After), shard.Done})
	}
	// A tree of texts is always JSON.
	text, _ := json.Marshal(packed)
	return base64.RawURLEncoding.EncodeToString(text)
}

func decodeCursor(cursor, pattern string) (position, error) {
	var packed packedCursor
	text, err := base64.RawURLEncoding.DecodeString(cursor)
	if err == nil {
		err = json.Unmarshal(text, &packed)
	}
	if err != nil || packed.Offset < 0 {
		return position{}, fmt.Errorf("%s: %w: it can't be read", pattern, ErrCursor)
	}
	if packed.Pattern != pattern {
		return position{}, fmt.Errorf("%s: %w: it belongs to another pattern", pattern, ErrCursor)
	}
	result := position{Offset: packed.Offset}
	if result.After, err = unpack(packed.After); err != nil {
		return position{}, err
	}
	for _, shard := range packed.Shards {
		after, err := unpack(shard.After)
		if err != nil {
			return position{}, err
		}
		result.Shards = append(result.Shards, progress{after, shard.Done})
	}
	return result, nil
}

// TypeOf tells which of these item types an item is: by its type attribute, or by its key where that is not projected.
func TypeOf(schema *Schema, item Item, candidates ...string) string {
	if stated, there := KeyText(item[schema.TypeAttribute]); there {
		if slices.Contains(candidates, stated) {
			return stated
		}
		return ""
	}
	for _, name := range candidates {
		itemType, _ := schema.item(name)
		fits := true
		for _, key := range itemType.Keys {
			if slices.Contains(schema.tableKey(itemType.Table), key.Attribute) {
				text, _ := KeyText(item[key.Attribute])
				_, parsed := ParseKey(key.Template, text)
				fits = fits && parsed
			}
		}
		if fits {
			return name
		}
	}
	return ""
}

// S gives a text as an input.
func S(text string) Input { return one(&types.AttributeValueMemberS{Value: text}) }

// N gives a number in decimal digits as an input.
func N[T ~string](number T) Input { return one(&types.AttributeValueMemberN{Value: string(number)}) }

// I gives a whole number as an input.
func I(number int64) Input { return N(strconv.FormatInt(number, 10)) }

// BOOL gives a truth value as an input.
func BOOL(flag bool) Input { return one(&types.AttributeValueMemberBOOL{Value: flag}) }

// B gives bytes as an input.
func B(bytes []byte) Input { return one(&types.AttributeValueMemberB{Value: bytes}) }

// SS gives a set of texts as an input.
func SS(texts []string) Input { return one(&types.AttributeValueMemberSS{Value: texts}) }

// Any gives a list, map or other document as an input.
func Any(value any) Input { return one(ToAttribute(value)) }

// List gives several values as one input.
func List[T any](values []T, convert func(T) Input) Input {
	list := Input{IsList: true}
	for _, value := range values {
		list.Many = append(list.Many, convert(value).One)
	}
	return list
}

// Optional gives an input that may be left out.
func Optional[T any](value *T, convert func(T) Input) Input {
	if value == nil {
		return Input{}
	}
	return convert(*value)
}

// ToAttribute gives a document as DynamoDB has it. Numbers are Decimal, int or int64.
func ToAttribute(value any) types.AttributeValue {
	switch value := value.(type) {
	case nil:
		return &types.AttributeValueMemberNULL{Value: true}
	case string:
		return &types.AttributeValueMemberS{Value: value}
	case Decimal:
		return &types.AttributeValueMemberN{Value: string(value)}
	case int:
		return &types.AttributeValueMemberN{Value: strconv.Itoa(value)}
	case int64:
		return &types.AttributeValueMemberN{Value: strconv.FormatInt(value, 10)}
	case bool:
		return &types.AttributeValueMemberBOOL{Value: value}
	case []byte:
		return &types.AttributeValueMemberB{Value: value}
	case []string:
		return &types.AttributeValueMemberSS{Value: value}
	case []any:
		list := make([]types.AttributeValue, len(value))
		for at, element := range value {
			list[at] = ToAttribute(element)
		}
		return &types.AttributeValueMemberL{Value: list}
	case map[string]any:
		entries := Item{}
		for name, element := range value {
			entries[name] = ToAttribute(element)
		}
		return &types.AttributeValueMemberM{Value: entries}
	}
	return &types.AttributeValueMemberS{Value: fmt.Sprint(value)}
}

// FromAttribute gives a document from what DynamoDB has.
func FromAttribute(value types.AttributeValue) any {
	switch value := value.(type) {
	case *types.AttributeValueMemberS:
		return value.Value
	case *types.AttributeValueMemberN:
		return Decimal(value.Value)
	case *types.AttributeValueMemberBOOL:
		return value.Value
	case *types.AttributeValueMemberB:
		return value.Value
	case *types.AttributeValueMemberSS:
		return value.Value
	case *types.AttributeValueMemberNS:
		return value.Value
	case *types.AttributeValueMemberL:
		list := make([]any, len(value.Value))
		for at, element := range value.Value {
			list[at] = FromAttribute(element)
		}
		return list
	case *types.AttributeValueMemberM:
		entries := map[string]any{}
		for name, element := range value.Value {
			entries[name] = FromAttribute(element)
		}
		return entries
	}
	return nil
}

// Reader reads the attributes of an item; Err says which one was missing or of another type.
type Reader struct {
	Type string
	Item Item
	Err  error
}

func (reader *Reader) fail(path string) {
	if reader.Err == nil {
		reader.Err = fmt.Errorf("%w: %s: `%s` is missing or of another type", ErrMalformedItem, reader.Type, path)
	}
}

// Maybe reads an attribute that may be absent.
func Maybe[T any](reader *Reader, path string, read func(string) T) *T {
	if At(reader.Item, path) == nil {
		return nil
	}
	value := read(path)
	return &value
}

// Text reads a text.
func (reader *Reader) Text(path string) string {
	text, there := KeyText(At(reader.Item, path))
	if !there {
		reader.fail(path)
	}
	return text
}

// Integer reads a whole number.
func (reader *Reader) Integer(path string) int64 {
	number, err := strconv.ParseInt(string(reader.Decimal(path)), 10, 64)
	if err != nil {
		reader.fail(path)
	}
	return number
}

// Decimal reads a number.
func (reader *Reader) Decimal(path string) Decimal {
	if value, same := At(reader.Item, path).(*types.AttributeValueMemberN); same {
		return Decimal(value.Value)
	}
	reader.fail(path)
	return ""
}

// Flag reads a truth value.
func (reader *Reader) Flag(path string) bool {
	if value, same := At(reader.Item, path).(*types.AttributeValueMemberBOOL); same {
		return value.Value
	}
	reader.fail(path)
	return false
}

// Binary reads bytes.
func (reader *Reader) Binary(path string) []byte {
	if value, same := At(reader.Item, path).(*types.AttributeValueMemberB); same {
		return value.Value
	}
	reader.fail(path)
	return nil
}

// List reads a list.
func (reader *Reader) List(path string) []any {
	if list, same := FromAttribute(At(reader.Item, path)).([]any); same {
		return list
	}
	reader.fail(path)
	return nil
}

// Map reads a map.
func (reader *Reader) Map(path string) map[string]any {
	if entries, same := FromAttribute(At(reader.Item, path)).(map[string]any); same {
		return entries
	}
	reader.fail(path)
	return nil
}

// Set reads a set.
func (reader *Reader) Set(path string) []string {
	if texts, same := FromAttribute(At(reader.Item, path)).([]string); same {
		return texts
	}
	reader.fail(path)
	return nil
}
