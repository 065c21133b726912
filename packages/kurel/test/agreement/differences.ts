import { parameterSchemaProblems } from '../../src/forms/patch-package/schema/problems.ts';
import { schemaProblems } from '../../src/schema/index.ts';
import { validateProblems } from '../../src/validate/index.ts';
import type { Answer, Finding } from './ask-commands.ts';

export type Asker =
  | 'build without validation'
  | 'validate'
  | 'explain'
  | 'images'
  | 'diff'
  | 'library'
  | 'directory'
  | 'krm'
  | 'argocd'
  | 'fleet validate'
  | 'fleet build'
  | 'fleet render'
  | 'fleet images'
  | 'fleet diff';

export interface Pair {
  /** Of `kurel build`; for those who do not validate, of `kurel build --no-validate`. */
  readonly reference: Answer;
  /** Of `kurel build`. */
  readonly validated: Answer;
  readonly answer: Answer;
}

/** One way in which an asker may differ from the reference. */
interface Difference {
  readonly askers: readonly Asker[];
  readonly why: string;
  /** An input that shows it: a difference that no input needs is a mistake in this table. */
  readonly example: string;
  /** Findings that the asker may lack. */
  readonly lacks?: (finding: Finding, pair: Pair) => boolean;
  /** Findings that the asker may have in addition. */
  readonly adds?: (finding: Finding, pair: Pair) => boolean;
  /** Whether the exit code may differ, and with it whether objects are shown. */
  readonly exits?: (pair: Pair) => boolean;
}

const validation: ReadonlySet<string> = new Set([
  ...Object.keys(validateProblems.definitions),
  ...Object.keys(schemaProblems.definitions),
  ...Object.keys(parameterSchemaProblems.definitions),
  // Of parameters, and of a complete build.
  'reference-undefined',
  'acceptance-unused',
]);

function isOfValidation({ code, place }: Finding): boolean {
  return validation.has(code) || place.includes('schemas/');
}

function hasError(findings: readonly Finding[], isIt: (finding: Finding) => boolean = () => true): boolean {
  return findings.some((finding) => finding.severity === 'error' && isIt(finding));
}

function hasFinding({ findings }: Answer, { code, place }: Finding): boolean {
  return findings.some((other) => other.code === code && other.place === place);
}

function isRefusedParameter({ code }: Finding): boolean {
  return /^(?:field-|schema-too-complex$)/.test(code);
}

/** What follows a validation without errors: the layout, and consequences of what validation has refused, which are one mistake. */
const later: ReadonlySet<string> = new Set([
  'definition-in-stream',
  'delete-nothing',
  'enabled-not-boolean',
  'object-unwritable',
  'patch-condition-not-boolean',
  'phase-wait-invalid',
]);

/** Settings of a file are at their lines in it, and flags have no file. */
const askersOfFiles: ReadonlySet<Asker> = new Set([
  'krm',
  'fleet validate',
  'fleet build',
  'fleet render',
  'fleet diff',
]);

const targets = ['fleet validate', 'fleet build', 'fleet render', 'fleet images', 'fleet diff'] as const;
const questions = ['explain', 'images', 'diff'] as const;

