import { countNoun, escapeControls, escapeControlsInJson } from '../../diagnostics/index.ts';
import { formatChangedField, nameOf, namespaceOf, pathsOfChange, writeJson } from '../../index.ts';
import type { FieldChange, ObjectDifference, ObjectsDifference, Risk } from '../../index.ts';
import type { JsonObject } from '../../model/index.ts';
import { defineCommand, formatFlag, switchFlag } from '../command.ts';
import type { CommandCall, CommandResult, FlagDefinitions } from '../command.ts';
import { buildSide, flagsOfSide, hasOwnFlags, nameAssignment, sideFlags } from '../diff/build-side.ts';
import type { BuiltSide, Side } from '../diff/build-side.ts';
import {
  countOperations,
  findRisk,
  linesOfDifference,
  markOf,
  nameDifference,
  nameWithMove,
  objectOf,
  oldNamespaceOf,
  operationNames,
} from '../diff/change-lines.ts';
import type { ChangeLine } from '../diff/change-lines.ts';
import { compareBuilds } from '../diff/compare-builds.ts';
import { formatMarkdown } from '../diff/format-markdown.ts';
import type { ComparedNames } from '../diff/format-markdown.ts';
import { joinFindings } from '../diff/join-findings.ts';
import type { SideFindings } from '../diff/join-findings.ts';
import { openRevisions } from '../diff/revisions.ts';
import { inputFlags, messageFormatFlag, watchFlag } from '../input-flags.ts';
import { readStdinOnce } from '../open-world.ts';
import { columnWidth, fitLine, paint, styleOfStdout } from '../terminal.ts';
import { createEffort } from '../unified-diff.ts';
import type { DiffEffort } from '../unified-diff.ts';
import { UsageError } from '../usage-error.ts';
import { settingsOf } from '../setting-flags.ts';

type Call = CommandCall<typeof flags>;

/** Exits 0 if both are the same, 1 if they differ or on errors, with nothing on stdout after errors. */
async function runDiff(call: Call): Promise<CommandResult> {
  const { positionals, flags, environment: outer } = call;
  const [pathOfA = '', pathOfB] = positionals;
  if (pathOfB === undefined && !hasOwnFlags(flags, 'a') && !hasOwnFlags(flags, 'b')) {
    throw new UsageError(
      'diff requires B or flags for one side',
      'use kurel diff A B, or kurel diff A --values-b FILE',
    );
  }
  if (flags.stat && (flags.format ?? 'text') !== 'text') {
    throw new UsageError('--stat and --format are mutually exclusive', 'remove one of them');
  }
  // Both sides may be standard input, with other flags.
  const environment = readStdinOnce(outer);
  const revisions = openRevisions(environment);
  try {
    const surroundings = { environment, revisions };
    const a = await buildSide(pathOfA, settingsOf(flagsOfSide(flags, 'a')), surroundings);
    const b = await buildSide(pathOfB ?? pathOfA, settingsOf(flagsOfSide(flags, 'b')), surroundings);
    const describeSide = ({ diagnostics, sources }: BuiltSide, side: Side): SideFindings => ({
      diagnostics,
      sources,
      side,
      show: (text) => revisions.show(text),
      showFile: (file) => revisions.show(nameAssignment(file, flags, side)),
      hasOwnFlags: hasOwnFlags(flags, side),
    });
    environment.progress?.begin(() => 'comparing the objects of A and B');
    const difference = a.built === undefined || b.built === undefined ? undefined : compareBuilds(a.built, b.built);
    const findings = joinFindings([describeSide(a, 'a'), describeSide(b, 'b')]);
    const conclusion = { result: 'compared' };
    if (difference === undefined) return { ...findings, conclusion, exitCode: a.failure === 2 ? 2 : b.failure };
    const exitCode = difference.objects.length === 0 ? 0 : 1;
    return { ...findings, conclusion, stdout: format(difference, call), exitCode };
  } finally {
    revisions.close();
  }
}

