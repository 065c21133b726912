/** Where kurel judges otherwise than one of the judges of verdicts.json, and why it is right. */
export interface Difference {
  readonly judges: readonly string[];
  readonly reason: string;
  readonly ids: readonly string[];
}

const store = ['kubeconform with the store 1.31', 'kubeconform with the store 1.37'];
const sources = ['kubeconform with the sources 1.37'];
const kubeconform = [...store, ...sources];

export const differences: readonly Difference[] = [
  {
    judges: [...kubeconform, 'Kubernetes 1.37'],
    reason: 'The object is encrypted with SOPS, and is decrypted before it reaches an API server.',
    ids: [
      'flux/cmd/flux/testdata/build-kustomization/podinfo/dockerconfigjson-sops-secret.yaml#0',
      'flux/cmd/flux/testdata/build-kustomization/podinfo/stringdata-secret.yaml#0',
    ],
  },
  {
    judges: kubeconform,
    reason: 'An API server refuses it in its own code, which no schema can say.',
    ids: [
      'argo-rollouts/examples/traffic-routing-experiment-step/rollout-smi-experiment-step.yaml#2 negative spec.rules.0.http.paths.0.backend.service.port.number',
      'cilium/examples/kubernetes/gateway/echo-basic.yaml#1 other-word spec.template.spec.containers.0.env.1.valueFrom.fieldRef.fieldPath',
      'gateway-api-1.0/conformance/base/manifests.yaml#9 empty spec',
      'kubernetes-1.37/test/e2e/dra/test-driver/deploy/example/plugin-permissions.yaml#3 other-word spec.validations.1.expression',
    ],
  },
  {
    judges: kubeconform,
    reason:
      'The field is an int32 in Go; a larger number cannot be decoded. JSON Schema has no such format, so kubeconform passes over it.',
    ids: [
      'argo-rollouts/examples/traffic-routing-experiment-step/istio-host-split-experiment-step.yaml#1 huge spec.ports.0.port',
      'argo-rollouts/examples/workload-ref/workload-ref.yaml#0 huge spec.replicas',
      'cilium/contrib/containerlab/auto-discovery/default-gateway/service/lb-ip.yaml#3 huge spec.ports.0.port',
      'cilium/examples/kubernetes/connectivity-check/connectivity-check-internal.yaml#11 huge spec.replicas',
      'cilium/examples/kubernetes/connectivity-check/connectivity-check-internal.yaml#11 huge spec.template.spec.containers.0.readinessProbe.timeoutSeconds',
      'cilium/examples/kubernetes/gateway/external-authz/manifests.yaml#3 huge spec.template.spec.containers.0.ports.0.containerPort',
      'kubernetes-1.15/cluster/addons/prometheus/alertmanager-deployment.yaml#0 huge spec.template.spec.containers.0.readinessProbe.timeoutSeconds',
      'kubernetes-1.15/cluster/addons/prometheus/alertmanager-service.yaml#0 huge spec.ports.0.port',
      'kubernetes-1.15/test/e2e/testing-manifests/storage-csi/hostpath/hostpath-v0/csi-hostpath-attacher.yaml#0 huge spec.ports.0.port',
      'kubernetes-1.20/cluster/addons/dashboard/dashboard.yaml#12 huge spec.ports.0.port',
      'kubernetes-1.20/test/e2e/testing-manifests/ingress/neg-exposed/svc.yaml#0 huge spec.ports.1.port',
      'kubernetes-1.20/test/e2e/testing-manifests/statefulset/redis/service.yaml#0 huge spec.ports.0.port',
      'kubernetes-1.20/test/e2e/testing-manifests/storage-csi/hostpath/hostpath/csi-hostpath-provisioner.yaml#0 huge spec.ports.0.port',
      'kubernetes-1.37/test/e2e/testing-manifests/statefulset/mysql-upgrade/service.yaml#0 huge spec.ports.0.port',
      'prometheus-operator/example/networkpolicies/grafana.yaml#0 huge spec.ingress.0.ports.0.port',
      'prometheus-operator/example/rbac/prometheus-operator/prometheus-operator-deployment.yaml#0 huge spec.template.spec.containers.0.ports.0.containerPort',
      'velero/examples/nginx-app/base.yaml#2 huge spec.ports.0.targetPort',
    ],
  },
  {
    judges: ['kubeconform with the store 1.37', ...sources],
    reason:
      'The field is an int32 in Go; a larger number cannot be decoded. JSON Schema has no such format, so kubeconform passes over it.',
    ids: [
      'kubernetes-1.37/test/e2e/testing-manifests/storage-csi/mock/csi-mock-driver-resizer.yaml#0 huge spec.replicas',
    ],
  },
  {
    judges: kubeconform,
    reason:
      'What is not base64 cannot be decoded into the data of a Secret. JSON Schema has no such format, so kubeconform passes over it.',
    ids: ['argo-cd/docs/operator-manual/argocd-secret.yaml#0'],
  },
  {
    judges: kubeconform,
    reason:
      'An API server checks the format cidr in custom resources. JSON Schema has no such format, so kubeconform passes over it.',
    ids: [
      'cilium/contrib/testing/servicemesh/ippool.yaml#0',
      'cilium/test/k8s/manifests/ccnp-host-ingress-from-cidr-to-ports.yaml#0',
      'cilium/test/k8s/manifests/ccnp-host-policy-nodeport-tests.yaml#0',
      'cilium/test/k8s/manifests/cnp-ingress-from-cidr-to-ports.yaml#0',
    ],
  },
  {
    judges: kubeconform,
    reason: 'An API server takes null out of custom resources where a field is not nullable, before it validates.',
    ids: [
      'argo-cd/resource_customizations/notification.toolkit.fluxcd.io/Alert/actions/testdata/resumed_alert.yaml#0 empty spec.suspend',
      'cilium/contrib/containerlab/auto-discovery/default-gateway/multi-homing/bgp.yaml#3 empty spec.bgpInstances.0.routerID',
      'cloudnative-pg/config/olm-samples/postgresql_v1_backup.yaml#0',
      'cloudnative-pg/config/olm-samples/postgresql_v1_scheduledbackup.yaml#0',
      'envoy-gateway/examples/kubernetes/merged-gateways.yaml#8 empty spec.rules',
      'envoy-gateway/examples/kubernetes/merged-gateways.yaml#9 empty spec.rules.0.backendRefs.0.group',
      'external-secrets/docs/snippets/akeyless-secret-store.yaml#0 empty spec',
      'external-secrets/docs/snippets/gitops/repositories.yaml#0 empty spec',
      'flux-helm-controller/config/samples/source_v1_gitrepository.yaml#0 empty spec',
      'flux-helm-controller/config/testdata/install-fail-retry/helmrelease.yaml#0 empty spec.install.remediation.retries',
      'gateway-api-1.0/conformance/tests/gateway-secret-missing-reference-grant.yaml#0 empty spec.listeners.0.tls.certificateRefs',
      'gateway-api-1.0/examples/standard/http-route-attachment/httproute.yaml#0 empty spec.parentRefs.0.namespace',
      'gateway-api-1.6/examples/standard/tls-routing/gateway.yaml#0 empty spec.listeners.0.tls.mode',
    ],
  },
  {
    judges: kubeconform,
    reason:
      'An API server fills in defaults before it validates: an address without a type is an IPAddress, which decides which of two forms it has to fit.',
    ids: [
      'gateway-api-1.0/conformance/tests/gateway-static-addresses.yaml#0',
      'gateway-api-1.0/examples/standard/gateway-addresses.yaml#0',
      'gateway-api-1.6/examples/standard/gateway-addresses.yaml#0',
    ],
  },
  {
    judges: sources,
    reason:
      "Kubernetes' OpenAPI documents leave the enums of their types out; the store has them from the generated code.",
    ids: [
      'argo-cd/resource_customizations/batch/Job/actions/testdata/created.yaml#0 other-word spec.template.spec.containers.0.imagePullPolicy',
      'argo-rollouts/examples/traffic-routing-experiment-step/rollout-alb-experiment-step.yaml#1 other-word spec.type',
      'flux/cmd/flux/testdata/build-kustomization/delete-service/deployment.yaml#0 other-word spec.template.spec.containers.0.ports.2.protocol',
    ],
  },
  {
    judges: sources,
    reason:
      'OpenAPI says of quantities only that they are strings or numbers; what cannot be read as one cannot be decoded.',
    ids: [
      'kubernetes-1.37/test/fixtures/doc-yaml/user-guide/persistent-volumes/volumes/local-01.yaml#0 other-word spec.capacity.storage',
    ],
  },
  {
    judges: kubeconform,
    reason:
      'Kubernetes refuses it in code, not in a schema: ports and counts out of range, required names, RBAC values.',
    ids: [
      'argo-cd/manifests/base/application-controller-deployment/argocd-application-controller-deployment.yaml#0 negative spec.template.spec.containers.0.readinessProbe.initialDelaySeconds',
      'argo-cd/manifests/base/redis/argocd-redis-deployment.yaml#0 negative spec.template.spec.containers.0.ports.0.containerPort',
      'cilium/examples/kubernetes-external-ips/demo.yaml#1 negative spec.ports.0.targetPort',
      'cilium/examples/kubernetes/addons/etcd/standalone-etcd.yaml#0 empty spec.ports.1.name',
      'cilium/examples/kubernetes/connectivity-check/connectivity-check-internal.yaml#3 negative spec.template.spec.containers.0.livenessProbe.timeoutSeconds',
      'cilium/examples/kubernetes/gateway/grpc-tls-termination.yaml#3 negative spec.template.spec.containers.0.ports.0.containerPort',
      'external-dns/docs/snippets/tutorials/coredns/coredns-groups.yaml#0',
      'external-dns/docs/snippets/tutorials/coredns/coredns-groups.yaml#1',
      'external-dns/docs/snippets/tutorials/coredns/coredns-groups.yaml#1 other-word metadata.annotations.external-dns.alpha.kubernetes.io/hostname',
      'external-dns/docs/snippets/tutorials/coredns/coredns-groups.yaml#2',
      'external-dns/docs/snippets/tutorials/coredns/coredns-groups.yaml#3',
      'external-dns/docs/snippets/tutorials/coredns/fixtures.yaml#1 negative spec.ports.0.port',
      'external-dns/kustomize/external-dns-clusterrole.yaml#0 empty rules.2.resources',
      'flux-helm-controller/config/rbac/cluster_role_binding.yaml#0',
      'flux-source-controller/config/rbac/gitrepository_viewer_role.yaml#0 empty rules.0.apiGroups',
      'flux/cmd/flux/testdata/create_tenant/tenant-with-service-account.yaml#2 other-word roleRef.apiGroup',
      'gateway-api-1.0/conformance/base/manifests.yaml#14 negative spec.ports.0.port',
      'gateway-api-1.0/conformance/base/manifests.yaml#19 negative spec.replicas',
      'gateway-api-1.0/conformance/base/manifests.yaml#5 empty spec.ports.2.name',
      'kubernetes-1.15/cluster/addons/node-problem-detector/npd.yaml#1 other-word subjects.0.kind',
      'kubernetes-1.15/test/fixtures/pkg/kubectl/cmd/auth/rbac-resource-plus.yaml#0.2 other-word roleRef.kind',
      'kubernetes-1.20/cluster/addons/calico-policy-controller/podsecuritypolicies/calico-node-psp-binding.yaml#0 other-word roleRef.apiGroup',
      'kubernetes-1.20/cluster/addons/metrics-server/resource-reader.yaml#1 other-word roleRef.kind',
      'kubernetes-1.20/cluster/addons/metrics-server/resource-reader.yaml#1 remove subjects.0.namespace',
      'kubernetes-1.20/hack/testdata/pod-apply.yaml#0 empty spec.containers.0.image',
      'kubernetes-1.20/test/e2e/testing-manifests/ingress/http2/rc.yaml#0 negative spec.replicas',
      'kubernetes-1.20/test/e2e/testing-manifests/ingress/nginx/rc.yaml#0 negative spec.replicas',
      'kubernetes-1.20/test/e2e/testing-manifests/storage-csi/gce-pd/csi-controller-rbac.yaml#2',
      'kubernetes-1.20/test/e2e/testing-manifests/storage-csi/gce-pd/csi-controller-rbac.yaml#2 empty metadata.name',
      'kubernetes-1.20/test/e2e/testing-manifests/storage-csi/gce-pd/csi-controller-rbac.yaml#4',
      'kubernetes-1.20/test/e2e/testing-manifests/storage-csi/gce-pd/csi-controller-rbac.yaml#4 other-word roleRef.kind',
      'kubernetes-1.20/test/e2e/testing-manifests/storage-csi/gce-pd/csi-controller-rbac.yaml#6',
      'kubernetes-1.20/test/e2e/testing-manifests/storage-csi/gce-pd/csi-controller-rbac.yaml#8',
      'kubernetes-1.20/test/e2e/testing-manifests/storage-csi/gce-pd/csi-controller-rbac.yaml#9',
      'kubernetes-1.20/test/e2e/testing-manifests/storage-csi/gce-pd/csi-controller-rbac.yaml#9 other-word subjects.0.name',
      'kubernetes-1.20/test/e2e/testing-manifests/storage-csi/hostpath/hostpath/csi-hostpath-snapshotter.yaml#1 negative spec.replicas',
      'kubernetes-1.37/cluster/addons/cloud-controller-manager/cloud-node-controller-binding.yaml#1 other-word subjects.0.kind',
      'kubernetes-1.37/hack/testdata/multi-resource-3.yaml#1 empty spec.containers.0.image',
      'kubernetes-1.37/test/e2e/testing-manifests/serviceloadbalancer/haproxyrc.yaml#0 negative spec.template.spec.containers.0.ports.3.containerPort',
      'kubernetes-1.37/test/e2e/testing-manifests/statefulset/mysql-upgrade/service.yaml#0 negative spec.ports.0.port',
      'kubernetes-1.37/test/e2e/testing-manifests/statefulset/mysql-upgrade/tester.yaml#2 negative spec.ports.0.port',
      'kubernetes-1.37/test/e2e/testing-manifests/storage-csi/any-volume-datasource/hello-populator-deploy.yaml#2 empty subjects.0.namespace',
      'kubernetes-1.37/test/e2e/testing-manifests/storage-csi/external-snapshot-metadata/backup-client-rbac.yaml#2',
      'kubernetes-1.37/test/e2e/testing-manifests/storage-csi/external-snapshotter/volume-group-snapshots/csi-hostpath-plugin.yaml#1 other-word subjects.0.kind',
      'kubernetes-1.37/test/e2e/testing-manifests/storage-csi/external-snapshotter/volume-group-snapshots/csi-hostpath-plugin.yaml#9 other-word subjects.0.kind',
      'kubernetes-1.37/test/e2e/testing-manifests/storage-csi/gce-pd/csi-controller-rbac.yaml#1 empty rules.7.resources',
      'kubernetes-1.37/test/e2e/testing-manifests/storage-csi/gce-pd/csi-controller-rbac.yaml#11',
      'kubernetes-1.37/test/e2e/testing-manifests/storage-csi/gce-pd/csi-controller-rbac.yaml#2',
      'kubernetes-1.37/test/e2e/testing-manifests/storage-csi/gce-pd/csi-controller-rbac.yaml#4',
      'kubernetes-1.37/test/e2e/testing-manifests/storage-csi/gce-pd/csi-controller-rbac.yaml#6',
      'kubernetes-1.37/test/e2e/testing-manifests/storage-csi/gce-pd/csi-controller-rbac.yaml#8',
      'metrics-server/manifests/base/rbac.yaml#0 empty rules.0.resources',
      'prometheus-operator/example/rbac/prometheus-agent/prometheus-cluster-role-binding.yaml#0 other-word subjects.0.kind',
      'prometheus-operator/example/rbac/prometheus-operator/prometheus-operator-deployment.yaml#0 negative spec.replicas',
      'prometheus-operator/test/framework/resources/default-http-backend.yml#0 negative spec.template.spec.containers.0.livenessProbe.httpGet.port',
      'prometheus-operator/test/framework/resources/nxginx-ingress-controller.yml#0 negative spec.replicas',
    ],
  },
  {
    judges: kubeconform,
    reason: 'The published schema requires the field, and the API server takes the object without it: kurel warns.',
    ids: ['kubernetes-1.37/test/e2e/testing-manifests/storage-csi/mock/csi-mock-driverinfo.yaml#0'],
  },
  {
    judges: ['kubeconform with the store 1.31'],
    reason:
      'The same for the schemas of older versions: the serviceName of a StatefulSet, and the apiGroup of a roleRef, which is filled in.',
    ids: [
      'kubernetes-1.15/test/e2e/testing-manifests/storage-csi/gce-pd/csi-controller-rbac.yaml#2',
      'kubernetes-1.15/test/e2e/testing-manifests/storage-csi/gce-pd/csi-controller-rbac.yaml#4',
      'kubernetes-1.15/test/e2e/testing-manifests/storage-csi/mock/csi-mock-cluster-driver-registrar.yaml#0',
      'kubernetes-1.15/test/e2e/testing-manifests/storage-csi/mock/csi-mock-driver-attacher.yaml#0',
      'kubernetes-1.15/test/e2e/testing-manifests/storage-csi/mock/csi-mock-driver-resizer.yaml#0',
      'kubernetes-1.15/test/e2e/testing-manifests/storage-csi/mock/csi-mock-driver.yaml#0',
      'kubernetes-1.20/test/e2e/testing-manifests/storage-csi/mock/csi-mock-driver-attacher.yaml#0',
      'kubernetes-1.20/test/e2e/testing-manifests/storage-csi/mock/csi-mock-driver-resizer.yaml#0',
      'kubernetes-1.20/test/e2e/testing-manifests/storage-csi/mock/csi-mock-driver-snapshotter.yaml#0',
      'kubernetes-1.20/test/e2e/testing-manifests/storage-csi/mock/csi-mock-driver.yaml#0',
      'kubernetes-1.37/test/e2e/testing-manifests/storage-csi/gce-pd/csi-controller-rbac.yaml#10 remove roleRef.apiGroup',
      'kubernetes-1.37/test/e2e/testing-manifests/storage-csi/mock/csi-mock-driver-attacher.yaml#0',
      'kubernetes-1.37/test/e2e/testing-manifests/storage-csi/mock/csi-mock-driver-resizer.yaml#0',
      'kubernetes-1.37/test/e2e/testing-manifests/storage-csi/mock/csi-mock-driver-resizer.yaml#0 change-case spec.template.metadata.labels.app',
      'kubernetes-1.37/test/e2e/testing-manifests/storage-csi/mock/csi-mock-driver-snapshotter.yaml#0',
      'kubernetes-1.37/test/e2e/testing-manifests/storage-csi/mock/csi-mock-driver.yaml#0',
      'kubernetes-1.37/test/e2e/testing-manifests/storage-csi/mock/csi-mock-proxy.yaml#0',
    ],
  },
  {
    judges: ['kubeconform with the store 1.37', 'kubeconform with the sources 1.37'],
    reason: 'An API server refuses it in its own code; 1.31 does not have the kind.',
    ids: ['kubernetes-1.37/test/e2e/dra/test-driver/deploy/example/deviceclass.yaml#0 empty spec.selectors.0.cel'],
  },
];
