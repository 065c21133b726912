import type { ProblemSummary } from '../diagnostics/index.ts';
import { parseObjectName } from '../kube/index.ts';
import type { ObjectMatcher } from '../kube/index.ts';
import type { AcceptedFinding, Diagnostic, Location } from '../model/index.ts';
import { acceptProblems } from './problems.ts';

/** Someone's decision to live with a finding. */
export interface Acceptance {
  readonly code: string;
  /** As people name objects: `deployment/web`. Without it, all findings of the code are accepted. */
  readonly object?: string | undefined;
  readonly reason: string;
  /** The entry in its file; absent for `--accept`. */
  readonly location?: Location | undefined;
}

export interface AcceptOptions {
  /** Every finding that can be reported, by code. */
  readonly definitions: Readonly<Record<string, ProblemSummary>>;
  /** Whether errors of this code about objects can be accepted; warnings and notes always can. */
  readonly canAcceptError: (code: string) => boolean;
  readonly isPolicy: (code: string) => boolean;
  /** Whether only `--accept` can accept it: what a policy could not check is not for those to decide who are under it. */
  readonly isForUsers: (code: string) => boolean;
}

export interface Acceptor {
  /** Whether some are for single objects. A stage that stops at a number of findings would then stop too early. */
  readonly namesObjects: boolean;
  /** Whether a finding is accepted; it is kept with the reason then. Sees findings before `--strict` makes errors of warnings. */
  accepts(diagnostic: Diagnostic): boolean;
  accepted(): readonly AcceptedFinding[];
  /** A warning for each acceptance that has matched nothing so far. */
  unused(): readonly Diagnostic[];
}

/** Acceptances add up, from wherever they come: the first that matches a finding takes it, and all that match count as used. */
export function createAcceptor(acceptances: readonly Acceptance[], { canAcceptError }: AcceptOptions): Acceptor {
  const entries = acceptances.map((acceptance) => ({ acceptance, matches: createMatcher(acceptance) }));
  const used = new Set<Acceptance>();
  const accepted: AcceptedFinding[] = [];
  return {
    namesObjects: acceptances.some(({ object }) => object !== undefined),
    accepts(diagnostic) {
      if (diagnostic.severity === 'error' && !(isAboutObject(diagnostic) && canAcceptError(codeOf(diagnostic))))
        return false;
      const found = entries.filter(({ matches }) => matches(diagnostic)).map(({ acceptance }) => acceptance);
      for (const acceptance of found) used.add(acceptance);
      const [first] = found;
      if (first === undefined) return false;
      accepted.push({ diagnostic, reason: first.reason });
      return true;
    },
    accepted: () => accepted,
    unused: () =>
      acceptances
        .filter((acceptance) => !used.has(acceptance))
        .map(({ code, object, location }) =>
          acceptProblems.create('acceptance-unused', { code, object }, { location }),
        ),
  };
}

function createMatcher({ code, object }: Acceptance): (diagnostic: Diagnostic) => boolean {
  if (object === undefined) return (diagnostic) => codeOf(diagnostic) === code;
  const matches: ObjectMatcher = parseObjectName(object) ?? (() => false);
  return (diagnostic) => diagnostic.code === code && diagnostic.object !== undefined && matches(diagnostic.object);
}

/** A document or parameter may have the same mistake as an object, but leaves nothing to build. */
function isAboutObject({ object, omitted }: Diagnostic): boolean {
  return object !== undefined || omitted !== undefined;
}

/** Findings that were only counted are accepted as those that were kept. */
function codeOf({ code, omitted }: Diagnostic): string {
  return omitted?.code ?? code;
}

// Nobody reads more, and each costs a look at all codes.
const mostGuesses = 100;

/** What is wrong with the acceptances themselves, whatever is built. */
export function checkAcceptances(
  acceptances: readonly Acceptance[],
  { definitions, canAcceptError, isPolicy, isForUsers }: AcceptOptions,
): readonly Diagnostic[] {
  const known = Object.keys(definitions);
  let guesses = 0;
  return acceptances.flatMap(({ code, object, location }) => {
    const at = (key: string) => ({ location: location?.path && { ...location, path: [...location.path, key] } });
    const source = location?.file ?? '--accept';
    if (!Object.hasOwn(definitions, code)) {
      guesses += 1;
      const args = { code, source, known: guesses > mostGuesses ? [] : known };
      return [acceptProblems.create('acceptance-code-unknown', args, at('code'))];
    }
    const isUnacceptable = definitions[code]!.severity === 'error' && !canAcceptError(code);
    const isInFile = location !== undefined;
    // An acceptance of unused acceptances would hide itself, and all others that are out of date.
    if (isUnacceptable || (isInFile && isForUsers(code)) || Object.hasOwn(acceptProblems.definitions, code)) {
      const args = { code, source, isPolicy: isPolicy(code), isForUsers: isForUsers(code) };
      return [acceptProblems.create('acceptance-refused', args, at('code'))];
    }
    const isNamed = object === undefined || parseObjectName(object) !== undefined;
    return isNamed ? [] : [acceptProblems.create('acceptance-object-invalid', { object }, at('object'))];
  });
}
