package runtime

import (
	"encoding/hex"
	"fmt"
	"maps"
	"regexp"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

var (
	aliasPattern = regexp.MustCompile(`#[A-Za-z0-9_]+`)
	plainPattern = regexp.MustCompile(`^[A-Za-z0-9_]+$`)
	slotPattern  = regexp.MustCompile(`\{[0-9]+\}`)
)

// Scope holds the values that the steps of one call can name.
type Scope struct {
	inputs     Inputs
	generated  Item
	reads      [][]Item
	atHandStep int
	atHand     int
	inList     bool
	element    int
	scattered  map[string]string
}

func (scope *Scope) input(name string) Input {
	input := scope.inputs[name]
	if !input.IsList || !scope.inList {
		return input
	}
	if scope.element < len(input.Many) {
		return one(input.Many[scope.element])
	}
	return Input{}
}

func (scope *Scope) items(step int) []Item {
	if step < 1 || step > len(scope.reads) {
		return nil
	}
	return scope.reads[step-1]
}

func (scope *Scope) readItem(step int) Item {
	index := 0
	if scope.atHandStep == step {
		index = scope.atHand
	}
	if items := scope.items(step); index < len(items) {
		return items[index]
	}
	return nil
}

func (scope *Scope) read(step int, attribute string) types.AttributeValue {
	return At(scope.readItem(step), attribute)
}

func (scope *Scope) named(name string) (string, bool) {
	if value, found := scope.scattered[name]; found {
		return value, true
	}
	if given, otherwise, found := strings.Cut(name, " else "); found {
		if value, there := scope.named(given); there {
			return value, true
		}
		return scope.named(otherwise)
	}
	for _, sign := range []string{" + ", " - "} {
		if of, by, found := strings.Cut(name, sign); found {
			return scope.total(of, by, sign == " - ")
		}
	}
	if number, attribute, found := strings.Cut(name, "."); found {
		if step, err := strconv.Atoi(number); err == nil {
			return KeyText(scope.read(step, attribute))
		}
	}
	if input := scope.input(name); input.there() {
		return KeyText(input.One)
	}
	return KeyText(scope.generated[name])
}

// total is a number and what is added to it. What is no whole number stays as it is: an encoding refuses it.
func (scope *Scope) total(of, by string, minus bool) (string, bool) {
	base, there := scope.named(of)
	if !there {
		base = "0"
	}
	step := by
	if _, err := strconv.ParseUint(by, 10, 64); err != nil {
		if step, there = scope.named(by); !there {
			return "", false
		}
	}
	number, err := integer(base)
	if err != nil {
		return base, true
	}
	added, err := integer(step)
	if err != nil {
		return step, true
	}
	if minus {
		return number.Sub(number, added).String(), true
	}
	return number.Add(number, added).String(), true
}

// KeyText gives a value as a key writes it.
func KeyText(value types.AttributeValue) (string, bool) {
	switch value := value.(type) {
	case *types.AttributeValueMemberS:
		return value.Value, true
	case *types.AttributeValueMemberN:
		return value.Value, true
	case *types.AttributeValueMemberBOOL:
		return strconv.FormatBool(value.Value), true
	}
	return "", false
}

// At gives the value at a path: an attribute of that exact name, else the way through maps.
func At(item Item, path string) types.AttributeValue {
	if value, there := item[path]; there {
		return value
	}
	first, rest, nested := strings.Cut(path, ".")
	if within, isMap := item[first].(*types.AttributeValueMemberM); nested && isMap {
		return At(within.Value, rest)
	}
	return nil
}

func put(item Item, path string, value types.AttributeValue) {
	first, rest, nested := strings.Cut(path, ".")
	if !nested {
		item[path] = value
		return
	}
	inside := Item{}
	if within, isMap := item[first].(*types.AttributeValueMemberM); isMap {
		inside = maps.Clone(within.Value)
	}
	put(inside, rest, value)
	item[first] = &types.AttributeValueMemberM{Value: inside}
}

func alias(attribute string) string {
	if plainPattern.MatchString(attribute) {
		return "#" + attribute
	}
	return "#x_" + hex.EncodeToString([]byte(attribute))
}

// expressions are the expressions of one request, and the names and values that they share.
type expressions struct {
	scope  *Scope
	odd    []Alias
	names  map[string]string
	values Item
}

func (call *call) expressions(scope *Scope) *expressions {
	return &expressions{scope: scope, odd: call.store.Schema.Aliases}
}

// aliased gives the text, and takes note of its aliases.
func (expressions *expressions) aliased(text string) string {
	for _, alias := range aliasPattern.FindAllString(text, -1) {
		if expressions.names == nil {
			expressions.names = map[string]string{}
		}
		expressions.names[alias] = alias[1:]
		for _, odd := range expressions.odd {
			if odd.Alias == alias {
				expressions.names[alias] = odd.Name
			}
		}
	}
	return text
}

func (expressions *expressions) value(value types.AttributeValue) string {
	if expressions.values == nil {
		expressions.values = Item{}
	}
	alias := fmt.Sprintf(":v%d", len(expressions.values))
	expressions.values[alias] = value
	return alias
}

// clause gives a clause with its values in place; where one is absent, what it says then.
func (expressions *expressions) clause(clause Clause) (string, bool, error) {
	inputs := make([]Input, len(clause.Values))
	for at, value := range clause.Values {
		input, err := value(expressions.scope)
		if err != nil || !input.there() || input.IsList && len(input.Many) == 0 {
			return expressions.aliased(clause.Otherwise), err == nil && clause.Otherwise != "", err
		}
		inputs[at] = input
	}
	aliases := make([]string, len(inputs))
	for at, input := range inputs {
		if !input.IsList {
			aliases[at] = expressions.value(input.One)
			continue
		}
		// A list input stands for its elements.
		several := make([]string, len(input.Many))
		for at, value := range input.Many {
			several[at] = expressions.value(value)
		}
		aliases[at] = strings.Join(several, ", ")
	}
	text := slotPattern.ReplaceAllStringFunc(expressions.aliased(clause.Text), func(slot string) string {
		at, _ := strconv.Atoi(slot[1 : len(slot)-1])
		return aliases[at]
	})
	return text, true, nil
}

func (expressions *expressions) clauses(clauses []Clause) ([]string, error) {
	var texts []string
	for _, clause := range clauses {
		text, there, err := expressions.clause(clause)
		if err != nil {
			return nil, err
		}
		if there {
			texts = append(texts, text)
		}
	}
	return texts, nil
}

// all gives all clauses together; nothing where none is left.
func (expressions *expressions) all(clauses []Clause) (*string, error) {
	texts, err := expressions.clauses(clauses)
	if err != nil || len(texts) == 0 {
		return nil, err
	}
	text := strings.Join(texts, " AND ")
	return &text, nil
}

func (expressions *expressions) projection(paths []string) *string {
	if len(paths) == 0 {
		return nil
	}
	text := expressions.aliased(strings.Join(paths, ", "))
	return &text
}
