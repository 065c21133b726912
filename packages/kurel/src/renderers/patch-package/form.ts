import type { RenderContext } from '../../model/index.ts';
import type { Rendering } from '../../provenance/index.ts';
import type { InputRequest } from '../form.ts';
import { placeInNamespace } from '../put-in-namespace.ts';
import { findInPackage, packageProvenance } from './package-provenance.ts';
import { renderPatchPackage } from './patch-package-renderer.ts';

export async function render(request: InputRequest, context: RenderContext): Promise<Rendering> {
  const { fileSystem, path, store, namespace, values = {} } = request;
  const result = await renderPatchPackage({ fileSystem, path, store, ...request.package }, values, context);
  const { parameters, excluded } = result;
  const rendering: Rendering = {
    objects: result.objects,
    provenance: packageProvenance(result, { origins: context.origins, store }),
    facts: {
      name: result.package.metadata.name,
      isPhased: true,
      createsNamespaces: true,
      namespacesElsewhere: excluded,
      parameters: { values: parameters.values, writtenAt: parameters.writtenAt, find: findInPackage(parameters) },
    },
  };
  return placeInNamespace(rendering, { namespace, which: 'all' }, context);
}
