import type { RenderContext } from '../../model/index.ts';
import type { Rendering } from '../../provenance/index.ts';
import type { InputRequest } from '../form-types.ts';
import { applicationProvenance, findDeclared } from './application-provenance.ts';
import { renderApplicationSource } from './load-and-render.ts';
import type { FetchedCount } from './sources/source-request.ts';

// Every form can use policies.
export { loadPolicy } from './load-application.ts';

/** The build namespace is an input of the application: objects with their own namespace keep it. */
export async function render(request: InputRequest, context: RenderContext): Promise<Rendering> {
  const { store, package: { layers, trace, limits } = {}, values = {} } = request;
  const { fileSystem, path, namespace, programs, fetcher, policy, progress } = request;
  const onFetched = progress && ((count: FetchedCount) => progress({ doing: 'fetching', ...count }));
  const source = { fileSystem, path, namespace, store, programs, fetcher, layers, trace, limits, policy, onFetched };
  const result = await renderApplicationSource({ ...source, ...request.application }, values, context);
  const { name, namespace: built, deliveryNamespace, kustomizationParts, input, enforcePolicy } = result;
  const { parameters, variables } = result.resolved;
  return {
    objects: result.objects,
    provenance: applicationProvenance(result, context.origins),
    facts: {
      name,
      namespacesElsewhere: [built, deliveryNamespace],
      whenEmpty: input.isAllOff === true ? 'silent' : 'warning',
      parameters: parameters && { ...variables, find: findDeclared(parameters) },
      kustomizationParts,
      raised: ['setting-contradictory'],
      enforcePolicy,
    },
  };
}
