package main

import (
	"context"
	"encoding/json"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
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
	"k8s.io/kubernetes/pkg/registry/admissionregistration/mutatingwebhookconfiguration"
	"k8s.io/kubernetes/pkg/registry/admissionregistration/validatingwebhookconfiguration"
	"k8s.io/kubernetes/pkg/registry/apps/daemonset"
	"k8s.io/kubernetes/pkg/registry/apps/deployment"
	"k8s.io/kubernetes/pkg/registry/apps/replicaset"
	"k8s.io/kubernetes/pkg/registry/apps/statefulset"
	"k8s.io/kubernetes/pkg/registry/autoscaling/horizontalpodautoscaler"
	"k8s.io/kubernetes/pkg/registry/batch/cronjob"
	"k8s.io/kubernetes/pkg/registry/batch/job"
	"k8s.io/kubernetes/pkg/registry/core/configmap"
	"k8s.io/kubernetes/pkg/registry/core/limitrange"
	"k8s.io/kubernetes/pkg/registry/core/namespace"
	"k8s.io/kubernetes/pkg/registry/core/persistentvolume"
	"k8s.io/kubernetes/pkg/registry/core/persistentvolumeclaim"
	"k8s.io/kubernetes/pkg/registry/core/pod"
	"k8s.io/kubernetes/pkg/registry/core/replicationcontroller"
	"k8s.io/kubernetes/pkg/registry/core/resourcequota"
	"k8s.io/kubernetes/pkg/registry/core/secret"
	"k8s.io/kubernetes/pkg/registry/core/service"
	"k8s.io/kubernetes/pkg/registry/core/serviceaccount"
	"k8s.io/kubernetes/pkg/registry/networking/ingress"
	"k8s.io/kubernetes/pkg/registry/networking/ingressclass"
	"k8s.io/kubernetes/pkg/registry/networking/networkpolicy"
	"k8s.io/kubernetes/pkg/registry/policy/poddisruptionbudget"
	"k8s.io/kubernetes/pkg/registry/rbac/clusterrole"
	"k8s.io/kubernetes/pkg/registry/rbac/clusterrolebinding"
	"k8s.io/kubernetes/pkg/registry/rbac/role"
	"k8s.io/kubernetes/pkg/registry/rbac/rolebinding"
	"k8s.io/kubernetes/pkg/registry/scheduling/priorityclass"
	"k8s.io/kubernetes/pkg/registry/storage/csidriver"
	"k8s.io/kubernetes/pkg/registry/storage/storageclass"
	strictjson "sigs.k8s.io/json"
)

// What an API server does before it stores an object of these kinds; the others are only decoded.
var strategies = map[schema.GroupKind]rest.RESTCreateStrategy{
	{Group: "", Kind: "ConfigMap"}:                                                  configmap.Strategy,
	{Group: "", Kind: "LimitRange"}:                                                 limitrange.Strategy,
	{Group: "", Kind: "Namespace"}:                                                  namespace.Strategy,
	{Group: "", Kind: "PersistentVolume"}:                                           persistentvolume.Strategy,
	{Group: "", Kind: "PersistentVolumeClaim"}:                                      persistentvolumeclaim.Strategy,
	{Group: "", Kind: "Pod"}:                                                        pod.Strategy,
	{Group: "", Kind: "ReplicationController"}:                                      replicationcontroller.Strategy,
	{Group: "", Kind: "ResourceQuota"}:                                              resourcequota.Strategy,
	{Group: "", Kind: "Secret"}:                                                     secret.Strategy,
	{Group: "", Kind: "Service"}:                                                    service.Strategy,
	{Group: "", Kind: "ServiceAccount"}:                                             serviceaccount.Strategy,
	{Group: "admissionregistration.k8s.io", Kind: "MutatingWebhookConfiguration"}:   mutatingwebhookconfiguration.Strategy,
	{Group: "admissionregistration.k8s.io", Kind: "ValidatingWebhookConfiguration"}: validatingwebhookconfiguration.Strategy,
	{Group: "apps", Kind: "DaemonSet"}:                                              daemonset.Strategy,
	{Group: "apps", Kind: "Deployment"}:                                             deployment.Strategy,
	{Group: "apps", Kind: "ReplicaSet"}:                                             replicaset.Strategy,
	{Group: "apps", Kind: "StatefulSet"}:                                            statefulset.Strategy,
	{Group: "autoscaling", Kind: "HorizontalPodAutoscaler"}:                         horizontalpodautoscaler.Strategy,
	{Group: "batch", Kind: "CronJob"}:                                               cronjob.Strategy,
	{Group: "batch", Kind: "Job"}:                                                   job.Strategy,
	{Group: "networking.k8s.io", Kind: "Ingress"}:                                   ingress.Strategy,
	{Group: "networking.k8s.io", Kind: "IngressClass"}:                              ingressclass.Strategy,
	{Group: "networking.k8s.io", Kind: "NetworkPolicy"}:                             networkpolicy.Strategy,
	{Group: "policy", Kind: "PodDisruptionBudget"}:                                  poddisruptionbudget.Strategy,
	{Group: "rbac.authorization.k8s.io", Kind: "ClusterRole"}:                       clusterrole.Strategy,
	{Group: "rbac.authorization.k8s.io", Kind: "ClusterRoleBinding"}:                clusterrolebinding.Strategy,
	{Group: "rbac.authorization.k8s.io", Kind: "Role"}:                              role.Strategy,
	{Group: "rbac.authorization.k8s.io", Kind: "RoleBinding"}:                       rolebinding.Strategy,
	{Group: "scheduling.k8s.io", Kind: "PriorityClass"}:                             priorityclass.Strategy,
	{Group: "storage.k8s.io", Kind: "CSIDriver"}:                                    csidriver.Strategy,
	{Group: "storage.k8s.io", Kind: "StorageClass"}:                                 storageclass.Strategy,
}

func judgeBuiltIn(text json.RawMessage, gvk schema.GroupVersionKind) (verdict string, reason string, err error) {
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
		return "", "", err
	}
	accessor, err := meta.Accessor(internal)
	if err != nil {
		return "", "", err
	}
	info := &request.RequestInfo{IsResourceRequest: true, Verb: "create", APIGroup: gvk.Group, APIVersion: gvk.Version}
	ctx := request.WithRequestInfo(context.Background(), info)
	// The storage of Services does this between decoding and validation.
	if one, ok := internal.(*core.Service); ok && one.Spec.ClusterIP != "" && len(one.Spec.ClusterIPs) == 0 {
		one.Spec.ClusterIPs = []string{one.Spec.ClusterIP}
	}
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
	if err := rest.BeforeCreate(strategy, ctx, internal); err != nil {
		if !apierrors.IsInvalid(err) && !apierrors.IsBadRequest(err) {
			return "", "", err
		}
		return "refused", err.Error(), nil
	}
	return "valid", "", nil
}
