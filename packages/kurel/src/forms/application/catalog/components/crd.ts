import { defineProblems } from '../../../../diagnostics/index.ts';
import { describeObject, gvkOf } from '../../../../kube/index.ts';
import { manifestProblems } from '../../manifests/problems.ts';
import {
  readManifests,
  resultOf,
  sourceProperties,
  sourceRelations,
  unsupportedSources,
} from '../../manifests/read-manifests.ts';
import { defineComponent } from '../define.ts';

const problems = defineProblems(() => ({
  'crd-other-kind': {
    summary: 'A component of type crd contains an object that is not a CustomResourceDefinition.',
    message: ({ object }: { object: string }) => `${object} is not a CustomResourceDefinition`,
    hint: () => 'use a component of type "manifests" for other kinds',
    fix: 'Move the object to a component of type manifests, or remove it.',
  },
  'crd-old-version': {
    summary: 'A CustomResourceDefinition uses an API version that was removed from Kubernetes.',
    message: ({ object }: { object: string }) => `the API version of ${object} was removed in Kubernetes 1.22`,
    hint: () => 'use apiextensions.k8s.io/v1',
    fix: 'Use a release of the project that ships its CustomResourceDefinitions as apiextensions.k8s.io/v1; most have done so since 2020.',
  },
}));

export const crd = defineComponent({
  type: 'crd',
  summary: 'CustomResourceDefinitions from an inline string, a file or a URL, output before all other objects.',
  properties: sourceProperties,
  relations: sourceRelations,
  unsupported: unsupportedSources,
  problems: { definitions: { ...manifestProblems.definitions, ...problems.definitions } },
  render(input) {
    const manifests = readManifests(input);
    for (const { object, locate } of manifests) {
      const { group, version, kind } = gvkOf(object) ?? {};
      const isDefinition = group === 'apiextensions.k8s.io' && kind === 'CustomResourceDefinition';
      if (isDefinition && version === 'v1') continue;
      const code = isDefinition ? 'crd-old-version' : 'crd-other-kind';
      const location = locate([isDefinition ? 'apiVersion' : 'kind']);
      input.reportPlaced(problems.create(code, { object: describeObject(object) }, { location }));
    }
    return resultOf(manifests);
  },
});
