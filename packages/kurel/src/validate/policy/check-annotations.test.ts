import { describe, expect, it } from 'vitest';
import { scopeOf } from '../../kube/index.ts';
import type { JsonObject, KubeObject } from '../../model/index.ts';
import { enforcePolicy } from './enforce-policy.ts';
import { noPolicy } from './rules.ts';
import type { RuleLayer } from './rules.ts';

const strict: RuleLayer = { ...noPolicy, enforced: { allowedRegistries: ['ghcr.io/team'] } };

function findings(object: KubeObject, layers: readonly RuleLayer[] = [strict]): readonly string[] {
  const found: string[] = [];
  const report = ({ code }: { readonly code: string }, path: readonly (string | number)[]): void =>
    void found.push(`${code} ${path.slice(0, -1).join('.')}`);
  enforcePolicy(object, { rules: { layers }, scopeOf, report });
  return found;
}

const json = (value: JsonObject | readonly JsonObject[]): string => JSON.stringify(value);
const evil = 'evil.example/x:1';
const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x' }, spec: { hostPID: true } };

const dangerous: readonly (readonly [name: string, value: string, code: string])[] = [
  ['sidecar.istio.io/proxyImage', evil, 'policy-registry'],
  ['sidecar.istio.io/proxyImage', 'evil/x', 'policy-registry'],
  ['sidecar.istio.io/proxyImage', 'nginx', 'policy-not-checked'],
  ['config.linkerd.io/proxy-image', 'evil.example/linkerd/proxy', 'policy-registry'],
  ['config.linkerd.io/init-image', evil, 'policy-registry'],
  ['vault.hashicorp.com/agent-image', 'hashicorp/vault:1.20', 'policy-registry'],
  ['dapr.io/sidecar-image', evil, 'policy-registry'],
  ['init.hook.restore.velero.io/container-image', evil, 'policy-registry'],
  ['argocd-image-updater.argoproj.io/image-list', 'a=ghcr.io/team/a:~1, b=evil.example/b', 'policy-registry'],
  ['example.com/run', evil, 'policy-not-checked'],
  ['example.com/run', `docker://${evil}`, 'policy-not-checked'],
  ['example.com/run', `evil.example/x@sha256:${'0'.repeat(64)}`, 'policy-not-checked'],
  ['hooks.kubevirt.io/hookSidecars', json([{ args: ['--version', 'v1alpha2'], image: evil }]), 'policy-not-checked'],
  ['sidecar.istio.io/userVolume', json([{ name: 'v', hostPath: { path: '/' } }]), 'policy-not-checked'],
  ['proxy.istio.io/overrides', json({ containers: [{ securityContext: { privileged: true } }] }), 'policy-not-checked'],
  ['proxy.istio.io/overrides', '{"containers": [{"im\\u0061ge": "evil.example/x"}]}', 'policy-not-checked'],
  ['example.com/extra', 'containers:\n- name: x\n  image: evil.example/x:1\n', 'policy-not-checked'],
  ['example.com/extra', '- securityContext:\n    capabilities: {add: [SYS_ADMIN]}\n', 'policy-not-checked'],
  ['example.com/extra', 'base: &a {x: 1}\npod:\n  <<: *a\n  hostNetwork: true\n', 'policy-not-checked'],
  ['example.com/extra', '{{ if .x }}\nimage: evil\n{{ end }}', 'policy-not-checked'],
  ['kubectl.kubernetes.io/last-applied-configuration', json(pod), 'policy-not-checked'],
  ['inject.istio.io/templates', 'sidecar,evil', 'policy-not-checked'],
  ['vault.hashicorp.com/agent-json-patch', json([{ op: 'add', path: '/x', value: 1 }]), 'policy-not-checked'],
  ['nginx.ingress.kubernetes.io/configuration-snippet', 'lua_code x;', 'policy-not-checked'],
  ['io.kubernetes.cri-o.Devices', '/dev/fuse', 'policy-not-checked'],
  ['cdi.k8s.io/gpu', 'vendor.com/gpu=all', 'policy-not-checked'],
  ['io.katacontainers.config.hypervisor.path', '/bin/sh', 'policy-not-checked'],
];

