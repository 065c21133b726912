import { decodeObjects } from '../kube/index.ts';
import type {
  KubeObject,
  Origin,
  Range,
  RelatedLocation,
  RenderContext,
  Report,
  SourceFile,
  TextOrigin,
} from '../model/index.ts';
import { readYaml } from '../yaml/index.ts';

export interface ReadObjectsOptions {
  readonly context: RenderContext;
  /** Gets errors too: whoever reads several texts reports the problems of all of them before it gives up. */
  readonly report: Report;
  /** Where the objects of a document come from; the text itself is added. */
  readonly originOf: (document: { readonly range: Range }) => Origin;
  /** What else belongs to a finding about the text before `offset`. */
  readonly relate?: (offset: number) => readonly RelatedLocation[];
}

/** The objects of a text in its order, each with its origin. */
export function readObjects(
  source: SourceFile,
  { context, report: give, originOf, relate = () => [] }: ReadObjectsOptions,
): readonly KubeObject[] {
  const { documents, diagnostics } = readYaml(source);
  const byIndex = new Map(documents.map((document) => [document.index, document]));
  const report: Report = (diagnostic) => {
    const { location, related = [] } = diagnostic;
    const offset = location?.range?.start ?? byIndex.get(location?.document ?? 0)?.range.end;
    const more = offset === undefined ? [] : relate(offset);
    give(more.length === 0 ? diagnostic : { ...diagnostic, related: [...related, ...more] });
  };
  diagnostics.forEach(report);
  const decoded = decodeObjects(documents, { file: source.path, report });
  let end = 0;
  decoded.forEach(({ object, document: index, path }, position) => {
    const document = byIndex.get(index)!;
    const text: TextOrigin = {
      source,
      document: index,
      range: document.range,
      ...(path === undefined ? {} : { path }),
      ...commentsAs('preface', source, { start: end, end: document.range.start }),
      ...(position === decoded.length - 1
        ? commentsAs('afterword', source, { start: document.range.end, end: source.text.length })
        : {}),
      said: object,
    };
    context.origins.set(object, { ...originOf(document), text });
    end = document.range.end;
  });
  return decoded.map(({ object }) => object);
}

/** Between documents with content there are only markers, directives, blank lines and comments; the comments are kept. */
function commentsAs(name: 'preface' | 'afterword', source: SourceFile, { start, end }: Range): Partial<TextOrigin> {
  if (end - start < 2) return {};
  const comments = source.text.slice(start, end).match(/^[ \t]*#[^\n]*\n?/gm);
  return comments === null ? {} : { [name]: comments.join('') };
}