function format(difference: ObjectsDifference, { positionals, flags, environment }: Call): string {
  const [a = '', b = a] = positionals;
  if (flags.format === 'json') return differenceToJson(difference, { a, b });
  if (flags.format === 'markdown') {
    return formatMarkdown(difference, { a: describeInput(a, flags, 'a'), b: describeInput(b, flags, 'b') });
  }
  const style = styleOfStdout(flags, environment);
  return flags.stat ? formatStat(difference, style.color) : formatText(difference, style);
}

/** The path and the flags of this side; of assignments only the name, because the value may be confidential. */
function describeInput(path: string, flags: Call['flags'], side: Side): string {
  const files = [
    flags[`profile-${side}`],
    flags[`policy-${side}`],
    ...flags[`values-${side}`],
    ...flags[`patch-${side}`],
  ];
  const assigned = [...flags[`set-${side}`], ...flags[`set-string-${side}`]].map((assignment) =>
    assignment.replace(/=[^]*$/, ''),
  );
  const named = [...files, ...assigned, ...flags[`enable-${side}`]].filter((word) => word !== undefined);
  return named.length === 0 ? path : `${path} with ${named.join(', ')}`;
}

// Select Graphic Rendition codes: green, red, magenta, dim, bold red.
const codes: Readonly<Record<ChangeLine['mark'], string | undefined>> = {
  '+': '32',
  '-': '31',
  '~': '35',
  '@': '2',
  '!': '1;31',
  ' ': undefined,
};

/** Each object that differs with its fields, and a summary. */
function formatText(difference: ObjectsDifference, options: Omit<FormatOptions, 'effort'>): string {
  const effort = createEffort();
  const blocks = difference.objects.map((entry) => formatObjectDifference(entry, { ...options, effort }));
  return [...blocks, formatSummary(difference)].join('\n');
}

/** One line per object, and a summary. */
function formatStat(difference: ObjectsDifference, color: boolean): string {
  const names = difference.objects.map((entry) => escapeControls(nameWithMove(entry)));
  const width = columnWidth(names);
  const rows = difference.objects.map((entry, index) => {
    const mark = markOf(entry);
    const what = entry.operation === 'change' ? countOperations(entry.changes) : operationNames[entry.operation];
    return `${paint(codes[mark], mark, color)} ${names[index]!.padEnd(width)}  ${what}\n`;
  });
  return `${rows.join('')}${formatSummary(difference)}`;
}

function formatSummary(difference: ObjectsDifference): string {
  const { objects, same } = difference;
  if (objects.length === 0) return `no differences in ${countNoun(same, 'object')}\n`;
  return `${countOperations(objects)}${same === 0 ? '' : `, ${same} the same`}\n`;
}

interface FormatOptions {
  readonly color: boolean;
  readonly width: number | undefined;
  readonly effort: DiffEffort;
}

function formatObjectDifference(difference: ObjectDifference, options: FormatOptions): string {
  const { color, effort } = options;
  const mark = markOf(difference);
  const title = escapeControls(`${nameWithMove(difference)}  ${objectOf(difference).apiVersion}`);
  const lines = linesOfDifference(difference, { inline: true, effort });
  const heading = `${paint(`1;${codes[mark]}`, mark, color)} ${paint('1', title, color)}`;
  return `${heading}\n${lines.map((line) => formatLine(line, options)).join('')}`;
}

function formatLine({ mark, text }: ChangeLine, { color, width }: FormatOptions): string {
  const line = `  ${mark === '@' ? ' ' : mark} ${text}`.trimEnd();
  // Of a changed line, which has the old and the new value, only the mark is coloured.
  const paintPart = (part: string, index: number): string => {
    if (mark !== '~') return paint(codes[mark], part, color);
    return index > 0 ? part : part.replace('~', (tilde) => paint(codes[mark], tilde, color));
  };
  return fitLine(line, width)
    .map((part, index) => `${paintPart(part, index)}\n`)
    .join('');
}

