import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';

import { DiagnosticError, quote } from '../../diagnostics/index.ts';
import { build, detectInput } from '../../index.ts';
import type { BuildResult } from '../../index.ts';
import type { Diagnostic, FileSystem } from '../../model/index.ts';
import { chooseDestination } from '../choose-destination.ts';
import { defineCommand, listFlag, outputFlag, switchFlag, textFlag } from '../command.ts';
import type { CommandCall, CommandResult, ExitCode, FlagDefinitions } from '../command.ts';
import { fileProblem } from '../file-problem.ts';
import {
  inputFlags,
  instanceFlag,
  messageFormatFlag,
  parseAcceptance,
  patchFlags,
  valueFlags,
} from '../input-flags.ts';
import { budgetFlags, fileLimitFlags } from '../limits.ts';
import { openOutput } from '../open-output.ts';
import type { Delivery, Output } from '../open-output.ts';
import { createStore } from '../open-schemas.ts';
import { openDisk } from '../open-world.ts';
import { applicationFlags } from '../package-flags.ts';
import { readPatchFlags } from '../patch-flags.ts';
import { reportDifferences, rewriteInPlace, showDiff } from '../show-differences.ts';
import { cliProblems } from '../problems.ts';
import { hasErrors, UsageError } from '../usage-error.ts';
import { readValueFlags } from '../value-flags.ts';
import { settingsOf } from '../setting-flags.ts';

// Patterns and rules are not checked here.
const { 'max-pattern-steps': _, 'max-rule-steps': __, ...patchLimits } = budgetFlags;

const flags = {
  ...patchFlags,
  values: { ...valueFlags.values, summary: 'Values file for values.* in patches. Later files win.' },
  set: inputFlags.set,
  'set-string': {
    ...valueFlags['set-string'],
    summary: 'Set one value as a string, even if it looks like a number or boolean.',
  },
  diff: switchFlag('Print a diff of the changes instead of the manifests.'),
  'in-place': switchFlag('Edit the files in place, all or none, and print their names.', { short: 'i' }),
  output: outputFlag('FILE|DIR', 'Write one file (.yaml, .yml, .json), or a directory with one object a file.'),
  ...instanceFlag,
  check: switchFlag('Write nothing; fail with a diff when --in-place or --output would write something new.'),
  strict: switchFlag('Treat warnings as errors, such as a target that does not exist.'),
  accept: inputFlags.accept,
  policy: { ...applicationFlags.policy, summary: 'The Policy: what no object may exceed or do.' },
  conflicts: switchFlag('Say where patches disagree; the last one wins all the same.'),
  'kubernetes-version': textFlag(
    'VERSION',
    'Kubernetes version for types and merge keys, such as 1.34; defaults to the newest bundled one.',
  ),
  crds: listFlag(
    'PATH',
    'CustomResourceDefinitions to take types and merge keys from: a file, a directory or a pattern.',
    { completes: 'path' },
  ),
  ...patchLimits,
  ...fileLimitFlags,
  ...messageFormatFlag,
} as const satisfies FlagDefinitions;

export const patch = defineCommand({
  name: 'patch',
  description:
    'BASE is a file or directory of manifests, a pattern such as "deploy/**/*.yaml", or - for standard input. Patches are applied ' +
    'in the order given; a directory gives its *.kpatch, *.yaml and *.yml by name. Without --in-place, --output or --diff the ' +
    'patched manifests go to standard output; what no patch touches is printed as it was, byte for byte. When anything is wrong, ' +
    'nothing is written at all. KURE_DEBUG=1 traces on standard error how patches are read and applied.',
  arguments: [{ name: 'BASE', summary: 'manifests to patch', completes: 'path', repeats: true }],
  flags,
  examples: [
    { says: 'what would change', line: 'kurel patch deploy/ -p prod.kpatch --diff' },
    {
      says: 'a new version everywhere, written back',
      line: 'kurel patch deploy/ -p image.kpatch --set version=1.10 --in-place',
    },
    { says: 'what another program prints', line: 'kustomize build app/ | kurel patch - -p patches/' },
  ],
  run: runPatch,
});

type Call = CommandCall<typeof flags>;

