import { defineProblems } from '../../../../diagnostics/index.ts';
import { describeObject, gvkOf } from '../../../../kube/index.ts';
import type { KubeObject } from '../../../../model/index.ts';
import { manifestProblems } from '../../manifests/problems.ts';
import { placesOf, readManifests } from '../../manifests/read-manifests.ts';
import { sourceProperties, unsupportedSources } from '../../manifests/scope-overrides.ts';
import { defineComponent } from '../define.ts';

const problems = defineProblems({
  'crd-other-kind': {
    severity: 'error',
    summary: 'A component of type crd has an object that is no CustomResourceDefinition.',
    message: ({ object }: { object: string }) => `${object} is no CustomResourceDefinition`,
    hint: () => 'objects of all kinds are for a component of type "manifests"',
  },
  'crd-old-version': {
    severity: 'error',
    summary: 'A CustomResourceDefinition is of a version that clusters no longer take.',
    message: ({ object }: { object: string }) =>
      `${object} is of a version that no cluster takes since Kubernetes 1.22`,
    hint: () => 'take a definition of apiextensions.k8s.io/v1; most projects have had one since 2020',
  },
});

export const crd = defineComponent({
  type: 'crd',
  summary: 'CustomResourceDefinitions from a text, a file or a URL; they come before all other objects.',
  properties: sourceProperties,
  unsupported: unsupportedSources,
  problems: { definitions: { ...manifestProblems.definitions, ...problems.definitions } },
  render(input) {
    const manifests = readManifests(input);
    for (const { object, locate } of manifests) {
      const code = explainRefusal(object);
      if (code === undefined) continue;
      const location = locate([code === 'crd-other-kind' ? 'kind' : 'apiVersion']);
      input.reportPlaced(problems.create(code, { object: describeObject(object) }, { location }));
    }
    return { objects: manifests.map(({ object }) => object), places: placesOf(manifests) };
  },
});

function explainRefusal(object: KubeObject): 'crd-other-kind' | 'crd-old-version' | undefined {
  const { group, version, kind } = gvkOf(object) ?? {};
  if (group !== 'apiextensions.k8s.io' || kind !== 'CustomResourceDefinition') return 'crd-other-kind';
  return version === 'v1' ? undefined : 'crd-old-version';
}
