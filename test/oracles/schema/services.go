package main

import (
	"context"
	"net"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/apiserver/pkg/registry/generic"
	"k8s.io/apiserver/pkg/storage"
	"k8s.io/apiserver/pkg/storage/storagebackend"
	"k8s.io/apiserver/pkg/storage/storagebackend/factory"
	"k8s.io/client-go/tools/cache"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/core"
	"k8s.io/kubernetes/pkg/registry/core/service/ipallocator"
	"k8s.io/kubernetes/pkg/registry/core/service/portallocator"
	servicestore "k8s.io/kubernetes/pkg/registry/core/service/storage"
)

// A range of addresses that every address of its family is in and free.
type anyAddress struct {
	family core.IPFamily
	next   net.IP
	cidr   net.IPNet
}

func newAnyAddress(family core.IPFamily, next string, cidr string) *anyAddress {
	_, network, err := net.ParseCIDR(cidr)
	if err != nil {
		panic(err)
	}
	return &anyAddress{family, net.ParseIP(next), *network}
}

func (a *anyAddress) Allocate(net.IP) error         { return nil }
func (a *anyAddress) AllocateNext() (net.IP, error) { return a.next, nil }
func (a *anyAddress) Release(net.IP) error          { return nil }
func (a *anyAddress) ForEach(func(net.IP))          {}
func (a *anyAddress) CIDR() net.IPNet               { return a.cidr }
func (a *anyAddress) IPFamily() core.IPFamily       { return a.family }
func (a *anyAddress) Has(net.IP) bool               { return false }
func (a *anyAddress) Destroy()                      {}
func (a *anyAddress) EnableMetrics()                {}
func (a *anyAddress) DryRun() ipallocator.Interface { return a }

var services = newServices()

// The storage of Services of a cluster with both families of addresses, without a database behind it.
func newServices() *servicestore.REST {
	options := generic.RESTOptions{
		StorageConfig: &storagebackend.ConfigForResource{Config: storagebackend.Config{
			Codec: legacyscheme.Codecs.LegacyCodec(),
		}},
		Decorator: func(*storagebackend.ConfigForResource, string, func(runtime.Object) (string, error), func() runtime.Object,
			func() runtime.Object, storage.AttrFunc, storage.IndexerFuncs, *cache.Indexers) (storage.Interface, factory.DestroyFunc, error) {
			return nil, func() {}, nil
		},
		ResourcePrefix: "services",
	}
	ports, err := portallocator.NewInMemory(utilnet.PortRange{Base: 1, Size: 65535})
	if err != nil {
		panic(err)
	}
	addresses := map[core.IPFamily]ipallocator.Interface{
		core.IPv4Protocol: newAnyAddress(core.IPv4Protocol, "10.96.0.7", "0.0.0.0/0"),
		core.IPv6Protocol: newAnyAddress(core.IPv6Protocol, "fd00::7", "::/0"),
	}
	rest, _, _, err := servicestore.NewREST(options, core.IPv4Protocol, addresses, ports, nil, nil, nil)
	if err != nil {
		panic(err)
	}
	return rest
}

func allocate(ctx context.Context, service *core.Service) error {
	finish, err := services.Store.BeginCreate(ctx, service, &metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
	if err == nil {
		finish(ctx, false)
	}
	return err
}