async function runPatch(call: Call): Promise<CommandResult> {
  const { positionals, flags, environment } = call;
  checkUsage(call);
  const settings = settingsOf(flags);
  const destination = chooseDestination(settings, environment);
  const place = { inputs: [], paths: positionals, settings, check: flags.check, isPartial: false };
  const output = await openOutput(destination, place, environment);
  const inputs = await readInputs(call, output);
  if (hasErrors(inputs.diagnostics)) return inputs;
  const [path = '', ...morePaths] = positionals;
  const stdin = positionals.includes('-') ? await environment.readStdin() : undefined;
  const { fileSystem, texts, repeated } = recordTexts(openDisk(environment), environment.workingDirectory);
  const isOfSources = flags.diff || flags['in-place'];
  const result = await build({
    path,
    morePaths,
    fileSystem,
    as: 'manifests',
    stdin,
    patches: inputs.settings,
    // The files are only a part of the cluster's objects, so findings about untouched fields are not reported.
    validation: { store: inputs.store, scope: 'patched' },
    crds: flags.crds,
    strict: flags.strict,
    acceptances: flags.accept.map(parseAcceptance),
    policy: flags.policy,
    layout: isOfSources ? 'sources' : destination.layout,
    format: destination.format,
    signal: environment.signal,
    budget: environment.budget,
    progress: environment.progress?.onBuild,
  });
  const conclude = (diagnostics: readonly Diagnostic[], exitCode: ExitCode): CommandResult => ({
    diagnostics: [...inputs.diagnostics, ...diagnostics],
    sources: [...inputs.sources, ...result.sources],
    accepted: result.accepted,
    exitCode,
  });
  if (repeated.length > 0 || !result.ok) return conclude(repeated.length > 0 ? repeated : result.diagnostics, 1);
  environment.progress?.begin(() => `${flags.diff || flags.check ? 'comparing' : 'writing'} the results`);
  const before = new Map([...(stdin === undefined ? [] : [['stdin', stdin] as const]), ...texts]);
  const delivery = await (isOfSources ? deliverChanges(result, before, call) : output.deliver(result));
  return conclude([...result.diagnostics, ...delivery.diagnostics], delivery.exitCode);
}

function checkUsage({ positionals, flags }: Call): void {
  const { output, check, patch } = flags;
  const patchAsBase = positionals.find((path) => path.endsWith('.kpatch'));
  if (patchAsBase !== undefined) {
    throw new UsageError(
      `${quote(patchAsBase)} is a patch, not a manifest`,
      'give each patch with a --patch of its own',
    );
  }
  if (patch.length === 0) throw new UsageError('patch needs --patch: what to apply', 'kurel patch BASE --patch FILE');
  const wishes = [
    ...(flags.diff ? ['--diff'] : []),
    ...(flags['in-place'] ? ['--in-place'] : []),
    ...(output === undefined ? [] : ['--output']),
  ];
  if (wishes.length > 1) throw new UsageError(`${wishes.join(' and ')} cannot be combined`, 'choose one of them');
  if (check && !flags['in-place'] && (output === undefined || output === '-')) {
    throw new UsageError('--check needs --in-place or --output', 'it compares with what is there');
  }
  if (flags['in-place'] && positionals.includes('-')) {
    throw new UsageError('--in-place cannot write back to standard input', 'without it the result is printed');
  }
}

/** All files of flags, with all their problems. */
async function readInputs({ positionals, flags, environment }: Call, { misplaced }: Output) {
  const store = createStore(flags['kubernetes-version']);
  const settings = settingsOf(flags);
  const values = await readValueFlags(settings, { paths: positionals }, environment);
  const patches = await readPatchFlags(settings, { paths: positionals, ...values }, environment);
  const fileSystem = openDisk(environment);
  const bases = await Promise.all(positionals.map((path) => checkBase(path, fileSystem)));
  const readings = [values, patches];
  return {
    diagnostics: [...misplaced, ...readings.flatMap(({ diagnostics }) => diagnostics), ...bases.flat()],
    sources: readings.flatMap(({ sources }) => sources),
    settings: { ...patches.settings, conflicts: flags.conflicts },
    store,
  };
}

async function deliverChanges(
  result: BuildResult,
  before: ReadonlyMap<string, string>,
  { flags, environment }: Call,
): Promise<Delivery> {
  const changed = result.files
    .map(({ path, text }) => ({ path, before: before.get(path)!, after: text }))
    .filter((file) => file.before !== file.after);
  if (flags.diff) {
    await showDiff(changed, flags, environment);
    return { exitCode: 0, diagnostics: [] };
  }
  return flags.check ? reportDifferences(changed, environment) : rewriteInPlace(changed, environment);
}

/** Keeps the texts of all files that are read, to compare them with the files before they are rewritten. */
function recordTexts(fileSystem: FileSystem, workingDirectory: string) {
  const texts = new Map<string, string>();
  const names = new Map<string, string>();
  /** Findings about files that were read twice, also under different names. */
  const repeated: Diagnostic[] = [];
  const recorded: FileSystem = {
    ...fileSystem,
    async readText(path) {
      const text = await fileSystem.readText(path);
      const real = realpathSync.native(resolve(workingDirectory, path));
      const first = names.get(real);
      if (first === undefined) names.set(real, path);
      else repeated.push(cliProblems.create('base-twice', { path, first }, { location: { file: path } }));
      texts.set(path, text);
      return text;
    },
  };
  return { fileSystem: recorded, texts, repeated };
}

/** Refuses charts, kustomizations and packages: patching their files is not the same as patching the objects built from them. */
async function checkBase(path: string, fileSystem: FileSystem): Promise<readonly Diagnostic[]> {
  if (path === '-') return [];
  try {
    const { form } = await detectInput({ fileSystem, path });
    return form.holdsObjects === true
      ? []
      : [cliProblems.create('base-not-manifests', { path, form: form.package?.noun ?? `a ${form.name}` })];
  } catch (error) {
    if (!(error instanceof DiagnosticError)) return [fileProblem(error)];
    const isMissing = error.diagnostics.some(({ code }) => code === 'input-not-found' || code === 'input-not-a-file');
    return isMissing ? error.diagnostics : [cliProblems.create('base-not-manifests', { path, form: 'a package' })];
  }
}
