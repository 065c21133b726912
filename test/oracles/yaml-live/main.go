// Reads texts from standard input, one JSON string per line, and prints what the YAML readers of the cluster make of each:
// go.yaml.in/yaml v2 as kubectl uses it (through sigs.k8s.io/yaml), and v3 as kustomize uses it.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"

	v2 "go.yaml.in/yaml/v2"
	v3 "go.yaml.in/yaml/v3"
	kubectl "sigs.k8s.io/yaml"
)

// Stream is what one reader makes of a text: its documents, or the reason to refuse it.
type Stream struct {
	Documents []any  `json:"documents,omitempty"`
	Error     string `json:"error,omitempty"`
}

// Answer is what both readers make of a text.
type Answer struct {
	V2 Stream `json:"v2"`
	V3 Stream `json:"v3"`
}

func main() {
	lines := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := bufio.NewWriterSize(os.Stdout, 1<<20)
	defer out.Flush()
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			var text string
			if problem := json.Unmarshal(line, &text); problem != nil {
				panic(problem)
			}
			if problem := encoder.Encode(Answer{V2: read(text, readV2), V3: read(text, readV3)}); problem != nil {
				panic(problem)
			}
			// The other side waits for the answers of a batch, and an empty text ends one.
			if text == "" {
				out.Flush()
			}
		}
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			panic(err)
		}
	}
}

func read(text string, with func(string) ([]any, error)) (stream Stream) {
	// v3 panics on some texts; to its users that is a refusal too.
	defer func() {
		if reason := recover(); reason != nil {
			stream = Stream{Error: fmt.Sprint("panic: ", reason)}
		}
	}()
	documents, err := with(text)
	if err != nil {
		return Stream{Error: err.Error()}
	}
	return Stream{Documents: documents}
}

// cut cuts a text where kubectl (k8s.io/apimachinery/pkg/util/yaml) and kustomize (kyaml) do before they read YAML: at lines that begin
// with `---`. Lines end with a line feed for both, and the last one gets one from kubectl. (kustomize leaves it as it is; we report that.)
func cut(text string) ([]string, error) {
	parts := []string{}
	part := ""
	for _, line := range strings.SplitAfter(strings.ReplaceAll(text, "\r\n", "\n"), "\n") {
		if line != "" && !strings.HasSuffix(line, "\n") {
			line += "\n"
		}
		if strings.HasPrefix(line, "---") {
			if rest := strings.TrimSpace(line[3:]); rest != "" && rest[0] != '#' {
				return nil, fmt.Errorf("invalid document separator: %s", rest)
			}
			if part != "" {
				parts = append(parts, part)
				part = ""
			}
		}
		part += line
	}
	return append(parts, part), nil
}

func readV2(text string) ([]any, error) {
	parts, err := cut(text)
	if err != nil {
		return nil, err
	}
	documents := []any{}
	for _, part := range parts {
		// Whatever else is in the part is lost, as it is to kubectl.
		var data any
		if err := v2.Unmarshal([]byte(part), &data); err != nil {
			return nil, err
		}
		converted, err := convert(data)
		if err != nil {
			return nil, err
		}
		if err := checkFirst(part, []any{converted}); err != nil {
			return nil, err
		}
		documents = append(documents, converted)
	}
	return documents, nil
}

// checkFirst fails unless kubectl's own reader makes the same of the first document.
func checkFirst(text string, documents []any) error {
	written, err := kubectl.YAMLToJSON([]byte(text))
	if err != nil {
		return err
	}
	own := []byte("null")
	if len(documents) > 0 {
		own = bytes.ReplaceAll(encode(documents[0]), []byte(`{"$float":`), []byte(`{"$number":`))
	}
	decoder := json.NewDecoder(bytes.NewReader(written))
	decoder.UseNumber()
	var data any
	if err := decoder.Decode(&data); err != nil {
		return err
	}
	if theirs := encode(keepDigits(data)); !bytes.Equal(own, theirs) {
		panic(fmt.Sprintf("the oracle converts otherwise than sigs.k8s.io/yaml: %s and %s", own, theirs))
	}
	return nil
}

func encode(data any) []byte {
	written, err := json.Marshal(data)
	if err != nil {
		panic(err)
	}
	return written
}

// number is written as {"$number": "digits"}, so that the other side loses none of them; a float is {"$float": "digits"}.
func number(digits string) any {
	return map[string]any{"$number": digits}
}

