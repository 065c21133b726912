import { createBudget, listFindings } from '../budget/index.ts';
import { DiagnosticError } from '../diagnostics/index.ts';
import { decodeObjects } from '../kube/index.ts';
import type {
  Budget,
  Diagnostic,
  KubeObject,
  Origin,
  OriginTable,
  Range,
  RelatedLocation,
  RenderContext,
  Report,
  SourceFile,
  TextOrigin,
} from '../model/index.ts';
import { checkMarkers, noteDivergent, readYaml } from '../yaml/index.ts';

interface ReadObjectsOptions {
  readonly context: { readonly origins: OriginTable; readonly budget?: Budget | undefined };
  /** Also receives errors, so that a caller can report those of several texts together. */
  readonly report: Report;
  /** Origin of the objects of a document; the text is added. */
  readonly originOf: (document: { readonly range: Range }) => Origin;
  /** Related locations for a finding about the text before `offset`. */
  readonly relate?: (offset: number) => readonly RelatedLocation[];
}

/** Objects that a program has printed. Throws all errors in the text together. */
export function readPrinted(
  text: SourceFile,
  context: RenderContext,
  options: Pick<ReadObjectsOptions, 'originOf' | 'relate'>,
): readonly KubeObject[] {
  const errors = collectErrors(context.report, context.budget);
  const objects = readObjects(text, { ...options, context, report: errors.report });
  errors.throwErrors([text]);
  return objects;
}

/** Objects of a text in order, each with its origin. */
export function readObjects(
  source: SourceFile,
  { context, report: give, originOf, relate = () => [] }: ReadObjectsOptions,
): readonly KubeObject[] {
  const reading = readYaml(source, { budget: context.budget });
  const { documents, diagnostics } = reading;
  const byIndex = new Map(documents.map((document) => [document.index, document]));
  /** Number of skipped objects by document index. */
  const skipped = new Map<number, number>();
  let lastSkipped = -1;
  const report: Report = (diagnostic) => {
    const { code, location, related = [] } = diagnostic;
    const index = location?.document ?? 0;
    if (code === 'object-skipped') {
      skipped.set(index, (skipped.get(index) ?? 0) + 1);
      lastSkipped = index;
    }
    const offset = location?.range?.start ?? byIndex.get(index)?.range.end;
    const more = offset === undefined ? [] : relate(offset);
    give(more.length === 0 ? diagnostic : { ...diagnostic, related: [...related, ...more] });
  };
  diagnostics.forEach(report);
  checkMarkers(source, reading).forEach(report);
  noteDivergent(source, reading).forEach(report);
  const decoded = decodeObjects(documents, { file: source.path, report });
  const objects: KubeObject[] = [];
  const { origins } = context;
  let end = 0;
  for (const { index, range } of documents) {
    const first = objects.length;
    let next = first;
    while (decoded[next]?.document === index) next += 1;
    // Empty documents and empty Lists belong to the text around other documents.
    if (next === first && !skipped.has(index)) continue;
    // Text before a document belongs to its first object, text after it to its last.
    const lead = range.start > end ? { start: end, end: range.start } : undefined;
    // A skipped document does not reach the output, and neither does the text around it.
    const hasTail = next === decoded.length && lastSkipped <= index && range.end < source.text.length;
    const tail = hasTail ? { start: range.end, end: source.text.length } : undefined;
    const count = next - first + (skipped.get(index) ?? 0);
    const origin = next > first ? originOf({ range }) : undefined;
    for (const { object, path } of decoded.slice(first, next)) {
      // Aliased items share one object, and so do repeated reads of a text; but each object has one origin.
      const parsed = origins.get(object) === undefined ? object : { ...object };
      const position = objects.length - first;
      const text: TextOrigin = {
        source,
        document: index,
        range,
        ...(path === undefined ? {} : { path, item: { index: position, count } }),
        ...(position === 0 && lead !== undefined ? { lead } : {}),
        ...(objects.length === next - 1 && tail !== undefined ? { tail } : {}),
        parsed,
      };
      origins.set(parsed, { ...origin!, text });
      objects.push(parsed);
    }
    end = range.end;
  }
  return objects;
}

/** Collects the errors of a stage until it ends, so that all are reported together; other findings are reported immediately. */
export function collectErrors(report: Report, budget: Budget = createBudget()) {
  const errors = listFindings(budget);
  return {
    report: (diagnostic: Diagnostic): void => {
      if (diagnostic.severity === 'error') errors.report(diagnostic);
      else report(diagnostic);
    },
    /** Throws all errors together, if any, with the texts they point into that are not files. */
    throwErrors: (sources: readonly SourceFile[] = []): void => {
      const all = errors.all();
      if (all.length > 0) throw new DiagnosticError(all, { sources });
    },
  };
}
