import type { Diagnostic, Location, ObjectName, RelatedLocation, Severity, Subject } from '../model/index.ts';

export interface ProblemSummary {
  readonly severity: Severity;
  /** One sentence for the reference: when this is reported. */
  readonly summary: string;
}

/** What a room says about one kind of finding. The words are data: the reference page is made from them. */
interface ProblemDefinition<Args> extends ProblemSummary {
  readonly message: (args: Args) => string;
  readonly hint?: (args: Args) => string | undefined;
}

// oxlint-disable-next-line typescript/no-explicit-any -- each code has its own arguments; `create` restores their type
type ProblemDefinitions = Readonly<Record<string, ProblemDefinition<any>>>;

type ArgsOf<Definition> = Definition extends ProblemDefinition<infer Args> ? Args : never;

export interface Problems<Definitions extends ProblemDefinitions> {
  readonly definitions: Definitions;
  create<Code extends keyof Definitions & string>(
    code: Code,
    args: ArgsOf<Definitions[Code]>,
    place?: ProblemPlace,
  ): Diagnostic;
}

interface ProblemPlace {
  readonly location?: Location | undefined;
  readonly subject?: Subject | undefined;
  readonly related?: readonly RelatedLocation[];
  /** Takes the place of the defined severity, as `--strict` does with warnings. */
  readonly severity?: Severity;
  readonly object?: ObjectName | undefined;
}

// Messages quote lists and words of the input, which may be of any length.
const longestText = 4000;
const longestEnd = 800;

function cut(text: string): string {
  if (text.length <= longestText) return text;
  // The reason often stands at the end, behind a name of any length.
  return `${text.slice(0, longestText - longestEnd)}…${text.slice(-longestEnd)}`;
}

/** The findings a room can report; each room has one such table, in its `problems.ts`. */
export function defineProblems<const Definitions extends ProblemDefinitions>(
  definitions: Definitions,
): Problems<Definitions> {
  return {
    definitions,
    create(code, args, place = {}) {
      const definition: ProblemDefinition<unknown> = definitions[code]!;
      const hint = definition.hint?.(args);
      return {
        code,
        severity: place.severity ?? definition.severity,
        message: cut(definition.message(args)),
        ...(place.location === undefined ? {} : { location: place.location }),
        ...(place.subject === undefined ? {} : { subject: place.subject }),
        ...(hint === undefined ? {} : { hint: cut(hint) }),
        ...(place.related === undefined ? {} : { related: place.related }),
        ...(place.object === undefined ? {} : { object: place.object }),
      };
    },
  };
}
