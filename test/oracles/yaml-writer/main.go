// Says what kubectl's reader makes of the texts that kurel's YAML writer wrote.
package main

import (
	"encoding/json"
	"log"
	"os"

	"sigs.k8s.io/yaml"
)

type answer struct {
	JSON  json.RawMessage `json:"json,omitempty"`
	Error string          `json:"error,omitempty"`
}

func main() {
	input, err := os.ReadFile("cases/texts.json")
	if err != nil {
		log.Fatal(err)
	}
	var texts []string
	if err := json.Unmarshal(input, &texts); err != nil {
		log.Fatal(err)
	}
	answers := make([]answer, len(texts))
	for i, text := range texts {
		read, err := yaml.YAMLToJSONStrict([]byte(text))
		if err != nil {
			answers[i] = answer{Error: err.Error()}
			continue
		}
		answers[i] = answer{JSON: read}
	}
	output, err := json.MarshalIndent(answers, "", " ")
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile("cases/answers.json", append(output, '\n'), 0o644); err != nil {
		log.Fatal(err)
	}
}
