import type { KubeObject } from '../../../../model/index.ts';
import {
  createArgocdApplication,
  createFluxSource,
  formatInterval,
  interval,
  readArtifactVersion,
  reportCredentials,
  reportVersion,
  secretRef,
} from '../../delivery/gitops-objects.ts';
import { deliveryProblems as problems } from '../../delivery/problems.ts';
import { defineComponent } from '../define.ts';
import type { ComponentInput, PropertiesOf } from '../define.ts';
import { defined } from '../present-fields.ts';
import { flagField, textField } from '../../../../documents/index.ts';

const properties = {
  source: {
    type: 'object',
    description: 'Source of the artifact.',
    required: true,
    properties: {
      url: {
        ...textField('registry-url', 'URL of the artifact, such as oci://ghcr.io/team/manifests.'),
        required: true,
      },
      secretRef,
    },
  },
  version: { ...textField('filled', 'Tag of the artifact, or "sha256:" followed by its digest.'), required: true },
  path: { ...textField('artifact-path', 'Directory in the artifact.'), default: './' },
  prune: { ...flagField('Whether to delete objects that are no longer in the artifact.'), default: true },
  interval,
  targetNamespace: textField('dns-label', 'Namespace of all objects, overriding their own.'),
} as const;

type Input = ComponentInput<PropertiesOf<typeof properties>>;

export const oci = defineComponent({
  type: 'oci',
  summary: 'OCI artifact with manifests: Flux OCIRepository and Kustomization, or Argo CD Application (3.1 or newer).',
  properties,
  problems,
  render(input) {
    const { properties: asked, checkUrl, report, delivery } = input;
    checkUrl(asked.source.url, ['source', 'url']);
    const { version } = asked;
    if (readArtifactVersion(version) === undefined) {
      reportVersion(version, 'a valid tag or digest', report);
    }
    return { objects: delivery.engine === 'argocd' ? [createApplication(input)] : createForFlux(input) };
  },
});

function createForFlux(input: Input): readonly KubeObject[] {
  const { name, delivery, properties: asked } = input;
  const { source, version, path, prune, targetNamespace } = asked;
  const every = formatInterval(asked.interval);
  const { name: repository, objects } = createFluxSource(input, {
    kind: 'OCIRepository',
    url: source.url,
    version: readArtifactVersion(version) ?? { tag: version },
    secretRef: source.secretRef,
    interval: every,
    path: asked.interval === undefined ? ['source', 'url'] : ['interval'],
  });
  const kustomization = {
    apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
    kind: 'Kustomization',
    metadata: { name: delivery.nameOf(name), namespace: delivery.namespace },
    spec: defined({
      interval: every,
      sourceRef: { kind: 'OCIRepository', name: repository },
      path,
      prune,
      targetNamespace,
    }),
  };
  return [...objects, kustomization];
}

function createApplication(input: Input): KubeObject {
  const { namespace, report, properties: asked } = input;
  const { source, version, path, prune, targetNamespace } = asked;
  reportCredentials(input, source);
  if (asked.interval !== undefined) {
    report(problems.create('argocd-property-unused', { property: 'interval' }), ['interval'], 'key');
  }
  if (targetNamespace !== undefined) {
    report(problems.create('argocd-namespaces-kept', { namespace: targetNamespace }), ['targetNamespace']);
  }
  return createArgocdApplication(input, {
    source: { repoURL: source.url, targetRevision: version, path: withoutDots(path) },
    namespace: targetNamespace ?? namespace,
    prune,
    selfHeal: true,
  });
}

/** In Argo CD, `.` is the whole artifact. */
function withoutDots(path: string): string {
  const steps = path.split('/').filter((step) => step !== '' && step !== '.');
  return steps.length === 0 ? '.' : steps.join('/');
}
