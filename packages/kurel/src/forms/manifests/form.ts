import type { RenderContext } from '../../model/index.ts';
import type { Rendering } from '../../provenance/index.ts';
import { beginProvenance } from '../../provenance/index.ts';
import type { InputRequest } from '../form.ts';
import { inputProblems } from '../problems.ts';
import { placeInNamespace } from '../put-in-namespace.ts';
import { manifestsRenderer } from './manifests-renderer.ts';

export async function render(request: InputRequest, context: RenderContext): Promise<Rendering> {
  const { fileSystem, path, values = {}, namespace } = request;
  // Patches may use the values even if nothing else does.
  const isIdle = Object.keys(values).length > 0 && request.package?.laidOver === undefined;
  if (isIdle) context.report(inputProblems.create('input-takes-no-values', { path }));
  const source = path === '-' ? { name: 'stdin', text: request.stdin ?? '' } : { fileSystem, path };
  const objects = await manifestsRenderer(source).process({}, context);
  const { origins } = context;
  const provenance = beginProvenance({ origins, objects });
  // An input without objects is a mistake.
  const facts = { whenEmpty: 'error' } as const;
  return placeInNamespace({ objects, provenance, facts }, { namespace, which: 'all' }, context);
}
