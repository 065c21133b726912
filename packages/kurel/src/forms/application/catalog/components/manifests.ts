import { manifestProblems, scopeProblems } from '../../manifests/problems.ts';
import {
  readManifests,
  resultOf,
  sourceProperties,
  sourceRelations,
  unsupportedSources,
} from '../../manifests/read-manifests.ts';
import { resolveScopes, scopeOverrides } from '../../manifests/resolve-scopes.ts';
import { defineComponent } from '../define.ts';

export const manifests = defineComponent({
  type: 'manifests',
  summary: 'Kubernetes manifests from an inline string, a file or a URL, deployed to the namespace of the application.',
  properties: { ...sourceProperties, scopeOverrides },
  relations: sourceRelations,
  unsupported: unsupportedSources,
  problems: { definitions: { ...manifestProblems.definitions, ...scopeProblems.definitions } },
  render(input) {
    const read = readManifests(input);
    return { ...resultOf(read), scopes: resolveScopes(read, input.properties.scopeOverrides, input) };
  },
});