/** Every value in full, except those of Secrets. */
function differenceToJson({ objects, same }: ObjectsDifference, { a, b }: ComparedNames): string {
  const count = (operation: ObjectDifference['operation']): number =>
    objects.filter((entry) => entry.operation === operation).length;
  const text = writeJson({
    a,
    b,
    summary: { added: count('add'), removed: count('remove'), changed: count('change'), same },
    objects: objects.map(describeDifference),
  });
  return `${escapeControlsInJson(text)}\n`;
}

function describeDifference(difference: ObjectDifference): JsonObject {
  const object = objectOf(difference);
  const namespace = namespaceOf(object);
  const fromNamespace = oldNamespaceOf(difference);
  const { apiVersion, kind } = object;
  const risk = findRisk(difference);
  return {
    operation: difference.operation,
    apiVersion,
    kind,
    ...(namespace === '' ? {} : { namespace }),
    ...(fromNamespace === undefined ? {} : { fromNamespace }),
    name: nameOf(object),
    // In the spelling that `explain` accepts.
    words: nameDifference(difference),
    ...(risk === undefined ? {} : { risk }),
    ...(difference.operation === 'change'
      ? { changes: difference.changes.map((change) => describeChange(change, findRisk(difference, change))) }
      : { ...(difference.hidden === true ? { hidden: true } : {}), object }),
  };
}

/** `path` is its path in B, or in A if it was removed; `from` is its path in A if that differs. */
function describeChange(change: FieldChange, risk: Risk | undefined): JsonObject {
  const { operation, before, after, hidden } = change;
  const paths = pathsOfChange(change);
  const path = paths.after ?? paths.before!;
  const isElsewhere = paths.before !== undefined && JSON.stringify(paths.before) !== JSON.stringify(path);
  return {
    operation,
    field: formatChangedField(change.path),
    path,
    ...(isElsewhere ? { from: paths.before } : {}),
    ...(risk === undefined ? {} : { risk }),
    ...(hidden === true ? { hidden } : {}),
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
  };
}

const flags = {
  ...inputFlags,
  ...sideFlags,
  format: formatFlag(
    ['text', 'markdown', 'json'],
    'Output format: text (the default), markdown (for a pull request) or json.',
  ),
  stat: switchFlag('Print one line per changed object instead of all fields.'),
  ...watchFlag,
  ...messageFormatFlag,
} as const satisfies FlagDefinitions;

export const diff = defineCommand({
  name: 'diff',
  description:
    'A and B are inputs of kurel build (an output directory is one), or REVISION:PATH as in git: main:packages/shop is relative to the ' +
    'top of the repository, HEAD~1:./shop to the working directory. Objects are matched by group, kind, namespace and name, list items ' +
    'by their merge keys. Values of Secrets are never shown. Exits 0 if both are the same, 1 if they differ or on errors.',
  arguments: [
    { name: 'A', summary: 'the original input', completes: 'path', inRegistry: 'content' },
    {
      name: 'B',
      summary: 'the changed input; defaults to A with the flags for B',
      optional: true,
      completes: 'path',
      inRegistry: 'content',
    },
  ],
  flags,
  examples: [
    { says: 'the changes of a branch', line: 'kurel diff main:shop.kurel shop.kurel --values production.yaml' },
    {
      says: 'staging and production',
      line: 'kurel diff shop.kurel --values-a staging.yaml --values-b production.yaml',
    },
    {
      says: 'an application with a changed profile',
      line: 'kurel diff shop --profile-a main:cluster.yaml --profile-b cluster.yaml',
    },
    { says: 'a comment on a pull request', line: 'kurel diff main:rendered rendered --format markdown > comment.md' },
  ],
  readsRevisions: true,
  run: runDiff,
});
