// Prints which checks of Kubernetes' Pod Security admission refuse the pods on standard input.
package main

import (
	"encoding/json"
	"log"
	"os"
	"sort"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/pod-security-admission/policy"
)

func main() {
	var pods map[string]corev1.Pod
	decoder := json.NewDecoder(os.Stdin)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&pods); err != nil {
		log.Fatal(err)
	}
	verdicts := map[string]map[string][]string{}
	for name, pod := range pods {
		refusing := map[string][]string{"baseline": {}, "restricted": {}}
		for _, check := range policy.DefaultChecks() {
			latest := check.Versions[len(check.Versions)-1]
			if !latest.CheckPod(&pod.ObjectMeta, &pod.Spec).Allowed {
				level := string(check.Level)
				refusing[level] = append(refusing[level], string(check.ID))
			}
		}
		for _, checks := range refusing {
			sort.Strings(checks)
		}
		verdicts[name] = refusing
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(verdicts); err != nil {
		log.Fatal(err)
	}
}
