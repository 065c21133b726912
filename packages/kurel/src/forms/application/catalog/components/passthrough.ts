import { gvkOf, mappingAt, namespaceOf, scopeOf } from '../../../../kube/index.ts';
import type { KubeObject } from '../../../../model/index.ts';
import { aimAt, checkManifest, cleanObject } from '../../manifests/check-manifest.ts';
import { manifestProblems, scopeProblems } from '../../manifests/problems.ts';
import { defineComponent } from '../define.ts';
import type { LocateInText } from '../define.ts';
import { flagField, textField } from '../../../../documents/index.ts';

export const passthrough = defineComponent({
  type: 'passthrough',
  summary: 'Kubernetes object of any kind, output as written.',
  properties: {
    object: {
      type: 'object',
      description: 'The Kubernetes object.',
      required: true,
      open: { type: 'any' },
      properties: {
        apiVersion: { ...textField('filled', 'API version of the object.'), required: true },
        kind: { ...textField('filled', 'Kind of the object.'), required: true },
        metadata: {
          type: 'object',
          description: 'Metadata of the object.',
          open: { type: 'any' },
          properties: {
            name: { type: 'string', description: 'Name of the object. Defaults to the name of the component.' },
            namespace: {
              type: 'string',
              description: 'Namespace of the object. Defaults to the namespace of the build.',
            },
            labels: {
              type: 'object',
              description: 'Labels of the object.',
              open: { type: 'string', format: 'label-value' },
            },
            annotations: { type: 'object', description: 'Annotations of the object.', open: { type: 'string' } },
          },
        },
      },
    },
    clusterScoped: flagField(
      'Whether the object is cluster-scoped. Defaults to the scope of its kind; only needed for kinds that kurel does not know.',
    ),
  },
  problems: { definitions: { ...manifestProblems.definitions, ...scopeProblems.definitions } },
  render({ name, properties, report, reportPlaced, locate: locateProperty }) {
    const { object: written, clusterScoped } = properties;
    const own = mappingAt(written, 'metadata') ?? {};
    const metadata = own['name'] === '' ? { ...own, name } : { name, ...own };
    const object: KubeObject = cleanObject({ ...written, metadata });
    const locate: LocateInText = (path, at) => ({
      ...locateProperty(['object', ...path]),
      ...aimAt(written, path, at),
    });
    checkManifest({ object, locate }, reportPlaced);
    const gvk = gvkOf(object);
    const kindScope = gvk === undefined ? undefined : scopeOf(gvk);
    const parsed = clusterScoped === undefined ? undefined : clusterScoped ? 'Cluster' : 'Namespaced';
    const scope = parsed ?? kindScope;
    const { apiVersion, kind } = object;
    const namespace = namespaceOf(object);
    if (kindScope !== undefined && scope !== kindScope) {
      const args = { property: '"clusterScoped"', apiVersion, kind, known: kindScope };
      report(scopeProblems.create('scope-contradicted', args), ['clusterScoped']);
    } else if (scope === 'Cluster' && namespace !== '') {
      const args = { apiVersion, kind, namespace, property: parsed === undefined ? undefined : '"clusterScoped"' };
      report(scopeProblems.create('scope-namespace', args), ['object', 'metadata', 'namespace']);
    }
    // Without a scope, a CustomResourceDefinition of the application may have it.
    const scopes = new Map(scope === undefined ? [] : [[object, scope]]);
    return { objects: [object], places: new Map([[object, locate]]), scopes };
  },
});