const harmless: readonly (readonly [name: string, value: string])[] = [
  ['checksum/config', '0123456789abcdef'.repeat(4)],
  ['prometheus.io/scrape', 'true'],
  ['prometheus.io/port', '9090'],
  ['prometheus.io/path', '/metrics'],
  ['link.argocd.argoproj.io/external-link', 'https://grafana.example.com:3000/d/x?from=now-1h'],
  ['example.com/docs', 'https://example.com/docs/page:8080'],
  ['nginx.ingress.kubernetes.io/rewrite-target', '/$1'],
  ['nginx.ingress.kubernetes.io/auth-url', 'https://auth.example.com/oauth2/auth'],
  ['cert-manager.io/cluster-issuer', 'letsencrypt'],
  ['external-dns.alpha.kubernetes.io/hostname', 'a.example.com,b.example.com'],
  ['service.beta.kubernetes.io/aws-load-balancer-additional-resource-tags', 'team=web,env=prod'],
  ['iam.gke.io/gcp-service-account', 'web@project.iam.gserviceaccount.com'],
  ['eks.amazonaws.com/role-arn', 'arn:aws:iam::123456789012:role/web'],
  ['alb.ingress.kubernetes.io/actions.redirect', json({ Type: 'redirect', RedirectConfig: { Port: '443' } })],
  ['cloud.google.com/neg', '{"ingress": true}'],
  ['ad.datadoghq.com/web.checks', json({ http_check: { instances: [{ url: 'http://%%host%%:80/health' }] } })],
  ['kubernetes.io/change-cause', 'kubectl set image deployment/web web=quay.io/x/y:1'],
  ['kubectl.kubernetes.io/default-container', 'web'],
  ['kubectl.kubernetes.io/restartedAt', '2026-01-01T00:00:00Z'],
  ['meta.helm.sh/release-name', 'web'],
  ['helm.sh/hook', 'pre-install,post-upgrade'],
  ['linkerd.io/inject', 'enabled'],
  ['sidecar.istio.io/inject', 'true'],
  ['sidecar.istio.io/proxyImageType', 'distroless'],
  ['sidecar.istio.io/proxyCPULimit', '500m'],
  ['inject.istio.io/templates', 'gateway'],
  ['vault.hashicorp.com/agent-inject', 'true'],
  ['vault.hashicorp.com/agent-inject-template-db', '{{ with secret "db" }}\nuser: {{ .Data.user }}\n{{ end }}'],
  ['proxy.istio.io/config', 'holdApplicationUntilProxyStarts: true\nconcurrency: 2\n'],
  ['sidecar.istio.io/proxyImage', 'ghcr.io/team/proxy:1'],
  ['example.com/run', 'ghcr.io/team/x:1'],
  ['hooks.kubevirt.io/hookSidecars', json([{ image: 'ghcr.io/team/x:1' }])],
  ['example.com/description', 'Serves images.\nSee the wiki: it has more.'],
  ['example.com/empty', ''],
  ['example.com/color-patch-version', '1.2'],
  ['k8s.v1.cni.cncf.io/networks', '[{"name": "macvlan"}]'],
];

/** Every place where annotations may be. */
const places: readonly (readonly [path: string, objectOf: (annotations: JsonObject) => KubeObject])[] = [
  ['metadata.annotations', (annotations) => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x', annotations } })],
  [
    'metadata.annotations',
    (annotations) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'x', annotations } }),
  ],
  [
    'metadata.annotations',
    (annotations) => ({ apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', metadata: { name: 'x', annotations } }),
  ],
  [
    'metadata.annotations',
    (annotations) => ({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'x', annotations } }),
  ],
  [
    'spec.template.metadata.annotations',
    (annotations) => ({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'x' },
      spec: { template: { metadata: { annotations } } },
    }),
  ],
  [
    'spec.inheritedMetadata.annotations',
    (annotations) => ({
      apiVersion: 'postgresql.cnpg.io/v1',
      kind: 'Cluster',
      metadata: { name: 'x' },
      spec: { inheritedMetadata: { annotations } },
    }),
  ],
  [
    'spec.podMetadata.annotations',
    (annotations) => ({
      apiVersion: 'monitoring.coreos.com/v1',
      kind: 'Prometheus',
      metadata: { name: 'x' },
      spec: { podMetadata: { annotations } },
    }),
  ],
  [
    'spec.server.podAnnotations',
    (podAnnotations) => ({
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: { name: 'x' },
      spec: { server: { podAnnotations } },
    }),
  ],
];

describe.each(places)('%s (%#)', (path, objectOf) => {
  it.each(dangerous)('reports %s: %s', (name, value, code) => {
    expect(findings(objectOf({ [name]: value }))).toEqual([`${code} ${path}`]);
    expect(findings(objectOf({ [name]: value }), [noPolicy])).toEqual([]);
  });

  it.each(harmless)('accepts %s: %s', (name, value) => {
    expect(findings(objectOf({ [name]: value }))).toEqual([]);
  });
});

describe('annotations', () => {
  it('may name any image if the policy limits no registries', () => {
    const object = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'x', annotations: { 'x/image': evil, y: evil } },
    };
    expect(findings(object, [{ ...noPolicy }])).toEqual([]);
  });

  it('are not searched for in a definition of fields', () => {
    const spec = { versions: [{ schema: { openAPIV3Schema: { properties: { annotations: { image: evil } } } } }] };
    const object = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', spec };
    expect(findings(object)).toEqual([]);
  });
});
