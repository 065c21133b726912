import type { ProblemSummary } from '../diagnostics/index.ts';
import { parseObjectName } from '../kube/index.ts';
import type { ObjectMatcher } from '../kube/index.ts';
import type { AcceptedFinding, Diagnostic, Location } from '../model/index.ts';
import { acceptProblems } from './problems.ts';

/** A decision to accept a finding. */
export interface Acceptance {
  readonly code: string;
  /** A common notation such as `deployment/web`. Without it, all findings of the code are accepted. */
  readonly object?: string | undefined;
  readonly reason: string;
  /** The entry in its file; absent for `--accept`. */
  readonly location?: Location | undefined;
  /** Of a fleet file or a KurelBuild: the user's own decision, like `--accept`. */
  readonly ofUser?: boolean | undefined;
  /** Of a fleet file: other targets may use it, so it is not reported as unused here. */
  readonly isShared?: boolean | undefined;
}

export interface AcceptOptions {
  /** Every finding that can be reported, by code. */
  readonly definitions: Readonly<Record<string, ProblemSummary>>;
  /** Whether errors of this code about objects can be accepted; warnings and notes always can. */
  readonly canAcceptError: (code: string) => boolean;
  readonly isPolicy: (code: string) => boolean;
  /** Whether only `--accept` can accept it: a package must not decide about gaps in the policy that applies to it. */
  readonly isForUsers: (code: string) => boolean;
}

export interface Acceptor {
  /** Whether some name objects. A stage that stops after a number of findings would then stop too early. */
  readonly namesObjects: boolean;
  /** Whether a finding is accepted; it is then kept with the reason. Sees findings before `--strict` turns warnings into errors. */
  accepts(diagnostic: Diagnostic): boolean;
  accepted(): readonly AcceptedFinding[];
  /** A warning for each acceptance that has not matched any finding so far. */
  unused(): readonly Diagnostic[];
}

/** Acceptances from all sources add up: the first match accepts a finding, and all matches count as used. */
export function createAcceptor(acceptances: readonly Acceptance[], { canAcceptError }: AcceptOptions): Acceptor {
  const entries = acceptances.map((acceptance) => ({ acceptance, matches: createMatcher(acceptance) }));
  const used = new Set<Acceptance>();
  const accepted: AcceptedFinding[] = [];
  return {
    namesObjects: acceptances.some(({ object }) => object !== undefined),
    accepts(diagnostic) {
      if (diagnostic.severity === 'error' && !(isAboutObject(diagnostic) && canAcceptError(codeOf(diagnostic))))
        return false;
      const matching = entries.filter(({ matches }) => matches(diagnostic)).map(({ acceptance }) => acceptance);
      for (const acceptance of matching) used.add(acceptance);
      const [first] = matching;
      if (first === undefined) return false;
      accepted.push({ diagnostic, reason: first.reason, ...entriesOf(matching) });
      return true;
    },
    accepted: () => accepted,
    unused: () =>
      acceptances
        .filter((acceptance) => !used.has(acceptance) && acceptance.isShared !== true)
        .map(({ code, object, location }) =>
          acceptProblems.create('acceptance-unused', { code, object }, { location }),
        ),
  };
}

/** The fleet decides which of its entries no target uses. */
function entriesOf(acceptances: readonly Acceptance[]): Pick<AcceptedFinding, 'entries'> {
  const entries = acceptances.flatMap(({ isShared, location }) => (isShared === true ? (location ?? []) : []));
  return entries.length === 0 ? {} : { entries };
}

function createMatcher({ code, object }: Acceptance): (diagnostic: Diagnostic) => boolean {
  if (object === undefined) return (diagnostic) => codeOf(diagnostic) === code;
  const matches: ObjectMatcher = parseObjectName(object) ?? (() => false);
  return (diagnostic) => diagnostic.code === code && diagnostic.object !== undefined && matches(diagnostic.object);
}

/** A document or parameter may have the same mistake as an object, but it stops the build. */
function isAboutObject({ object, omitted }: Diagnostic): boolean {
  return object !== undefined || omitted !== undefined;
}

/** Findings that were only counted are accepted like those that were kept. */
function codeOf({ code, omitted }: Diagnostic): string {
  return omitted?.code ?? code;
}

// More guesses help no reader, and each compares all codes.
const mostGuesses = 100;

/** Problems of the acceptances themselves, independent of the build. */
export function checkAcceptances(
  acceptances: readonly Acceptance[],
  { definitions, canAcceptError, isPolicy, isForUsers }: AcceptOptions,
): readonly Diagnostic[] {
  const codes = Object.keys(definitions);
  let guesses = 0;
  return acceptances.flatMap(({ code, object, location, ofUser }) => {
    const at = (key: string) => ({ location: location?.path && { ...location, path: [...location.path, key] } });
    if (!Object.hasOwn(definitions, code)) {
      guesses += 1;
      const args = { code, codes: guesses > mostGuesses ? [] : codes };
      return [acceptProblems.create('acceptance-code-unknown', args, at('code'))];
    }
    const isUnacceptable = definitions[code]!.severity === 'error' && !canAcceptError(code);
    const isInFile = location !== undefined && ofUser !== true;
    // Accepting unused acceptances would hide this acceptance and all outdated ones.
    if (isUnacceptable || (isInFile && isForUsers(code)) || Object.hasOwn(acceptProblems.definitions, code)) {
      const args = { code, isPolicy: isPolicy(code), isForUsers: isForUsers(code) };
      return [acceptProblems.create('acceptance-refused', args, at('code'))];
    }
    const isNamed = object === undefined || parseObjectName(object) !== undefined;
    return isNamed ? [] : [acceptProblems.create('acceptance-object-invalid', { object }, at('object'))];
  });
}
