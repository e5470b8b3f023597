"""Writes a program that replays a recording through generated Go. Usage: driver.py MANIFEST MODULE_DIR"""

import json
import pathlib
import re
import sys

COMMON_GO = """// Replays a recording of a proof through the generated Go: every method must give what the oracle gave.
package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	store "MODULE"
	"MODULE/runtime"
)

type wire struct {
	S    *string
	N    *string
	B    *string
	BOOL *bool
	NULL *bool
	SS   []string
	NS   []string
	L    []wire
	M    map[string]wire
}

func (value wire) attribute() types.AttributeValue {
	switch {
	case value.S != nil:
		return &types.AttributeValueMemberS{Value: *value.S}
	case value.N != nil:
		return &types.AttributeValueMemberN{Value: *value.N}
	case value.B != nil:
		bytes, _ := base64.StdEncoding.DecodeString(*value.B)
		return &types.AttributeValueMemberB{Value: bytes}
	case value.BOOL != nil:
		return &types.AttributeValueMemberBOOL{Value: *value.BOOL}
	case value.SS != nil:
		return &types.AttributeValueMemberSS{Value: value.SS}
	case value.NS != nil:
		return &types.AttributeValueMemberNS{Value: value.NS}
	case value.L != nil:
		list := []types.AttributeValue{}
		for _, one := range value.L {
			list = append(list, one.attribute())
		}
		return &types.AttributeValueMemberL{Value: list}
	case value.M != nil:
		return &types.AttributeValueMemberM{Value: item(value.M)}
	}
	return &types.AttributeValueMemberNULL{Value: true}
}

func item(values map[string]wire) runtime.Item {
	whole := runtime.Item{}
	for name, value := range values {
		whole[name] = value.attribute()
	}
	return whole
}

type event struct {
	Event     string
	Table     string
	Key       map[string]wire
	Item      map[string]wire
	Items     []map[string]wire
	Pattern   string
	Inputs    map[string]json.RawMessage
	Limit     int
	Generated map[string]wire
	Answer    struct {
		Items        []map[string]wire
		Number       *int64
		Written      bool
		NothingThere bool
		Refused      []string
	}
}

// result is what a method gave, in a form that can be compared: a row per item, its type and its attributes.
type result struct {
	rows  []row
	next  string
	count int64
	made  row
}

type row map[string]string

// show writes a value of a generated type or of the recording in one form.
func show(value any) string {
	switch value := value.(type) {
	case string:
		return value
	case runtime.Decimal:
		return string(value)
	case int64:
		return strconv.FormatInt(value, 10)
	case []string:
		sorted := slices.Clone(value)
		slices.Sort(sorted)
		return strings.Join(sorted, "\\x00")
	case []byte:
		return base64.StdEncoding.EncodeToString(value)
	}
	text, _ := json.Marshal(value)
	return string(text)
}

func maybe[T any](row row, name string, value *T) {
	if value != nil {
		row[name] = show(*value)
	}
}

func one(event event, name string) types.AttributeValue {
	raw, there := event.Inputs[name]
	if !there {
		return nil
	}
	var value wire
	if err := json.Unmarshal(raw, &value); err != nil {
		panic(err)
	}
	return value.attribute()
}

func reader(event event, name string) *runtime.Reader {
	return &runtime.Reader{Type: "input", Item: runtime.Item{name: one(event, name)}}
}

func optional[T any](event event, name string, read func(*runtime.Reader, string) T) *T {
	if _, there := event.Inputs[name]; !there {
		return nil
	}
	value := read(reader(event, name), name)
	return &value
}

func several[T any](event event, name string, read func(*runtime.Reader, string) T) []T {
	var values []wire
	_ = json.Unmarshal(event.Inputs[name], &values)
	list := []T{}
	for _, value := range values {
		list = append(list, read(&runtime.Reader{Item: runtime.Item{name: value.attribute()}}, name))
	}
	return list
}

// expected gives the row of a recorded item.
func expected(found map[string]wire, views map[string][]string, typeAttribute string) row {
	whole := item(found)
	name := ""
	for only := range views {
		name = only
	}
	row := row{}
	if len(views) > 1 {
		name, _ = runtime.KeyText(whole[typeAttribute])
		row["\\x00type"] = name
	}
	for _, attribute := range views[name] {
		if value := runtime.At(whole, attribute); value != nil {
			row[attribute] = show(runtime.FromAttribute(value))
		}
	}
	return row
}

func check(what string, came, wanted any) {
	left, _ := json.Marshal(came)
	right, _ := json.Marshal(wanted)
	if string(left) != string(right) {
		panic(fmt.Sprintf("%s: came %s, wanted %s", what, left, right))
	}
}

// attempts to read elsewhere with a cursor.
type attempts struct {
	cursors map[string]origin
	tried   map[string]int
	refused int
}

// origin is a cursor and the inputs that it came from.
type origin struct {
	cursor string
	inputs map[string]json.RawMessage
}

// mislead holds that a cursor never leads out of the partition that a call reads: one of another pattern or partition is
// refused, and one with another character gives nothing but items of the call's own answer.
func (attempts *attempts) mislead(what string, event event, cursor string, wanted []row, run func(string) (result, error)) {
	attempts.tried[event.Pattern]++
	if attempts.tried[event.Pattern] > 3 {
		return
	}
	for from, origin := range attempts.cursors {
		elsewhere := slices.ContainsFunc(partitions[event.Pattern], func(name string) bool {
			return string(origin.inputs[name]) != string(event.Inputs[name])
		})
		if from == event.Pattern && !elsewhere {
			continue
		}
		_, err := run(origin.cursor)
		check(what+": a cursor of "+from, errors.Is(err, runtime.ErrCursor), true)
		attempts.refused++
	}
	own := map[string]bool{}
	for _, row := range wanted {
		text, _ := json.Marshal(row)
		own[string(text)] = true
	}
	for at := 0; at < len(cursor); at += max(1, len(cursor)/24) {
		other := "1"
		if cursor[at] == '1' {
			other = "2"
		}
		answer, err := run(cursor[:at] + other + cursor[at+1:])
		// DynamoDB itself refuses a key that its condition does not reach.
		if errors.Is(err, runtime.ErrCursor) || err != nil && (strings.Contains(err.Error(), "ValidationException") || strings.Contains(err.Error(), "SerializationException")) {
			attempts.refused++
			continue
		}
		if err != nil {
			panic(what + ": " + err.Error())
		}
		for _, row := range answer.rows {
			text, _ := json.Marshal(row)
			check(fmt.Sprint(what, ": a cursor that was changed at ", at), own[string(text)], true)
		}
	}
	if _, there := attempts.cursors[event.Pattern]; !there {
		attempts.cursors[event.Pattern] = origin{cursor, event.Inputs}
	}
}

func main() {
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	var recording struct {
		Tables []json.RawMessage
		Events []event
	}
	if err := json.Unmarshal(text, &recording); err != nil {
		panic(err)
	}
	ctx := context.Background()
	client := dynamodb.New(dynamodb.Options{
		BaseEndpoint: aws.String(os.Args[2]),
		Region:       "us-east-1",
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "replay", SecretAccessKey: "replay"}, nil
		}),
	})
	names := map[string]string{}
	for _, raw := range recording.Tables {
		var table dynamodb.CreateTableInput
		if err := json.Unmarshal(raw, &table); err != nil {
			panic(err)
		}
		name := fmt.Sprintf("%s-go-%d", *table.TableName, os.Getpid())
		names[*table.TableName] = name
		table.TableName = &name
		if _, err := client.CreateTable(ctx, &table); err != nil {
			panic(err)
		}
	}
	var made map[string]wire
	store := &runtime.Store{Client: client, Schema: store.Schema, TableNames: names, Make: func(wanted runtime.Made, _ time.Time) types.AttributeValue {
		return made[wanted.Name].attribute()
	}}
	calls, patterns := 0, map[string]bool{}
	attempts := attempts{cursors: map[string]origin{}, tried: map[string]int{}}
	for number, event := range recording.Events {
		name := names[event.Table]
		what := fmt.Sprintf("event %d, %s %s", number, event.Pattern, event.Inputs)
		switch event.Event {
		case "place":
			if event.Item == nil {
				_, err = client.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: &name, Key: item(event.Key)})
			} else {
				_, err = client.PutItem(ctx, &dynamodb.PutItemInput{TableName: &name, Item: item(event.Item)})
			}
			if err != nil {
				panic(err)
			}
		case "whole":
			scan, err := client.Scan(ctx, &dynamodb.ScanInput{TableName: &name})
			if err != nil {
				panic(err)
			}
			if scan.LastEvaluatedKey == nil {
				check("items of "+event.Table, len(scan.Items), len(event.Items))
			}
		case "call":
			made = event.Generated
			calls++
			patterns[event.Pattern] = true
			answer, err := call(ctx, store, event, runtime.PageOptions{Limit: event.Limit})
			var refused *runtime.ConditionFailedError
			switch {
			case event.Answer.NothingThere:
				check(what, errors.Is(err, runtime.ErrItemNotFound), true)
			case event.Answer.Refused != nil:
				check(what+fmt.Sprint(err), errors.As(err, &refused), true)
				check(what, append([]string{}, refused.Conditions...), event.Answer.Refused)
			case err != nil:
				panic(what + ": " + err.Error())
			case event.Answer.Number != nil:
				check(what, answer.count, *event.Answer.Number)
			case event.Answer.Written:
				for name, value := range answer.made {
					if wanted, there := event.Generated[name]; there {
						check(what, value, show(runtime.FromAttribute(wanted.attribute())))
					}
				}
			default:
				rows, first := answer.rows, answer.next
				for answer.next != "" {
					answer, err = call(ctx, store, event, runtime.PageOptions{Limit: event.Limit, Cursor: answer.next})
					if err != nil {
						panic(what + ": " + err.Error())
					}
					rows = append(rows, answer.rows...)
				}
				wanted := []row{}
				for _, found := range event.Answer.Items {
					wanted = append(wanted, expected(found, views[event.Pattern], TYPE))
				}
				check(what, append([]row{}, rows...), wanted)
				if first != "" {
					attempts.mislead(what, event, first, wanted, func(cursor string) (result, error) {
						return call(ctx, store, event, runtime.PageOptions{Limit: event.Limit, Cursor: cursor})
					})
				}
			}
		}
	}
	fmt.Printf("go: %d calls of %d of %d patterns as the oracle has them, %d cursors refused\\n", calls, len(patterns), len(views), attempts.refused)
}
"""

