// Says what Kubernetes' own libraries make of each input, so that kurel's tests can compare.
package main

import (
	"bytes"
	_ "crypto/sha256"
	_ "crypto/sha512"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/distribution/reference"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/labels"
)

type inputs struct {
	Labels     []map[string]string `json:"labels"`
	Selectors  []string            `json:"selectors"`
	Quantities []string            `json:"quantities"`
	Durations  []string            `json:"durations"`
	Images     []string            `json:"images"`
}

type requirement struct {
	Key      string   `json:"key"`
	Operator string   `json:"operator"`
	Values   []string `json:"values"`
}

type selectorResult struct {
	Input        string        `json:"input"`
	Refused      bool          `json:"refused,omitempty"`
	Requirements []requirement `json:"requirements,omitempty"`
	// Indexes of the label sets that match.
	Matches []int `json:"matches,omitempty"`
}

type quantityResult struct {
	Input     string `json:"input"`
	Refused   bool   `json:"refused,omitempty"`
	Canonical string `json:"canonical,omitempty"`
	// The exact decimal value.
	Value string `json:"value,omitempty"`
}

type durationResult struct {
	Input   string `json:"input"`
	Refused bool   `json:"refused,omitempty"`
	// Decimal text: JSON numbers of JavaScript do not hold 64 bits.
	Nanoseconds string `json:"nanoseconds,omitempty"`
	Formatted   string `json:"formatted,omitempty"`
}

type imageResult struct {
	Input   string `json:"input"`
	Refused bool   `json:"refused,omitempty"`
	Domain  string `json:"domain,omitempty"`
	Path    string `json:"path,omitempty"`
	Tag     string `json:"tag,omitempty"`
	Digest  string `json:"digest,omitempty"`
}

type results struct {
	Selectors  []selectorResult `json:"selectors"`
	Quantities []quantityResult `json:"quantities"`
	Durations  []durationResult `json:"durations"`
	Images     []imageResult    `json:"images"`
}

func readSelector(input string, sets []map[string]string) selectorResult {
	selector, err := labels.Parse(input)
	if err != nil {
		return selectorResult{Input: input, Refused: true}
	}
	result := selectorResult{Input: input}
	all, _ := selector.Requirements()
	for _, one := range all {
		result.Requirements = append(result.Requirements, requirement{one.Key(), string(one.Operator()), one.ValuesUnsorted()})
	}
	for i, set := range sets {
		if selector.Matches(labels.Set(set)) {
			result.Matches = append(result.Matches, i)
		}
	}
	return result
}

func readQuantity(input string) quantityResult {
	quantity, err := resource.ParseQuantity(input)
	if err != nil {
		return quantityResult{Input: input, Refused: true}
	}
	// Not String: it gives the input back when it looks canonical enough.
	number, suffix := quantity.CanonicalizeBytes(nil)
	return quantityResult{Input: input, Canonical: string(number) + string(suffix), Value: quantity.AsDec().String()}
}

func readDuration(input string) durationResult {
	duration, err := time.ParseDuration(input)
	if err != nil {
		return durationResult{Input: input, Refused: true}
	}
	return durationResult{Input: input, Nanoseconds: strconv.FormatInt(int64(duration), 10), Formatted: duration.String()}
}

func readImage(input string) imageResult {
	named, err := reference.ParseNormalizedNamed(input)
	if err != nil {
		return imageResult{Input: input, Refused: true}
	}
	result := imageResult{Input: input, Domain: reference.Domain(named), Path: reference.Path(named)}
	if tagged, ok := named.(reference.Tagged); ok {
		result.Tag = tagged.Tag()
	}
	if digested, ok := named.(reference.Digested); ok {
		result.Digest = digested.Digest().String()
	}
	return result
}

func main() {
	var in inputs
	if err := json.NewDecoder(os.Stdin).Decode(&in); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	var out results
	for _, text := range in.Selectors {
		out.Selectors = append(out.Selectors, readSelector(text, in.Labels))
	}
	for _, text := range in.Quantities {
		out.Quantities = append(out.Quantities, readQuantity(text))
	}
	for _, text := range in.Durations {
		out.Durations = append(out.Durations, readDuration(text))
	}
	for _, text := range in.Images {
		out.Images = append(out.Images, readImage(text))
	}
	fmt.Println("{")
	printLines("selectors", out.Selectors, ",")
	printLines("quantities", out.Quantities, ",")
	printLines("durations", out.Durations, ",")
	printLines("images", out.Images, "")
	fmt.Println("}")
}

// One result a line, so that a change of one is a change of one line.
func printLines[T any](name string, list []T, end string) {
	fmt.Printf(" %q: [\n", name)
	for i, one := range list {
		var line bytes.Buffer
		encoder := json.NewEncoder(&line)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(one); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		comma := ","
		if i == len(list)-1 {
			comma = ""
		}
		fmt.Printf("  %s%s\n", bytes.TrimSpace(line.Bytes()), comma)
	}
	fmt.Printf(" ]%s\n", end)
}
