package main

import (
	"context"
	"encoding/json"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	_ "k8s.io/kubernetes/pkg/apis/admissionregistration/install"
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	_ "k8s.io/kubernetes/pkg/apis/autoscaling/install"
	_ "k8s.io/kubernetes/pkg/apis/batch/install"
	_ "k8s.io/kubernetes/pkg/apis/certificates/install"
	_ "k8s.io/kubernetes/pkg/apis/coordination/install"
	"k8s.io/kubernetes/pkg/apis/core"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	_ "k8s.io/kubernetes/pkg/apis/discovery/install"
	_ "k8s.io/kubernetes/pkg/apis/events/install"
	_ "k8s.io/kubernetes/pkg/apis/flowcontrol/install"
	_ "k8s.io/kubernetes/pkg/apis/networking/install"
	_ "k8s.io/kubernetes/pkg/apis/node/install"
	_ "k8s.io/kubernetes/pkg/apis/policy/install"
	_ "k8s.io/kubernetes/pkg/apis/rbac/install"
	_ "k8s.io/kubernetes/pkg/apis/resource/install"
	_ "k8s.io/kubernetes/pkg/apis/scheduling/install"
	_ "k8s.io/kubernetes/pkg/apis/storage/install"
	strictjson "sigs.k8s.io/json"
)

func judgeBuiltIn(text json.RawMessage, gvk schema.GroupVersionKind) (verdict string, reason string, err error) {
	// An API server answers with an error, too.
	defer func() {
		if failure := recover(); failure != nil {
			verdict, reason, err = "refused", fmt.Sprint("panic: ", failure), nil
		}
	}()
	object, err := legacyscheme.Scheme.New(gvk)
	if err != nil {
		return "no-type", "", nil
	}
	strict, err := strictjson.UnmarshalStrict(text, object)
	switch {
	case err != nil:
		return "wrong-type", err.Error(), nil
	case len(strict) > 0:
		return "unknown-field", strict[0].Error(), nil
	}
	strategy, ok := strategies[gvk.GroupKind()]
	if !ok {
		return "decoded", "", nil
	}
	legacyscheme.Scheme.Default(object)
	internal, err := legacyscheme.Scheme.ConvertToVersion(object, schema.GroupVersion{Group: gvk.Group, Version: runtime.APIVersionInternal})
	if err != nil {
		return "wrong-type", err.Error(), nil
	}
	accessor, err := meta.Accessor(internal)
	if err != nil {
		return "", "", err
	}
	info := &request.RequestInfo{IsResourceRequest: true, Verb: "create", APIGroup: gvk.Group, APIVersion: gvk.Version}
	ctx := request.WithRequestInfo(context.Background(), info)
	// Who asks must not matter.
	ctx = request.WithUser(ctx, &user.DefaultInfo{Name: "admin", Groups: []string{user.SystemPrivilegedGroup}})
	switch {
	case !strategy.NamespaceScoped():
		accessor.SetNamespace("")
	case accessor.GetNamespace() == "":
		accessor.SetNamespace("default")
	}
	ctx = request.WithNamespace(ctx, accessor.GetNamespace())
	if accessor.GetName() == "" && accessor.GetGenerateName() != "" {
		accessor.SetName(strategy.GenerateName(accessor.GetGenerateName()))
	}
	rest.FillObjectMetaSystemFields(accessor)
	// The storage of Services gives out addresses and ports between decoding and validation.
	if one, ok := internal.(*core.Service); ok {
		err = allocate(ctx, one)
	}
	if err == nil {
		err = rest.BeforeCreate(strategy, ctx, internal)
	}
	if err != nil {
		if !apierrors.IsInvalid(err) && !apierrors.IsBadRequest(err) {
			return "", "", err
		}
		return "refused", err.Error(), nil
	}
	return "valid", "", nil
}