/** All that may differ, and why. Anything else is a mistake in the program. */
export const differences: readonly Difference[] = [
  {
    askers: ['build without validation'],
    why: 'It validates nothing, says so, and so comes to mistakes that a build with errors does not reach.',
    example: 'cases/build-jq-nan',
    lacks: isOfValidation,
    adds: ({ code }, { reference }) =>
      code === 'output-not-validated' || (hasError(reference.findings) && later.has(code)),
    exits: ({ reference }) => hasError(reference.findings, isOfValidation),
  },
  {
    askers: [...questions],
    why: 'Notes are about what is built, not about the question.',
    example: 'cases/build-package-required',
    lacks: ({ severity, code }) => severity === 'note' || code === 'output-not-validated',
  },
  {
    askers: [...questions],
    why: 'They do not validate, but say which parameters of the user a build would refuse.',
    example: 'cases/explain-parameter-refused',
    adds: (finding, { validated }) => isRefusedParameter(finding) && hasFinding(validated, finding),
    exits: ({ answer, validated }) => hasError(answer.findings, isRefusedParameter) && validated.exitCode !== 0,
  },
  {
    askers: ['images'],
    why: 'It says which images it cannot know.',
    example: 'cases/build-application-argocd-instance',
    adds: ({ code }) => code === 'images-hidden',
  },
  {
    askers: ['diff'],
    why: 'The other side has findings of its own, and without it there is nothing to compare with.',
    example: 'cases/build-package-set-list',
    adds: ({ message }) => message.startsWith('A: '),
    exits: ({ answer }) => hasError(answer.findings, ({ message }) => message.startsWith('A: ')),
  },
  {
    askers: ['validate', 'directory', 'krm', 'fleet build', 'fleet validate'],
    why: 'They print no stream that somebody could apply.',
    example: 'settings/manifests, patch of a list, crds inside',
    lacks: ({ code }) => code === 'definition-in-stream',
  },
  {
    askers: ['validate'],
    why: 'Its report has a line for required patches.',
    example: 'cases/build-package-required',
    lacks: ({ code }) => code === 'patch-required',
  },
  {
    askers: ['fleet render', 'fleet images', 'fleet diff'],
    why: 'A review shows what changes; warnings are left to builds.',
    example: 'cases/build-package-empty-values',
    lacks: ({ severity }) => severity !== 'error',
  },
  {
    askers: ['directory', 'fleet validate', 'fleet build', 'fleet render'],
    why: 'They are about a directory, which must not become empty.',
    example: 'cases/patch-enabled-none-left',
    adds: ({ code }) => code === 'output-empty',
    exits: ({ answer }) => answer.findings.some(({ code }) => code === 'output-empty'),
  },
  {
    askers: ['fleet validate', 'fleet build'],
    why: 'An acceptance of a fleet file is for many targets, so the run says whether one of them needs it.',
    example: 'cases/validate-report-acceptance-unused',
    lacks: ({ code, place }) => code === 'acceptance-unused' && place === '',
  },
  {
    askers: ['library', 'krm', ...targets],
    why: 'There are no words of a command line, so no exit code says that they are wrong.',
    example: 'cases/build-application-no-profile-given',
    exits: ({ reference, answer }) => reference.exitCode === 2 && answer.exitCode === 1,
  },
];

export interface Comparison {
  /** One line for each difference that is not in the table. */
  readonly mismatches: readonly string[];
  readonly used: readonly Difference[];
}

export function compareAnswers(asker: Asker, pair: Pair): Comparison {
  const rows = differences.filter(({ askers }) => askers.includes(asker));
  const used = new Set<Difference>();
  const mismatches: string[] = [];
  const excuse = (isExcused: (row: Difference) => boolean | undefined, mismatch: string): boolean => {
    const row = rows.find((candidate) => isExcused(candidate) === true);
    if (row === undefined) mismatches.push(`${asker}: ${mismatch}`);
    else used.add(row);
    return row !== undefined;
  };
  const { reference, answer } = pair;
  const isOfFile = askersOfFiles.has(asker);
  const keyOf = (finding: Finding): string => nameFinding(isOfFile ? withoutFlag(finding) : finding);
  const [expected, actual] = [reference, answer].map(({ findings }) => new Set(findings.map(keyOf)));
  for (const finding of reference.findings) {
    if (!actual!.has(keyOf(finding))) excuse((row) => row.lacks?.(finding, pair), `lacks ${keyOf(finding)}`);
  }
  for (const finding of answer.findings) {
    if (!expected!.has(keyOf(finding))) excuse((row) => row.adds?.(finding, pair), `adds ${keyOf(finding)}`);
  }
  const isSame = reference.exitCode === answer.exitCode;
  if (!isSame) excuse((row) => row.exits?.(pair), `exits ${answer.exitCode} instead of ${reference.exitCode}`);
  return { mismatches, used: [...used] };
}

function withoutFlag(finding: Finding): Finding {
  return finding.place.startsWith('--') ? { ...finding, place: '' } : finding;
}

function nameFinding({ code, severity, place }: Finding): string {
  return `${severity} ${code} ${place}`;
}
