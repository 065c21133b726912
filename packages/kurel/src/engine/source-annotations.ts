import type { KubeObject, RenderContext } from '../model/index.ts';
import { checkDnsSubdomain, withAnnotations } from '../kube/index.ts';
import { DEFAULT_ANNOTATION_PREFIX, contentHash, hashAnnotation } from './content-hash.ts';
import { EngineError } from './errors.ts';
import type { AnnotationSettings, RendererOptions } from './renderer-definition.ts';
import { carryOrigin } from './origin-table.ts';

/** What is said about every object of one source. */
interface SourceDescription {
  readonly type: string;
  readonly path: string | undefined;
}

/** Throws at construction for a prefix that would make annotations no cluster takes. */
export function checkAnnotationPrefixes({ sourceAnnotations, contentHash: hash }: RendererOptions): void {
  for (const prefix of [prefixOf(sourceAnnotations), prefixOf(hash)]) {
    const reason = prefix === undefined ? undefined : checkDnsSubdomain(prefix);
    if (reason === undefined) continue;
    throw new EngineError(`annotation prefix ${JSON.stringify(prefix)} ${reason}`, { code: 'invalid-option' });
  }
}

/** Annotates the objects of one source; `undefined` when the options ask for no annotation. */
export function sourceAnnotator(
  options: RendererOptions,
  source: SourceDescription,
  context: RenderContext,
): ((object: KubeObject) => KubeObject) | undefined {
  const sourcePrefix = prefixOf(options.sourceAnnotations);
  const hashPrefix = prefixOf(options.contentHash);
  if (sourcePrefix === undefined && hashPrefix === undefined) return undefined;
  return (object) => {
    let annotated = object;
    if (sourcePrefix !== undefined) {
      const file = context.origins.get(object)?.file;
      annotated = withAnnotations(annotated, {
        [`${sourcePrefix}/source.type`]: source.type,
        ...(source.path === undefined ? {} : { [`${sourcePrefix}/source.path`]: source.path }),
        ...(file === undefined ? {} : { [`${sourcePrefix}/source.file`]: file }),
      });
    }
    // After the source annotations, which are part of the object as rendered.
    if (hashPrefix !== undefined) {
      annotated = withAnnotations(annotated, { [hashAnnotation(hashPrefix)]: contentHash(annotated, hashPrefix) });
    }
    carryOrigin(context.origins, object, annotated);
    return annotated;
  };
}

function prefixOf(setting: boolean | AnnotationSettings | undefined): string | undefined {
  if (setting === undefined || setting === false) return undefined;
  return setting === true ? DEFAULT_ANNOTATION_PREFIX : setting.prefix;
}
