// Says what Kubernetes' own code makes of each object, so that kurel's tests can compare.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	// For time zones of CronJobs, as in an API server.
	_ "time/tzdata"

	"github.com/go-logr/logr"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/klog/v2"
	apiregistration "k8s.io/kube-aggregator/pkg/apis/apiregistration/install"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/capabilities"
)

// A definition, for all objects on later lines; or a new cluster, in which the objects on later lines are created; or an object.
type line struct {
	Definition *apiextensionsv1.CustomResourceDefinition `json:"definition"`
	Cluster    string                                    `json:"cluster"`
	ID         string                                    `json:"id"`
	Object     json.RawMessage                           `json:"object"`
}

type typeMeta struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
}

func judge(object json.RawMessage, customKinds map[schema.GroupVersionKind]*customKind) (string, string, error) {
	var meta typeMeta
	if err := json.Unmarshal(object, &meta); err != nil {
		return "", "", err
	}
	gvk := schema.FromAPIVersionAndKind(meta.APIVersion, meta.Kind)
	if custom, ok := customKinds[gvk]; ok {
		return custom.judge(object)
	}
	return judgeBuiltIn(object, gvk)
}

func run() error {
	apiextensions.Install(legacyscheme.Scheme)
	apiregistration.Install(legacyscheme.Scheme)
	klog.SetLogger(logr.Discard())
	// Whether a cluster allows privileged containers is up to its flags, not to the object.
	capabilities.Setup(true, 0)
	customKinds := map[schema.GroupVersionKind]*customKind{}
	answer := func(object json.RawMessage) (string, string, error) { return judge(object, customKinds) }
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(make([]byte, 1<<20), 1<<26)
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for lines.Scan() {
		var one line
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			return err
		}
		if one.Definition != nil {
			if err := addKinds(customKinds, one.Definition); err != nil {
				return fmt.Errorf("%s: %w", one.Definition.Name, err)
			}
			continue
		}
		if one.Cluster != "" {
			fresh, err := newCluster()
			if err != nil {
				return fmt.Errorf("%s: %w", one.Cluster, err)
			}
			answer = fresh.create
			continue
		}
		verdict, reason, err := answer(one.Object)
		if err != nil {
			return fmt.Errorf("%s: %w", one.ID, err)
		}
		if err := out.Encode([]string{one.ID, verdict, reason}); err != nil {
			return err
		}
	}
	return lines.Err()
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
