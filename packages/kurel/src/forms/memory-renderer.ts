import {
  copyJson,
  defineRenderer,
  type RendererOptions,
  type SourceOptions,
  type SourceProblem,
} from '../engine/index.ts';
import { isJsonObject, isKubeObject, type KubeObject, type Rendered, type Renderer } from '../model/index.ts';

/** Objects created by a program. */
export interface MemorySource extends SourceOptions<MemorySource> {
  readonly objects: readonly KubeObject[];
  /** Name of the source in errors and origins. Defaults to `memory`. */
  readonly name?: string;
}

/** Renders copies of the objects; the objects themselves are never changed. */
export function memoryRenderer(
  sources: MemorySource | readonly MemorySource[],
  options: RendererOptions = {},
): Renderer<Rendered> {
  return defineRenderer<MemorySource>({
    name: 'memory',
    sources,
    options,
    ignoresValues: true,
    validate: validateSource,
    describe: ({ name = 'memory' }) => name,
    render: ({ objects }) => objects.map(copyJson),
  });
}

function* validateSource({ objects }: MemorySource): Iterable<SourceProblem> {
  if (!Array.isArray(objects)) {
    yield { field: 'objects', message: 'must be a list' };
    return;
  }
  for (const [index, object] of objects.entries()) {
    const field = `objects[${index}]`;
    if (!isJsonObject(object)) yield { field, message: 'is not an object' };
    else if (Object.keys(object).length === 0) yield { field, message: 'is empty' };
    else if (!isKubeObject(object)) yield { field, message: 'has no apiVersion or no kind' };
  }
}
