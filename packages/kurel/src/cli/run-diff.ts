import { diffObjects, hideSecrets } from '../index.ts';
import type { ObjectsDifference, SchemaStore } from '../index.ts';
import type { KubeObject } from '../model/index.ts';
import type { CommandCall, ExitCode } from './command.ts';
import type { DiffFlags } from './commands/diff.ts';
import { createStore } from './create-store.ts';
import { buildSide } from './diff/build-side.ts';
import type { BuiltSide } from './diff/build-side.ts';
import { differenceToJson } from './diff/difference-to-json.ts';
import { formatMarkdown } from './diff/format-markdown.ts';
import { formatText } from './diff/format-text.ts';
import { joinFindings } from './diff/join-findings.ts';
import type { SideFindings } from './diff/join-findings.ts';
import { openRevisions } from './diff/revisions.ts';
import type { Revisions } from './diff/revisions.ts';
import { flagsOfSide, hasOwnFlags, nameAssignment } from './diff/side-flags.ts';
import type { Side } from './diff/side-flags.ts';
import type { Environment } from './environment.ts';
import { printDiagnostics, useColor } from './print-diagnostics.ts';
import { UsageError } from './usage-error.ts';

type Call = CommandCall<DiffFlags>;

/** 0 when both are the same, 1 when they differ; after errors 1 as well, and then nothing is on standard output. */
export async function runDiff(call: Call): Promise<ExitCode> {
  const { positionals, flags, environment: given } = call;
  const [pathOfA = '', pathOfB] = positionals;
  if (pathOfB === undefined && !hasOwnFlags(flags, 'a') && !hasOwnFlags(flags, 'b')) {
    throw new UsageError('diff needs B, or flags for one side', 'kurel diff A B, or kurel diff A --values-b FILE');
  }
  const environment = readStdinOnce(given);
  const store = createStore(undefined);
  const revisions = openRevisions(environment);
  try {
    const surroundings = { environment, revisions, store };
    const a = await buildSide(pathOfA, flagsOfSide(flags, 'a'), surroundings);
    const b = await buildSide(pathOfB ?? pathOfA, flagsOfSide(flags, 'b'), surroundings);
    const isCompared = a.objects !== undefined && b.objects !== undefined;
    const difference = isCompared ? compare({ before: a.objects, after: b.objects, store }) : undefined;
    if (difference !== undefined) environment.writeStdout(format(difference, call));
    await printDiagnostics(
      joinFindings([describeSide(a, { side: 'a', call, revisions }), describeSide(b, { side: 'b', call, revisions })]),
      { format: flags['message-format'], color: flags.color },
      environment,
    );
    if (difference !== undefined) return difference.objects.length === 0 ? 0 : 1;
    return a.isWrongUsage || b.isWrongUsage ? 2 : 1;
  } finally {
    revisions.close();
  }
}

/** Both sides may be standard input, with other flags. */
function readStdinOnce(environment: Environment): Environment {
  let text: Promise<string> | undefined;
  return { ...environment, readStdin: () => (text ??= environment.readStdin()) };
}

interface Comparison {
  readonly before: readonly KubeObject[];
  readonly after: readonly KubeObject[];
  readonly store: SchemaStore;
}

/** What Secrets hold is taken out here, so that no format can show it. */
function compare({ before, after, store }: Comparison): ObjectsDifference {
  let known: SchemaStore | undefined;
  const findStore = (): SchemaStore => (known ??= store.with([...before, ...after], () => 'the input'));
  return hideSecrets(diffObjects(before, after, { store: findStore }));
}

function format(difference: ObjectsDifference, { positionals, flags, environment }: Call): string {
  const [a = '', b = a] = positionals;
  if (flags.format === 'json') return differenceToJson(difference, { a, b });
  if (flags.format === 'markdown') {
    return formatMarkdown(difference, { a: describeInput(a, flags, 'a'), b: describeInput(b, flags, 'b') });
  }
  return formatText(difference, { color: useColor(flags.color, environment, environment.stdoutIsTerminal) });
}

/** The path and what is said for this side alone; of assignments only what is set, for the rest may be what nobody should read. */
function describeInput(path: string, flags: Call['flags'], side: Side): string {
  const files = [
    flags[`profile-${side}`],
    flags[`policy-${side}`],
    ...flags[`values-${side}`],
    ...flags[`patch-${side}`],
  ];
  const assigned = [...flags[`set-${side}`], ...flags[`set-string-${side}`]].map((one) => one.replace(/=[^]*$/, ''));
  const named = [...files, ...assigned, ...flags[`enable-${side}`]].filter((one) => one !== undefined);
  return named.length === 0 ? path : `${path} with ${named.join(', ')}`;
}

interface SideOfCall {
  readonly side: Side;
  readonly call: Call;
  readonly revisions: Revisions;
}

function describeSide({ diagnostics, sources }: BuiltSide, { side, call, revisions }: SideOfCall): SideFindings {
  return {
    diagnostics,
    sources,
    side,
    show: (text) => revisions.show(text),
    showFile: (file) => revisions.show(nameAssignment(file, call.flags, side)),
    hasOwnFlags: hasOwnFlags(call.flags, side),
  };
}
