package main

import (
	"context"
	"encoding/json"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
)

type customKind struct {
	namespaced bool
	structural *structuralschema.Structural
	validator  validation.SchemaValidator
	rules      *cel.Validator
}

func addKinds(kinds map[schema.GroupVersionKind]*customKind, definition *apiextensionsv1.CustomResourceDefinition) error {
	for _, version := range definition.Spec.Versions {
		if !version.Served {
			continue
		}
		var internal apiextensions.CustomResourceValidation
		if err := apiextensionsv1.Convert_v1_CustomResourceValidation_To_apiextensions_CustomResourceValidation(version.Schema, &internal, nil); err != nil {
			return err
		}
		structural, err := structuralschema.NewStructural(internal.OpenAPIV3Schema)
		if err != nil {
			return err
		}
		validator, _, err := validation.NewSchemaValidator(internal.OpenAPIV3Schema)
		if err != nil {
			return err
		}
		gvk := schema.GroupVersionKind{Group: definition.Spec.Group, Version: version.Name, Kind: definition.Spec.Names.Kind}
		kinds[gvk] = &customKind{definition.Spec.Scope == apiextensionsv1.NamespaceScoped, structural, validator, cel.NewValidator(structural, true, celconfig.PerCallLimit)}
	}
	return nil
}

// In the order of an API server that is asked to create the object: nulls, defaults, unknown fields, schema, lists, rules.
func (kind *customKind) judge(text json.RawMessage) (verdict string, reason string, err error) {
	var object map[string]interface{}
	if err := utiljson.Unmarshal(text, &object); err != nil {
		return "", "", err
	}
	defaulting.PruneNonNullableNullsWithoutDefaults(object, kind.structural)
	defaulting.Default(object, kind.structural)
	unknown := pruning.PruneWithOptions(object, kind.structural, true, structuralschema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})
	options := objectmeta.CoerceOptions{ReturnUnknownFieldPaths: true}
	wrong, unknownMeta := objectmeta.CoerceWithOptions(nil, object, kind.structural, true, options)
	if wrong != nil {
		return "wrong-type", wrong.Error(), nil
	}
	if len(unknown)+len(unknownMeta) > 0 {
		return "unknown-field", strings.Join(append(unknown, unknownMeta...), ", "), nil
	}
	if found := kind.checkMetadata(object); len(found) > 0 {
		return "refused", found.ToAggregate().Error(), nil
	}
	if found := validation.ValidateCustomResource(nil, object, kind.validator); len(found) > 0 {
		return "invalid", found.ToAggregate().Error(), nil
	}
	if found := listtype.ValidateListSetsAndMaps(nil, kind.structural, object); len(found) > 0 {
		return "duplicate", found.ToAggregate().Error(), nil
	}
	if kind.rules == nil {
		return "valid", "", nil
	}
	found, _ := kind.rules.Validate(context.Background(), nil, kind.structural, object, nil, celconfig.RuntimeCELCostBudget)
	for _, one := range found {
		if strings.Contains(one.Error(), "compilation") {
			return "", "", one
		}
		return "rule", one.Error(), nil
	}
	return "valid", "", nil
}

func (kind *customKind) checkMetadata(object map[string]interface{}) field.ErrorList {
	accessor := &unstructured.Unstructured{Object: object}
	copied := accessor.DeepCopy()
	switch {
	case !kind.namespaced:
		copied.SetNamespace("")
	case copied.GetNamespace() == "":
		copied.SetNamespace("default")
	}
	if copied.GetName() == "" && copied.GetGenerateName() != "" {
		copied.SetName(copied.GetGenerateName() + "x")
	}
	return apivalidation.ValidateObjectMetaAccessor(copied, kind.namespaced, apivalidation.NameIsDNSSubdomain, field.NewPath("metadata"))
}
