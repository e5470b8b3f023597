// Package runtime holds what all generated methods share: keys, and the store that runs operations.
package runtime

import (
	"crypto/rand"
	"errors"
	"fmt"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Lookup tells what a placeholder stands for, as text, and whether it is there.
type Lookup func(name string) (string, bool)

// ErrInvalidKey is wrapped by every error about a value that can't stand in a key.
var ErrInvalidKey = errors.New("invalid key")

const (
	escapeAlphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_"
	crockford      = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
	base62         = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	maxKeyBytes    = 2048
)

var (
	placePattern    = regexp.MustCompile(`<([^>:]*)(?::([^>]*))?>`)
	encodingPattern = regexp.MustCompile(`^([a-z]*)([0-9.]*)(?:\((.*)\))?$`)
	integerPattern  = regexp.MustCompile(`^[+-]?[0-9]+$`)
	decimalPattern  = regexp.MustCompile(`^([+-]?)([0-9]+)(?:\.([0-9]+))?$`)
	datePattern     = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}$`)
	hourPattern     = regexp.MustCompile(`^T([01][0-9]|2[0-3])$`)
	uuidPattern     = regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)
	instantPattern  = regexp.MustCompile(
		`^([0-9]{4}-[0-9]{2}-[0-9]{2})[Tt]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]{1,9}))?([Zz]|[+-][0-9]{2}:[0-9]{2})$`)
)

// BuildKey gives the key of a template such as ORDER#<placedAt:iso>#<orderId>; not there where a value is absent.
func BuildKey(template string, lookup Lookup) (string, bool, error) {
	return build(template, lookup, false)
}

// BuildBound gives a leading part of a key, as the bound of a range: its last text is escaped as in the middle of a key.
// A $ at the end closes an inclusive upper bound: it is the byte after the separator.
func BuildBound(template string, lookup Lookup) (string, bool, error) {
	open, closed := template, strings.HasSuffix(template, ">$")
	if closed {
		open = template[:len(template)-1]
	}
	key, there, err := build(open, lookup, true)
	if closed {
		key += "$"
	}
	return key, there, err
}

func build(template string, lookup Lookup, goesOn bool) (string, bool, error) {
	var key strings.Builder
	at := 0
	for _, place := range placePattern.FindAllStringSubmatchIndex(template, -1) {
		key.WriteString(template[at:place[0]])
		at = place[1]
		name, encoding := template[place[2]:place[3]], ""
		if place[4] >= 0 {
			encoding = template[place[4]:place[5]]
		}
		text, there := lookup(name)
		if !there {
			return "", false, nil
		}
		follower := ""
		if at < len(template) && template[at] != '<' {
			follower = template[at : at+1]
		} else if at == len(template) && goesOn {
			follower = "#"
		}
		encoded, err := Encode(encoding, text, follower)
		if err != nil {
			return "", false, fmt.Errorf("`%s`, `%s`: %w", template, name, err)
		}
		key.WriteString(encoded)
	}
	key.WriteString(template[at:])
	if key.Len() == 0 || key.Len() > maxKeyBytes {
		return "", false, fmt.Errorf("%w: `%s`: %d bytes; a key has 1 to %d", ErrInvalidKey, template, key.Len(), maxKeyBytes)
	}
	return key.String(), true, nil
}

func refuse(format string, arguments ...any) error {
	return fmt.Errorf("%w: %s", ErrInvalidKey, fmt.Sprintf(format, arguments...))
}

// Encode gives a value as it stands in a key before the character follower, or at the key's end if that is empty.
func Encode(encoding, text, follower string) (string, error) {
	match := encodingPattern.FindStringSubmatch(encoding)
	if match == nil {
		return "", refuse("there is no encoding `%s`", encoding)
	}
	letters, numbers, listed := match[1], match[2], match[3]
	descending := len(letters) > 4 && strings.HasSuffix(letters, "desc")
	family := letters
	if descending {
		family = strings.TrimSuffix(letters, "desc")
	}
	width, _ := strconv.Atoi(numbers)
	switch family {
	case "", "text":
		return escape(text, follower)
	case "pad", "desc":
		return unsigned(text, width, family == "desc")
	case "int":
		value, err := integer(text)
		if err != nil {
			return "", err
		}
		return signed(value, width, descending)
	case "dec":
		digits, scale, _ := strings.Cut(numbers, ".")
		width, _ := strconv.Atoi(digits)
		places, _ := strconv.Atoi(scale)
		return decimal(text, width, places, descending)
	case "float":
		return float(text, descending)
	case "bool":
		if text != "true" && text != "false" {
			return "", refuse("%q is not `true` or `false`", text)
		}
		if (text == "true") == descending {
			return "0", nil
		}
		return "1", nil
	case "iso":
		return iso(text, 3, descending)
	case "isos":
		return iso(text, 0, descending)
	case "isou":
		return iso(text, 6, descending)
	case "epochs":
		return epoch(text, 12, 1_000_000_000, descending)
	case "epochms":
		return epoch(text, 15, 1_000_000, descending)
	case "date":
		if !isDate(text) {
			return "", refuse("%q is not a date", text)
		}
		return directed(text, descending), nil
	case "y":
		return bucket(text, 4)
	case "ym":
		return bucket(text, 7)
	case "ymd":
		return bucket(text, 10)
	case "ymdh":
		return bucket(text, 13)
	case "shard":
		return fmt.Sprintf("%0*d", len(strconv.Itoa(width-1)), ShardOf(text, width)), nil
	case "ulid":
		return canonical(text, "ulid", crockford, 26, 128, descending)
	case "ksuid":
		return canonical(text, "ksuid", base62, 27, 160, descending)
	case "uuid":
		return uuid(text, descending)
	case "enum", "enumname":
		return enumeration(text, listed, family == "enumname", descending, follower)
	}
	return "", refuse("there is no encoding `%s`", encoding)
}

// escape writes free text: before a # every byte up to $ as $ and one character, so that the order of texts is the order
// of keys; at the end of a key only # and $.
func escape(text, follower string) (string, error) {
	if !utf8.ValidString(text) {
		return "", refuse("%q is not UTF-8", text)
	}
	if follower != "" && follower != "#" && follower != "@" {
		most := max('#', follower[0])
		for _, character := range text {
			if character <= rune(most) {
				return "", refuse("%q would change the shape or the order of the key", character)
			}
		}
		return text, nil
	}
	var escaped strings.Builder
	for _, character := range text {
		var escapes bool
		switch follower {
		case "":
			escapes = character == '#' || character == '$'
		case "@":
			escapes = character <= '$' || character == '@'
		default:
			escapes = character <= '$'
		}
		switch {
		case escapes && character == '@':
			escaped.WriteString("$a")
		case escapes:
			escaped.WriteByte('$')
			escaped.WriteByte(escapeAlphabet[character])
		default:
			escaped.WriteRune(character)
		}
	}
	return escaped.String(), nil
}

func powerOfTen(exponent int) *big.Int {
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(exponent)), nil)
}

func padded(value *big.Int, width int) string {
	text := value.String()
	return strings.Repeat("0", max(0, width-len(text))) + text
}

func integer(text string) (*big.Int, error) {
	value, ok := new(big.Int).SetString(strings.TrimPrefix(text, "+"), 10)
	if !ok || !integerPattern.MatchString(text) {
		return nil, refuse("%q is not an integer", text)
	}
	return value, nil
}

func unsigned(text string, width int, descending bool) (string, error) {
	value, err := integer(text)
	if err != nil {
		return "", err
	}
	most := new(big.Int).Sub(powerOfTen(width), big.NewInt(1))
	if value.Sign() < 0 || value.Cmp(most) > 0 {
		return "", refuse("%s is outside 0 to %s", value, most)
	}
	if descending {
		value = new(big.Int).Sub(most, value)
	}
	return padded(value, width), nil
}

func signed(value *big.Int, width int, descending bool) (string, error) {
	offset := powerOfTen(width)
	if new(big.Int).Abs(value).Cmp(offset) >= 0 {
		return "", refuse("%s has more than %d digits", value, width)
	}
	if descending {
		value = new(big.Int).Neg(value)
	}
	return padded(new(big.Int).Add(offset, value), width+1), nil
}

func decimal(text string, width, scale int, descending bool) (string, error) {
	match := decimalPattern.FindStringSubmatch(text)
	if match == nil {
		return "", refuse("%q is not a decimal", text)
	}
	fraction := strings.TrimRight(match[3], "0")
	if len(fraction) > scale {
		return "", refuse("%s has more digits than the key keeps", text)
	}
	units, err := integer(match[1] + match[2] + fraction + strings.Repeat("0", scale-len(fraction)))
	if err != nil {
		return "", err
	}
	written, err := signed(units, width, descending)
	if err != nil || scale == 0 {
		return written, err
	}
	return written[:len(written)-scale] + "." + written[len(written)-scale:], nil
}

func float(text string, descending bool) (string, error) {
	value, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(value, 0) || math.IsNaN(value) {
		return "", refuse("a float in a key must be finite, not %q", text)
	}
	if value == 0 {
		value = 0 // -0 and 0 are one value.
	}
	bits := math.Float64bits(math.Abs(value))
	if value < 0 {
		bits = ^math.Float64bits(value)
	} else {
		bits |= 1 << 63
	}
	if descending {
		bits = ^bits
	}
	return fmt.Sprintf("%016x", bits), nil
}

// directed replaces every digit d of a descending text by 9-d.
func directed(text string, descending bool) string {
	if !descending {
		return text
	}
	return strings.Map(func(character rune) rune {
		if character >= '0' && character <= '9' {
			return '0' + '9' - character
		}
		return character
	}, text)
}

func isDate(text string) bool {
	if !datePattern.MatchString(text) {
		return false
	}
	_, err := time.Parse(time.DateOnly, text)
	return err == nil
}

func instant(text string) (time.Time, error) {
	refused := refuse("%q is not an RFC 3339 instant", text)
	match := instantPattern.FindStringSubmatch(text)
	if match == nil || !isDate(match[1]) {
		return time.Time{}, refused
	}
	value, err := time.Parse("2006-01-02T15:04:05", match[1]+"T"+match[2]+":"+match[3]+":"+match[4])
	if err != nil {
		return time.Time{}, refused
	}
	nanos, _ := strconv.Atoi((match[5] + "000000000")[:9])
	value = value.Add(time.Duration(nanos))
	if zone := match[6]; len(zone) > 1 {
		hours, _ := strconv.Atoi(zone[1:3])
		minutes, _ := strconv.Atoi(zone[4:])
		if hours > 23 || minutes > 59 {
			return time.Time{}, refused
		}
		offset := time.Duration(hours)*time.Hour + time.Duration(minutes)*time.Minute
		if zone[0] == '+' {
			offset = -offset
		}
		value = value.Add(offset)
	}
	if value.Year() < 0 || value.Year() > 9999 {
		return time.Time{}, refused
	}
	return value, nil
}

func iso(text string, digits int, descending bool) (string, error) {
	value, err := instant(text)
	if err != nil {
		return "", err
	}
	fraction := fmt.Sprintf("%09d", value.Nanosecond())
	if strings.Trim(fraction[digits:], "0") != "" {
		return "", refuse("%s has more digits than the key keeps", text)
	}
	written := value.Format("2006-01-02T15:04:05")
	if digits > 0 {
		written += "." + fraction[:digits]
	}
	return directed(written+"Z", descending), nil
}

func epoch(text string, width int, unit int64, descending bool) (string, error) {
	value, err := instant(text)
	if err != nil {
		return "", err
	}
	if int64(value.Nanosecond())%unit != 0 {
		return "", refuse("%s has more digits than the key keeps", text)
	}
	if value.Unix() < 0 {
		return "", refuse("%s is before 1970", text)
	}
	perSecond := 1_000_000_000 / unit
	number := value.Unix()*perSecond + int64(value.Nanosecond())/unit
	if descending {
		number = int64(math.Pow10(width)) - 1 - number
	}
	return fmt.Sprintf("%0*d", width, number), nil
}

func bucket(text string, width int) (string, error) {
	if len(text) == width {
		whole := text
		if width < 10 {
			whole += "0000-01-01"[width:]
		}
		if isDate(whole[:10]) && (width < 13 || hourPattern.MatchString(text[10:])) {
			return text, nil
		}
	}
	if width < 13 && isDate(text) {
		return text[:width], nil
	}
	value, err := instant(text)
	if err != nil {
		return "", err
	}
	return value.Format("2006-01-02T15")[:width], nil
}

// ShardOf gives the shard of a text: FNV-1a over its UTF-8 bytes, mixed, modulo the number of shards.
func ShardOf(text string, count int) int {
	hash := uint32(2_166_136_261)
	for index := range len(text) {
		hash = (hash ^ uint32(text[index])) * 16_777_619
	}
	hash ^= hash >> 16
	hash *= 0x85ebca6b
	hash ^= hash >> 13
	hash *= 0xc2b2ae35
	hash ^= hash >> 16
	return int(hash % uint32(count))
}

func inBase(value *big.Int, alphabet string, width int) string {
	base, digit, rest := big.NewInt(int64(len(alphabet))), new(big.Int), new(big.Int).Set(value)
	text := make([]byte, width)
	for at := width - 1; at >= 0; at-- {
		rest.DivMod(rest, base, digit)
		text[at] = alphabet[digit.Int64()]
	}
	return string(text)
}

func inverted(value *big.Int, bits uint) *big.Int {
	most := new(big.Int).Lsh(big.NewInt(1), bits)
	return most.Sub(most.Sub(most, big.NewInt(1)), value)
}

func canonical(text, kind, alphabet string, width int, bits uint, descending bool) (string, error) {
	refused := refuse("%q is not a %s in its canonical form", text, kind)
	value, base := new(big.Int), big.NewInt(int64(len(alphabet)))
	for _, character := range text {
		digit := strings.IndexRune(alphabet, character)
		if digit < 0 {
			return "", refused
		}
		value.Add(value.Mul(value, base), big.NewInt(int64(digit)))
	}
	if len(text) != width || value.BitLen() > int(bits) {
		return "", refused
	}
	if descending {
		return inBase(inverted(value, bits), alphabet, width), nil
	}
	return text, nil
}

func uuid(text string, descending bool) (string, error) {
	if !uuidPattern.MatchString(text) {
		return "", refuse("%q is not a uuid in its canonical form", text)
	}
	if !descending {
		return text, nil
	}
	value, _ := new(big.Int).SetString(strings.ReplaceAll(text, "-", ""), 16)
	return hyphenated(inverted(value, 128)), nil
}

func hyphenated(value *big.Int) string {
	digits := fmt.Sprintf("%032x", value)
	return strings.Join([]string{digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]}, "-")
}

func enumeration(name, listed string, byName, descending bool, follower string) (string, error) {
	if listed == "" {
		return "", refuse("no values are declared, so they have no order")
	}
	values := strings.Split(listed, ",")
	rank, index := 0, -1
	for at, value := range values {
		values[at] = strings.TrimSpace(value)
		if values[at] == name {
			index = at
		}
		if values[at] < name {
			rank++
		}
	}
	if index < 0 {
		return "", refuse("%q is not a declared value", name)
	}
	if byName && !descending {
		return escape(name, follower)
	}
	if !byName {
		rank = index
	}
	last := len(values) - 1
	if descending {
		rank = last - rank
	}
	return fmt.Sprintf("%0*d", len(strconv.Itoa(last)), rank), nil
}

func random(bytes int) *big.Int {
	drawn := make([]byte, bytes)
	// The system's randomness never fails; see crypto/rand.
	_, _ = rand.Read(drawn)
	return new(big.Int).SetBytes(drawn)
}

func shifted(value int64, bits uint) *big.Int {
	return new(big.Int).Lsh(big.NewInt(value), bits)
}

// NewULID gives a new ULID.
func NewULID(millis int64) string {
	return inBase(new(big.Int).Or(shifted(millis, 80), random(10)), crockford, 26)
}

// NewUUID gives a new UUID, version 7.
func NewUUID(millis int64) string {
	value := new(big.Int).Or(shifted(millis, 80), shifted(7, 76))
	drawn := random(10)
	value.Or(value, new(big.Int).Lsh(new(big.Int).Rsh(drawn, 68), 64))
	value.Or(value, shifted(2, 62))
	low := new(big.Int).And(drawn, new(big.Int).Sub(shifted(1, 62), big.NewInt(1)))
	return hyphenated(value.Or(value, low))
}

// NewKSUID gives a new KSUID.
func NewKSUID(millis int64) string {
	return inBase(new(big.Int).Or(shifted(millis/1000-1_400_000_000, 128), random(16)), base62, 27)
}
