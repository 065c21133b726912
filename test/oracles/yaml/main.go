// Reads scalars.json and documents.json, asks sigs.k8s.io/yaml (what kubectl reads with) for the answers, and writes them back.
package main

import (
	"bytes"
	"encoding/json"
	"math/big"
	"os"
	"strings"

	"sigs.k8s.io/yaml"
)

// Answer is what a text reads as, or why it does not read.
type Answer struct {
	Data  any    `json:"data,omitempty"`
	Null  bool   `json:"null,omitempty"`
	Error string `json:"error,omitempty"`
}

type Scalar struct {
	Text string `json:"text"`
	// The text as the value of a key.
	Value Answer `json:"value"`
	// The text as a key.
	Key Answer `json:"key"`
}

type Document struct {
	Name string `json:"name"`
	Yaml string `json:"yaml"`
	Answer
}

func main() {
	var scalars []Scalar
	load("scalars.json", &scalars)
	for i, scalar := range scalars {
		scalars[i].Value = pick(read("v: "+scalar.Text+"\n"), func(m map[string]any) any { return m["v"] })
		scalars[i].Key = pick(read(scalar.Text+": x\n"), func(m map[string]any) any {
			for key := range m {
				return key
			}
			return nil
		})
	}
	save("scalars.json", scalars)

	var documents []Document
	load("documents.json", &documents)
	for i, document := range documents {
		documents[i].Answer = read(document.Yaml)
	}
	save("documents.json", documents)
}

func read(text string) Answer {
	// Strict, so that duplicate keys are refused. Strict mode also refuses a written key that replaces a merged one,
	// which kubectl accepts, so texts with merge keys are read without it.
	convert := yaml.YAMLToJSONStrict
	if strings.Contains(text, "<<") {
		convert = yaml.YAMLToJSON
	}
	written, err := convert([]byte(text))
	if err != nil {
		return Answer{Error: err.Error()}
	}
	decoder := json.NewDecoder(bytes.NewReader(written))
	decoder.UseNumber()
	var data any
	if err := decoder.Decode(&data); err != nil {
		return Answer{Error: err.Error()}
	}
	data = keepLargeIntegers(data)
	return Answer{Data: data, Null: data == nil}
}

func pick(answer Answer, get func(map[string]any) any) Answer {
	mapping, ok := answer.Data.(map[string]any)
	if !ok {
		return answer
	}
	data := get(mapping)
	return Answer{Data: data, Null: data == nil}
}

// keepLargeIntegers writes integers that a double cannot hold as {"$bigint": "digits"}.
func keepLargeIntegers(data any) any {
	switch typed := data.(type) {
	case map[string]any:
		for key, value := range typed {
			typed[key] = keepLargeIntegers(value)
		}
	case []any:
		for i, value := range typed {
			typed[i] = keepLargeIntegers(value)
		}
	case json.Number:
		integer, ok := new(big.Int).SetString(typed.String(), 10)
		limit := new(big.Int).SetInt64(1<<53 - 1)
		if ok && new(big.Int).Abs(integer).Cmp(limit) > 0 {
			return map[string]any{"$bigint": typed.String()}
		}
	}
	return data
}

func load(path string, into any) {
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		panic(err)
	}
}

func save(path string, data any) {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(data); err != nil {
		panic(err)
	}
	if err := os.WriteFile(path, buffer.Bytes(), 0o644); err != nil {
		panic(err)
	}
}
