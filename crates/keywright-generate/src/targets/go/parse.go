package runtime

import (
	"fmt"
	"math"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

var escapedPattern = regexp.MustCompile(`(?s)\$.?`)

// ParseKey gives the values of a key as texts; not there where it is no key of the template. A bucket and a shard can't be
// undone: they come back as they stand in the key.
func ParseKey(template, key string) (map[string]string, bool) {
	type part struct{ name, encoding, written, follower string }
	values, kept, at := map[string]string{}, []part{}, 0
	for _, place := range placePattern.FindAllStringSubmatchIndex(template, -1) {
		rest, fits := strings.CutPrefix(key, template[at:place[0]])
		if !fits {
			return nil, false
		}
		at = place[1]
		part := part{name: template[place[2]:place[3]]}
		if place[4] >= 0 {
			part.encoding = template[place[4]:place[5]]
		}
		if at < len(template) && template[at] != '<' {
			part.follower = template[at : at+1]
		}
		encoding := parseEncoding(part.encoding)
		width := encoding.width()
		if width < 0 {
			width = len(rest)
			if part.follower != "" {
				width = strings.Index(rest, part.follower)
			}
		}
		if width < 0 || width > len(rest) {
			return nil, false
		}
		part.written, key = rest[:width], rest[width:]
		value, fits := encoding.value(part.written, part.follower)
		if !fits {
			return nil, false
		}
		if encoding.lossy() {
			kept = append(kept, part)
		} else if other, there := values[part.name]; there && other != value {
			return nil, false
		} else {
			values[part.name] = value
		}
	}
	for _, part := range kept {
		whole, there := values[part.name]
		if there && !parseEncoding(part.encoding).writes(whole, part.written, part.follower) {
			return nil, false
		}
		if !there {
			values[part.name] = part.written
		}
	}
	return values, key == template[at:]
}

// encoding says how a value is written.
type encoding struct {
	text, family  string
	descending    bool
	digits, scale int
	values        []string
}

func parseEncoding(text string) encoding {
	match := encodingPattern.FindStringSubmatch(text)
	if match == nil {
		return encoding{text: text, family: "?"}
	}
	family, descending := strings.CutSuffix(match[1], "desc")
	if descending && family == "" {
		family = "pad"
	}
	digits, scale, _ := strings.Cut(match[2], ".")
	parsed := encoding{text: text, family: family, descending: descending, values: strings.Split(match[3], ",")}
	parsed.digits, _ = strconv.Atoi(digits)
	parsed.scale, _ = strconv.Atoi(scale)
	for at, value := range parsed.values {
		parsed.values[at] = strings.TrimSpace(value)
	}
	return parsed
}

// lossy tells what says less than the value that it was made from.
func (encoding encoding) lossy() bool {
	return slices.Contains([]string{"y", "ym", "ymd", "ymdh", "shard"}, encoding.family)
}

// width tells how many bytes an encoding takes; -1 where that depends on the value.
func (encoding encoding) width() int {
	switch encoding.family {
	case "pad":
		return encoding.digits
	case "int":
		return encoding.digits + 1
	case "dec":
		if encoding.scale > 0 {
			return encoding.digits + 2
		}
		return encoding.digits + 1
	case "shard":
		return len(strconv.Itoa(encoding.digits - 1))
	case "enum", "enumname":
		if encoding.family == "enumname" && !encoding.descending {
			return -1
		}
		return len(strconv.Itoa(len(encoding.values) - 1))
	}
	widths := map[string]int{
		"float": 16, "bool": 1, "iso": 24, "isos": 20, "isou": 27, "epochs": 12, "epochms": 15, "date": 10,
		"y": 4, "ym": 7, "ymd": 10, "ymdh": 13, "ulid": 26, "uuid": 36, "ksuid": 27,
	}
	if width, there := widths[encoding.family]; there {
		return width
	}
	return -1
}

// value gives a value from how it is written; not there where nothing is written so.
func (encoding encoding) value(written, follower string) (string, bool) {
	if encoding.family == "shard" {
		shard, err := strconv.ParseUint(written, 10, 32)
		return written, err == nil && int(shard) < encoding.digits
	}
	value := encoding.undone(written)
	return value, encoding.writes(value, written, follower)
}

// writes tells whether a value is written so, and not only in a way that could be read as it.
func (encoding encoding) writes(value, written, follower string) bool {
	again, err := Encode(encoding.text, value, follower)
	return err == nil && again == written
}

// undone gives the value that could be written so; what is no key gives a text that is never written so.
func (encoding encoding) undone(written string) string {
	switch encoding.family {
	case "", "text":
		return unescape(written)
	case "pad", "int", "dec", "epochs", "epochms":
		return encoding.number(written)
	case "float":
		return unfloat(written, encoding.descending)
	case "bool":
		return strconv.FormatBool((written == "1") != encoding.descending)
	case "ulid", "ksuid", "uuid":
		// Turned round twice it is as it was.
		value, _ := Encode(encoding.text, written, "")
		return value
	case "iso", "isos", "isou", "date":
		return directed(written, encoding.descending)
	case "enum", "enumname":
		if encoding.family == "enumname" && !encoding.descending {
			return unescape(written)
		}
		return encoding.listed(written)
	}
	return written
}

func (encoding encoding) listed(written string) string {
	values := slices.Clone(encoding.values)
	if encoding.family == "enumname" {
		slices.Sort(values)
	}
	index, err := strconv.Atoi(written)
	if encoding.descending {
		index = len(values) - 1 - index
	}
	if err != nil || index < 0 || index >= len(values) {
		return ""
	}
	return values[index]
}

func (encoding encoding) number(written string) string {
	value, fits := new(big.Int).SetString(strings.Replace(written, ".", "", 1), 10)
	if !fits {
		return ""
	}
	switch encoding.family {
	case "pad":
		if encoding.descending {
			value.Sub(new(big.Int).Sub(powerOfTen(encoding.digits), big.NewInt(1)), value)
		}
		return value.String()
	case "int", "dec":
		value.Sub(value, powerOfTen(encoding.digits))
		if encoding.descending {
			value.Neg(value)
		}
		return point(value, encoding.scale)
	}
	if encoding.descending {
		value.Sub(new(big.Int).Sub(powerOfTen(len(written)), big.NewInt(1)), value)
	}
	if encoding.family == "epochs" {
		return time.Unix(value.Int64(), 0).UTC().Format("2006-01-02T15:04:05Z")
	}
	return time.UnixMilli(value.Int64()).UTC().Format("2006-01-02T15:04:05.000Z")
}

func point(units *big.Int, scale int) string {
	sign, text := "", new(big.Int).Abs(units).String()
	if units.Sign() < 0 {
		sign = "-"
	}
	if missing := scale + 1 - len(text); missing > 0 {
		text = strings.Repeat("0", missing) + text
	}
	whole, fraction := text[:len(text)-scale], strings.TrimRight(text[len(text)-scale:], "0")
	if fraction != "" {
		fraction = "." + fraction
	}
	return sign + whole + fraction
}

func unfloat(written string, descending bool) string {
	bits, err := strconv.ParseUint(written, 16, 64)
	if err != nil {
		return ""
	}
	if descending {
		bits = ^bits
	}
	if bits&(1<<63) != 0 {
		bits ^= 1 << 63
	} else {
		bits = ^bits
	}
	return fmt.Sprint(math.Float64frombits(bits))
}

func unescape(written string) string {
	return escapedPattern.ReplaceAllStringFunc(written, func(sign string) string {
		if sign == "$a" {
			return "@"
		}
		code := strings.Index(escapeAlphabet, sign[1:])
		if len(sign) != 2 || code < 0 {
			return sign
		}
		return string(rune(code))
	})
}
