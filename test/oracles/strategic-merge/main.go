// Makes objects and patches of all kinds that merge anything, and says what Kubernetes' own strategic merge makes of them.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"

	kubejson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
)

type triple struct {
	Kind    string          `json:"kind"`
	Object  json.RawMessage `json:"object"`
	Patch   json.RawMessage `json:"patch"`
	Result  json.RawMessage `json:"result,omitempty"`
	Refused string          `json:"refused,omitempty"`
}

// The merge walks maps, whose order Go shuffles: what comes out differently is no answer.
const runs = 12

// Both sides through the decoder that reads integers as int64, or 80 and 80.0 would be different keys.
func decode(text []byte) mapping {
	var value mapping
	if err := kubejson.Unmarshal(text, &value); err != nil {
		panic(err)
	}
	return clip(value).(mapping)
}

// Without spare room behind slices: the merge appends in place where there is some, and then reads what it has overwritten.
func clip(value any) any {
	switch value := value.(type) {
	case mapping:
		for key, inner := range value {
			value[key] = clip(inner)
		}
		return value
	case []any:
		for i, inner := range value {
			value[i] = clip(inner)
		}
		return slices.Clip(value)
	default:
		return value
	}
}

func ask(one *triple, of reflect.Type) (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	for run := range runs {
		merged, err := strategicpatch.StrategicMergeMapPatch(decode(one.Object), decode(one.Patch), reflect.New(of).Interface())
		result, refused := json.RawMessage(nil), ""
		if err != nil {
			refused = classify(err.Error())
		} else {
			result = encode(merged)
		}
		switch {
		case run == 0:
			one.Result, one.Refused = result, refused
		case string(result) != string(one.Result):
			return false
		case refused != one.Refused:
			one.Refused = "several"
		}
	}
	return true
}

var classes = []struct{ part, class string }{
	{"unable to find api field", "unknown-field"},
	{"data type is not struct", "unknown-field"},
	{"merge key", "merge-key"},
	{"doesn't match $setElementOrder", "order"},
	{"invalid patch format", "format"},
	{"unknown patch type", "directive"},
	{"cannot yet be specified", "directive"},
	{"no elements", "empty"},
	{"not identical", "types"},
}

func classify(message string) string {
	for _, one := range classes {
		if strings.Contains(message, one.part) {
			return one.class
		}
	}
	return "other"
}

func encode(value any) json.RawMessage {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return text
}

func makeTriple(one kind, path []field, number int) triple {
	hash := fnv.New64a()
	fmt.Fprint(hash, one.name, number)
	for _, step := range path {
		fmt.Fprint(hash, "/", step.name)
	}
	d := dice{rand.New(rand.NewPCG(hash.Sum64(), 0))}
	object := d.object(one.of, path)
	if d.chance(3) {
		object["unknown"] = mapping{"a": 80}
	}
	if d.chance(12) {
		cut(object, path[:1+d.IntN(len(path))])
	}
	patch := d.plainPatch(one.of, object, path)
	if d.chance(2) {
		patch = d.patch(one.of, object, path)
	}
	return triple{Kind: one.name, Object: encode(object), Patch: encode(patch)}
}

// Takes the end of the path away.
func cut(object mapping, path []field) {
	for _, step := range path[:len(path)-1] {
		value := object[step.name]
		if list, ok := value.([]any); ok && len(list) > 0 {
			value = list[0]
		}
		inner, ok := value.(mapping)
		if !ok {
			return
		}
		object = inner
	}
	delete(object, path[len(path)-1].name)
}

// Enough of every path, and more where a kind has few.
func countFor(paths int) int {
	return max(6, 20/paths)
}

func main() {
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	made, dropped := 0, 0
	counts := map[string]int{}
	for _, one := range allKinds() {
		paths := focusPaths(one.of, nil)
		for _, path := range paths {
			for number := range countFor(len(paths)) {
				result := makeTriple(one, path, number)
				if !ask(&result, one.of) {
					dropped++
					continue
				}
				made++
				counts[result.Refused]++
				if err := encoder.Encode(result); err != nil {
					panic(err)
				}
			}
		}
	}
	fmt.Fprintln(os.Stderr, made, "triples,", dropped, "without a certain answer;", counts)
}