READS = {
    "text": "Text",
    "integer": "Integer",
    "number": "Decimal",
    "decimal": "Decimal",
    "boolean": "Flag",
    "list": "List",
    "map": "Map",
    "set": "Set",
    "binary": "Binary",
}


def go(manifest, folder):
    module = re.search(r"^module (\S+)", pathlib.Path(folder, "go.mod").read_text(), re.MULTILINE)[1]
    quote = json.dumps
    type_attribute = quote(manifest["typeAttribute"] or "")
    lines = [COMMON_GO.replace("MODULE", module).replace("TYPE", type_attribute)]
    lines.append("\nvar views = map[string]map[string][]string{")
    for method in manifest["methods"]:
        views = ", ".join(
            f'{quote(view["item"])}: {{{", ".join(quote(field["attribute"]) for field in view["fields"])}}}'
            for view in method["views"]
        )
        lines.append(f'\t{quote(method["pattern"])}: {{{views}}},')
    lines.append("}\n")
    lines.append("var partitions = map[string][]string{")
    for method in manifest["methods"]:
        inputs = ", ".join(quote(name) for name in method["partition"])
        lines.append(f'\t{quote(method["pattern"])}: {{{inputs}}},')
    lines.append("}\n")
    lines.append("func call(ctx context.Context, at *runtime.Store, event event, page runtime.PageOptions) (result, error) {")
    lines.append("\tvar result result\n\tswitch event.Pattern {")
    for method in manifest["methods"]:
        lines.append(f'\tcase {quote(method["pattern"])}:')
        given = []
        for parameter in method["parameters"]:
            name, read = quote(parameter["input"]), f'(*runtime.Reader).{READS[parameter["type"]]}'
            if parameter["list"]:
                value = f"several(event, {name}, {read})"
            elif parameter["optional"]:
                value = f"optional(event, {name}, {read})"
            else:
                value = f"reader(event, {name}).{READS[parameter['type']]}({name})"
            given.append(f'\t\t\t{parameter["names"]["go"]}: {value},')
        arguments = "ctx"
        if given:
            arguments += f', store.{method["input"]}{{\n' + "\n".join(given) + "\n\t\t}"
        if method["answer"] == "page":
            arguments += ", page"
        invoke = f'store.{method["repository"]}{{Store: at}}.{method["names"]["go"]}({arguments})'
        if method["answer"] == "nothing":
            lines.append(f"\t\treturn result, {invoke}")
            continue
        lines.append(f"\t\tanswer, err := {invoke}\n\t\tif err != nil {{\n\t\t\treturn result, err\n\t\t}}")
        if method["answer"] == "count":
            lines.append("\t\tresult.count = answer")
        elif method["answer"] == "made":
            fields = ", ".join(f'{quote(f["attribute"])}: show(answer.{f["names"]["go"]})' for f in method["made"])
            lines.append(f"\t\tresult.made = row{{{fields}}}")
        else:
            mixed = len(method["views"]) > 1
            if method["answer"] == "one":
                lines.append("\t\tif answer == nil {\n\t\t\treturn result, nil\n\t\t}")
                value = "answer" if mixed else "*answer"
                source = f"[]any{{{value}}}"
            else:
                source = "answer.Items" if method["answer"] == "page" else "answer"
            lines.append(f"\t\tfor _, entry := range {source} {{")
            lines.append("\t\t\tswitch value := any(entry).(type) {")
            for view in method["views"]:
                lines.append(f'\t\t\tcase store.{view["types"]["go"]}:')
                lines.append("\t\t\t\tone := row{}")
                if mixed:
                    lines.append(f'\t\t\t\tone["\\x00type"] = {quote(view["item"])}')
                for field in view["fields"]:
                    attribute, name = quote(field["attribute"]), field["names"]["go"]
                    if field["optional"]:
                        lines.append(f"\t\t\t\tmaybe(one, {attribute}, value.{name})")
                    else:
                        lines.append(f"\t\t\t\tone[{attribute}] = show(value.{name})")
                lines.append("\t\t\t\tresult.rows = append(result.rows, one)")
            lines.append("\t\t\t}\n\t\t}")
            if method["answer"] == "page":
                lines.append("\t\tresult.next = answer.NextCursor")
    lines.append('\tdefault:\n\t\tpanic("no method for " + event.Pattern)\n\t}\n\treturn result, nil\n}')
    return "\n".join(lines) + "\n"


manifest_path, folder = sys.argv[1:]
print(go(json.loads(pathlib.Path(manifest_path).read_text()), folder), end="")
