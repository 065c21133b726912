import type {
  Diagnostic,
  Location,
  Message,
  ObjectName,
  RelatedLocation,
  Report,
  Severity,
  SourceFile,
  Subject,
} from '../model/index.ts';
import { writeTexts } from './spell-message.ts';

export interface ProblemSummary {
  readonly severity: Severity;
  /** When this is reported: one sentence for the reference. */
  readonly summary: Message;
  /** What to do about it, for `kurel help CODE`: one or two sentences. */
  readonly fix?: Message;
}

/** One kind of finding. Messages are data: the reference page is made from them. */
export interface ProblemDefinition<Args> extends Omit<ProblemSummary, 'severity'> {
  /** Findings are errors unless their definition says otherwise. */
  readonly severity?: Severity;
  readonly message: (args: Args) => Message;
  /** Defaults to the argument `hint`, if there is one. */
  readonly hint?: (args: Args) => Message | undefined;
  /** The message says all that an excerpt would show, so the finding takes one line. */
  readonly isBrief?: true;
}

// oxlint-disable-next-line typescript/no-explicit-any -- each code has its own arguments; `create` restores their type
type ProblemDefinitions = Readonly<Record<string, ProblemDefinition<any>>>;

type ArgsOf<Definition> = Definition extends ProblemDefinition<infer Args> ? Args : never;

export interface Problems<Definitions extends ProblemDefinitions> {
  readonly definitions: { readonly [Code in keyof Definitions]: Definitions[Code] & ProblemSummary };
  create<Code extends keyof Definitions & string>(
    code: Code,
    args: ArgsOf<Definitions[Code]>,
    place?: ProblemPlace,
  ): Diagnostic;
  /** The error of a single finding. */
  error<Code extends keyof Definitions & string>(
    code: Code,
    args: ArgsOf<Definitions[Code]>,
    options?: ProblemPlace & { readonly cause?: unknown },
  ): DiagnosticError;
}

interface ProblemPlace {
  readonly location?: Location | undefined;
  readonly subject?: Subject | undefined;
  readonly related?: readonly RelatedLocation[] | undefined;
  /** Overrides the defined severity, as `--strict` does with warnings. */
  readonly severity?: Severity;
  readonly object?: ObjectName | undefined;
}

// Messages quote lists and strings from the input, which may have any length.
const longestText = 4000;
const longestEnd = 800;

function cut(message: Message): Message {
  if (typeof message === 'string')
    return message.length <= longestText ? message : keepEnds(message, 0, message.length);
  const texts = message.map((part) => (typeof part === 'string' ? part : (part.value ?? '')));
  const total = texts.reduce((sum, { length }) => sum + length, 0);
  if (total <= longestText) return message;
  let end = 0;
  return message.map((part, index) => {
    const start = end;
    end += texts[index]!.length;
    const kept = keepEnds(texts[index]!, start, total);
    return typeof part === 'string' ? kept : { ...part, ...(part.value === undefined ? {} : { value: kept }) };
  });
}

/** What is kept of a text that starts at an offset of a whole: the reason is often at the end, after a name of any length. */
function keepEnds(text: string, start: number, total: number): string {
  const [from, to] = [longestText - longestEnd - start, total - longestEnd - start];
  const ellipsis = from >= 0 && from < text.length ? '…' : '';
  return `${text.slice(0, Math.max(0, from))}${ellipsis}${text.slice(Math.max(0, to))}`;
}

/**
 * The findings that a module can report; each module has one such table, in its `problems.ts`. It is a function because every start
 * defines all problems and few runs report any: what is not called costs little to load.
 */
export function defineProblems<const Definitions extends ProblemDefinitions>(
  list: () => Definitions,
): Problems<Definitions> {
  let listed: Definitions | undefined;
  const table = (): Definitions => (listed ??= list());
  let complete: Problems<Definitions>['definitions'] | undefined;
  const problems: Problems<Definitions> = {
    get definitions() {
      return (complete ??= Object.fromEntries(
        Object.entries(table()).map(([code, definition]) => [code, { severity: 'error', ...definition }]),
      ) as Problems<Definitions>['definitions']);
    },
    create(code, args, place = {}) {
      const definition: ProblemDefinition<unknown> = table()[code]!;
      const hint = definition.hint === undefined ? (args as { readonly hint?: Message }).hint : definition.hint(args);
      const texts = writeTexts({ message: cut(definition.message(args)), hint: hint === undefined ? hint : cut(hint) });
      return {
        code,
        severity: place.severity ?? definition.severity ?? 'error',
        message: texts.message,
        ...(definition.isBrief === true ? { isBrief: true } : {}),
        ...(place.location === undefined ? {} : { location: place.location }),
        ...(place.subject === undefined ? {} : { subject: place.subject }),
        ...(texts.hint === undefined ? {} : { hint: texts.hint }),
        ...(texts.parts === undefined ? {} : { parts: texts.parts }),
        ...(place.related === undefined ? {} : { related: place.related }),
        ...(place.object === undefined ? {} : { object: place.object }),
      };
    },
    error: (code, args, options) => new DiagnosticError([problems.create(code, args, options)], options),
  };
  return problems;
}

/** Thrown by a stage that cannot continue; carries all its findings, so that they are reported together. */
export class DiagnosticError extends Error {
  readonly diagnostics: readonly Diagnostic[];
  /** Texts that the diagnostics point into but that are not files, such as the output of a program. */
  readonly sources: readonly SourceFile[];

  constructor(
    diagnostics: readonly Diagnostic[],
    options?: { readonly cause?: unknown; readonly sources?: readonly SourceFile[] },
  ) {
    super(diagnostics.map((diagnostic) => diagnostic.message).join('\n'), options);
    this.name = 'DiagnosticError';
    this.diagnostics = diagnostics;
    this.sources = options?.sources ?? [];
  }
}

/** The error and the chain of its causes, each once: a chain may contain a cycle. */
export function* causesOf(error: unknown): Iterable<Error> {
  const seen = new Set<unknown>();
  for (let current = error; current instanceof Error && !seen.has(current); current = current.cause) {
    seen.add(current);
    yield current;
  }
}

/** The diagnostics in an error or anywhere in its chain of causes. */
export function diagnosticsOf(error: unknown): readonly Diagnostic[] | undefined {
  return findDiagnosticError(error)?.diagnostics;
}

/** The texts that came with the diagnostics of an error, needed to show excerpts. */
export function sourcesOfError(error: unknown): readonly SourceFile[] {
  return findDiagnosticError(error)?.sources ?? [];
}

function findDiagnosticError(error: unknown): DiagnosticError | undefined {
  return [...causesOf(error)].find((cause) => cause instanceof DiagnosticError);
}

/** Passes findings on, and remembers whether one of them was an error. */
export function watchErrors(report: Report): { readonly report: Report; readonly hasErrors: () => boolean } {
  let hasErrors = false;
  return {
    report(diagnostic) {
      hasErrors ||= diagnostic.severity === 'error';
      report(diagnostic);
    },
    hasErrors: () => hasErrors,
  };
}
