package main

import (
	"encoding/json"
	"reflect"
	"slices"
	"sort"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/version"
	"k8s.io/client-go/kubernetes/scheme"
	apiregistrationv1 "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
)

type field struct {
	name       string
	of         reflect.Type
	strategies []string
	key        string
}

func (f field) merges() bool {
	return slices.Contains(f.strategies, "merge")
}

var unmarshaler = reflect.TypeFor[json.Unmarshaler]()

func bare(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t
}

// Times, quantities and the like are scalars whatever their Go types are.
func isOpaque(t reflect.Type) bool {
	return t.Kind() == reflect.Interface || reflect.PointerTo(t).Implements(unmarshaler)
}

func fieldsOf(t reflect.Type) []field {
	var fields []field
	for i := range t.NumField() {
		one := t.Field(i)
		name, _, _ := strings.Cut(one.Tag.Get("json"), ",")
		of := bare(one.Type)
		switch {
		case name == "-" || !one.IsExported():
		case name == "" && of.Kind() == reflect.Struct:
			fields = append(fields, fieldsOf(of)...)
		case name != "":
			var strategies []string
			if said := one.Tag.Get("patchStrategy"); said != "" {
				strategies = strings.Split(said, ",")
			}
			fields = append(fields, field{name, of, strategies, one.Tag.Get("patchMergeKey")})
		}
	}
	return fields
}

// The struct that a field holds, itself or as the items of a list.
func structIn(t reflect.Type) (reflect.Type, bool) {
	if t.Kind() == reflect.Slice {
		t = bare(t.Elem())
	}
	return t, t.Kind() == reflect.Struct && !isOpaque(t)
}

const longestPath = 10

// All ways from a struct to a field that says how it merges.
func focusPaths(t reflect.Type, above []reflect.Type) [][]field {
	if len(above) == longestPath || slices.Contains(above, t) {
		return nil
	}
	var paths [][]field
	for _, one := range fieldsOf(t) {
		if len(one.strategies) > 0 {
			paths = append(paths, []field{one})
		}
		if inner, ok := structIn(one.of); ok {
			for _, rest := range focusPaths(inner, append(slices.Clip(above), t)) {
				paths = append(paths, append([]field{one}, rest...))
			}
		}
	}
	return paths
}

type kind struct {
	name string
	of   reflect.Type
}

// The newest version of every kind that has metadata of its own.
func allKinds() []kind {
	utilruntime.Must(apiextensionsv1.AddToScheme(scheme.Scheme))
	utilruntime.Must(apiregistrationv1.AddToScheme(scheme.Scheme))
	newest := map[schema.GroupKind]schema.GroupVersionKind{}
	types := scheme.Scheme.AllKnownTypes()
	for gvk, t := range types {
		meta, ok := t.FieldByName("ObjectMeta")
		if !ok || meta.Type != reflect.TypeFor[metav1.ObjectMeta]() || isGone(gvk.GroupKind()) {
			continue
		}
		known, ok := newest[gvk.GroupKind()]
		if !ok || version.CompareKubeAwareVersionStrings(gvk.Version, known.Version) > 0 {
			newest[gvk.GroupKind()] = gvk
		}
	}
	kinds := make([]kind, 0, len(newest))
	for _, gvk := range newest {
		kinds = append(kinds, kind{gvk.GroupVersion().String() + "/" + gvk.Kind, types[gvk]})
	}
	sort.Slice(kinds, func(i, j int) bool { return kinds[i].name < kinds[j].name })
	return kinds
}

// Kinds that only old clients know, or none.
func isGone(id schema.GroupKind) bool {
	return id.Group == "extensions" || id == schema.GroupKind{Group: "apps", Kind: "Scale"} || id.Kind == "RangeAllocation"
}
