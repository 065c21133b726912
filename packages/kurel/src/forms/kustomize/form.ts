import type { RenderContext } from '../../model/index.ts';
import { beginProvenance } from '../../provenance/index.ts';
import type { Rendering } from '../../provenance/index.ts';
import type { InputRequest } from '../form.ts';
import { noPrograms } from '../run-program.ts';
import { placeInNamespace } from '../put-in-namespace.ts';
import { kustomizeRenderer } from './kustomize-renderer.ts';

export async function render(request: InputRequest, context: RenderContext): Promise<Rendering> {
  const { fileSystem, path, namespace, values = {}, programs = noPrograms, kustomization = {} } = request;
  const { loadRestrictions = 'root' } = kustomization;
  const options = { fileSystem, programs, allowNetwork: request.allowNetwork === true };
  const objects = await kustomizeRenderer({ path, loadRestrictions }, options).process(values, context);
  const provenance = beginProvenance({ origins: context.origins, objects });
  return placeInNamespace({ objects, provenance, facts: {} }, { namespace, which: 'all' }, context);
}