func keepDigits(data any) any {
	switch typed := data.(type) {
	case map[string]any:
		for key, value := range typed {
			typed[key] = keepDigits(value)
		}
	case []any:
		for i, value := range typed {
			typed[i] = keepDigits(value)
		}
	case json.Number:
		return number(typed.String())
	}
	return data
}

// convert makes JSON data of what v2 decodes, as sigs.k8s.io/yaml does.
func convert(data any) (any, error) {
	switch typed := data.(type) {
	case map[any]any:
		result := map[string]any{}
		for key, value := range typed {
			name, err := convertKey(key)
			if err != nil {
				return nil, err
			}
			if result[name], err = convert(value); err != nil {
				return nil, err
			}
		}
		return result, nil
	case []any:
		result := make([]any, len(typed))
		for i, value := range typed {
			var err error
			if result[i], err = convert(value); err != nil {
				return nil, err
			}
		}
		return result, nil
	case int:
		return number(strconv.Itoa(typed)), nil
	case int64:
		return number(strconv.FormatInt(typed, 10)), nil
	case uint64:
		return number(strconv.FormatUint(typed, 10)), nil
	case float64:
		if math.IsNaN(typed) || math.IsInf(typed, 0) {
			return nil, errors.New("not a finite number")
		}
		return map[string]any{"$float": string(encode(typed))}, nil
	case string, bool, nil:
		return typed, nil
	}
	return nil, fmt.Errorf("unexpected type %T", data)
}

func convertKey(key any) (string, error) {
	switch typed := key.(type) {
	case string:
		return typed, nil
	case int:
		return strconv.Itoa(typed), nil
	case int64:
		return strconv.FormatInt(typed, 10), nil
	case float64:
		switch {
		case math.IsInf(typed, 1):
			return ".inf", nil
		case math.IsInf(typed, -1):
			return "-.inf", nil
		case math.IsNaN(typed):
			return ".nan", nil
		}
		return strconv.FormatFloat(typed, 'g', -1, 32), nil
	case bool:
		return strconv.FormatBool(typed), nil
	}
	return "", fmt.Errorf("unsupported key of type %T", key)
}

func readV3(text string) ([]any, error) {
	parts, err := cut(text)
	if err != nil {
		return nil, err
	}
	documents := []any{}
	for _, part := range parts {
		var node v3.Node
		err := v3.NewDecoder(strings.NewReader(part)).Decode(&node)
		if errors.Is(err, io.EOF) {
			continue
		}
		if err != nil {
			return nil, err
		}
		copies := 0
		tree, err := describe(&node, 0, &copies)
		if err != nil {
			return nil, err
		}
		documents = append(documents, tree)
	}
	return documents, nil
}

const mostCopies = 100_000
const deepest = 1000

// describe writes a node without deciding what its plain scalars mean: {"map": [[key, value], …]}, {"list": […]},
// {"plain": text, "tag": what v3 takes it for, "value": its number or boolean}, {"text": text}, {"tagged": text, "tag": tag}.
func describe(node *v3.Node, depth int, copies *int) (any, error) {
	*copies++
	if *copies > mostCopies || depth > deepest {
		return nil, errors.New("too many aliases")
	}
	children := func() ([]any, error) {
		result := make([]any, len(node.Content))
		for i, child := range node.Content {
			var err error
			if result[i], err = describe(child, depth+1, copies); err != nil {
				return nil, err
			}
		}
		return result, nil
	}
	isTagged := node.Style&v3.TaggedStyle != 0
	switch node.Kind {
	case 0:
		return nil, nil
	case v3.DocumentNode:
		return describe(node.Content[0], depth, copies)
	case v3.AliasNode:
		return describe(node.Alias, depth+1, copies)
	case v3.SequenceNode:
		items, err := children()
		return map[string]any{"list": items, "tag": node.ShortTag()}, err
	case v3.MappingNode:
		entries, err := children()
		return map[string]any{"map": entries, "tag": node.ShortTag()}, err
	case v3.ScalarNode:
		if isTagged {
			return map[string]any{"tagged": node.Value, "tag": node.ShortTag()}, nil
		}
		if node.Style == 0 {
			return describePlain(node), nil
		}
		return map[string]any{"text": node.Value}, nil
	}
	return nil, fmt.Errorf("unexpected kind %d", node.Kind)
}

func describePlain(node *v3.Node) any {
	plain := map[string]any{"plain": node.Value, "tag": node.ShortTag()}
	if tag := node.ShortTag(); tag == "!!int" || tag == "!!float" || tag == "!!bool" {
		var value any
		if err := node.Decode(&value); err == nil {
			if converted, err := convert(value); err == nil {
				plain["value"] = converted
			}
		}
	}
	return plain
}
