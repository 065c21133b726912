package main

import (
	"context"
	"encoding/json"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/namespace/lifecycle"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/fake"
)

// What an API server has stored so far. It serves only the kinds, and lets objects only into the namespaces, that were created before.
type cluster struct {
	kinds      map[schema.GroupVersionKind]*customKind
	stored     sets.Set[string]
	namespaces kubernetes.Interface
	admission  *lifecycle.Lifecycle
}

func newCluster() (*cluster, error) {
	client := fake.NewClientset()
	made := &cluster{kinds: map[schema.GroupVersionKind]*customKind{}, stored: sets.New[string](), namespaces: client}
	// A new cluster has these.
	for _, name := range []string{metav1.NamespaceDefault, metav1.NamespaceSystem, metav1.NamespacePublic, corev1.NamespaceNodeLease} {
		if err := made.addNamespace(name); err != nil {
			return nil, err
		}
	}
	var err error
	if made.admission, err = lifecycle.NewLifecycle(sets.New(metav1.NamespaceDefault, metav1.NamespaceSystem, metav1.NamespacePublic)); err != nil {
		return nil, err
	}
	factory := informers.NewSharedInformerFactory(client, 0)
	made.admission.SetExternalKubeClientSet(client)
	made.admission.SetExternalKubeInformerFactory(factory)
	factory.Start(wait.NeverStop)
	factory.WaitForCacheSync(wait.NeverStop)
	return made, made.admission.ValidateInitialization()
}

func (c *cluster) addNamespace(name string) error {
	c.stored.Insert(identityOf(schema.GroupKind{Kind: "Namespace"}, "", name))
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
	_, err := c.namespaces.CoreV1().Namespaces().Create(context.Background(), namespace, metav1.CreateOptions{})
	return err
}

// Judges an object, and stores it when it is valid.
func (c *cluster) create(text json.RawMessage) (verdict string, reason string, err error) {
	verdict, reason, err = judge(text, c.kinds)
	if err != nil || verdict != "valid" {
		return verdict, reason, err
	}
	var object metav1.PartialObjectMetadata
	if err := json.Unmarshal(text, &object); err != nil {
		return "", "", err
	}
	gvk := object.GroupVersionKind()
	namespace := c.namespaceOf(gvk, object.Namespace)
	resource := schema.GroupVersionResource{Group: gvk.Group, Version: gvk.Version}
	attributes := admission.NewAttributesRecord(&object, nil, gvk, namespace, object.Name, resource, "", admission.Create, &metav1.CreateOptions{}, false, nil)
	if err := c.admission.Admit(context.Background(), attributes, nil); err != nil {
		return "no-namespace", err.Error(), nil
	}
	identity := identityOf(gvk.GroupKind(), namespace, object.Name)
	if c.stored.Has(identity) {
		return "exists", identity, nil
	}
	c.stored.Insert(identity)
	switch gvk.GroupKind() {
	case schema.GroupKind{Kind: "Namespace"}:
		err = c.addNamespace(object.Name)
	case schema.GroupKind{Group: apiextensionsv1.GroupName, Kind: "CustomResourceDefinition"}:
		var definition apiextensionsv1.CustomResourceDefinition
		if err = json.Unmarshal(text, &definition); err == nil {
			err = addKinds(c.kinds, &definition)
		}
	}
	return verdict, reason, err
}

// As of a request for the object: none where the kind has none, whatever the object says.
func (c *cluster) namespaceOf(gvk schema.GroupVersionKind, namespace string) string {
	custom, isCustom := c.kinds[gvk]
	isNamespaced := isCustom && custom.namespaced || !isCustom && strategies[gvk.GroupKind()].NamespaceScoped()
	switch {
	case !isNamespaced:
		return ""
	case namespace == "":
		return metav1.NamespaceDefault
	}
	return namespace
}

func identityOf(kind schema.GroupKind, namespace string, name string) string {
	return fmt.Sprintf("%s %s/%s", kind, namespace, name)
}
