import type { EarlierBuild } from '../host/index.ts';
import { countNoun, escapeControls, summarise } from '../diagnostics/index.ts';
import type { BuildResult } from '../index.ts';
import type { Diagnostic } from '../model/index.ts';
import { buildValidated } from './build-validated.ts';
import { chooseDestination } from './choose-destination.ts';
import type { Destination } from './choose-destination.ts';
import type { BuildSettings } from '../settings/index.ts';
import type { CommandCall, CommandResult, ExitCode } from './command.ts';
import type { BuildFlags } from './commands/build.ts';
import type { Environment } from './environment.ts';
import { hasFilters } from './flags-to-pipeline.ts';
import { openOutput } from './open-output.ts';
import type { KeptOutput, WrittenOwner } from './open-output.ts';
import { openInput } from './open-input.ts';
import type { InlineInput } from './open-world.ts';
import type { SourcedFindings } from './sourced-findings.ts';
import { readRequest } from './read-request.ts';
import { refuseBoth, settingsOf } from './setting-flags.ts';
import { refuseFlags, UsageError } from './usage-error.ts';

type Call = CommandCall<BuildFlags>;

export async function runBuild({ positionals, flags, environment }: Call): Promise<CommandResult> {
  if (flags.check && flags.output === undefined) {
    throw new UsageError('--check requires --output', 'add --output with the directory or file to compare');
  }
  const built = await buildToOutput({
    path: positionals[0]!,
    settings: settingsOf(flags),
    check: flags.check,
    environment,
  });
  const { destination, result, effect, exitCode, diagnostics } = built;
  const { sources, accepted } = built;
  const findings = { diagnostics, sources, accepted, exitCode };
  if (result === undefined) return { ...findings, conclusion: { result: 'failed', effect: 'nothing written' } };
  const { watched, stderrIsTerminal } = environment;
  // With --watch, the conclusion reports it.
  const isAnnounced = watched === undefined && stderrIsTerminal && exitCode === 0 && !flags.check;
  const count = countNoun(result.objects.length, 'object');
  return {
    ...findings,
    remark: isAnnounced ? describeWritten(destination, result.files.length, effect) : undefined,
    conclusion: { result: `${count}, ${countFindings(diagnostics)}`, effect },
  };
}

/** Nothing for stdout: the user sees the result. */
function describeWritten({ path, target }: Destination, files: number, effect: string | undefined): string {
  if (path === undefined) return '';
  if (target === 'file') return `wrote ${escapeControls(path)}\n`;
  const directory = `${escapeControls(path).replace(/\/+$/, '')}/`;
  return `wrote ${countNoun(files, 'file')} to ${directory} (${effect})\n`;
}

function countFindings(diagnostics: readonly Diagnostic[]): string {
  const summary = summarise(diagnostics);
  return summary.includes('error') ? summary : ['0 errors', summary].filter((words) => words !== '').join(', ');
}

export interface OutputBuild extends SourcedFindings {
  readonly exitCode: ExitCode;
  readonly destination: Destination;
  /** Absent if nothing was delivered. */
  readonly result?: BuildResult | undefined;
  /** The changes on disk in a few words, if any files were written. */
  readonly effect?: string | undefined;
  /** The owner of the files, if they are in a directory. */
  readonly owner?: WrittenOwner | undefined;
  /** What can be delivered again without a build, with the findings of the build alone. */
  readonly kept?: (KeptOutput & Pick<SourcedFindings, 'diagnostics'>) | undefined;
}

interface OutputBuildCall {
  readonly path: string;
  readonly settings: BuildSettings;
  /** Compare with existing files, and write nothing. */
  readonly check?: boolean | undefined;
  readonly environment: Environment;
  readonly inline?: InlineInput | undefined;
  /** The build whose files this one replaces. */
  readonly earlier?: EarlierBuild | undefined;
  /** Asked right before files are written or compared: the reasons not to do so. */
  readonly refusePlace?: (() => readonly Diagnostic[]) | undefined;
  /** Write nothing: `result` has the files that an empty output directory would get. The name is for messages. */
  readonly collectFor?: string | undefined;
}

/** Writes or compares what an earlier build of the input gave; `undefined` if it has to be built. */
export async function deliverAgain(
  call: OutputBuildCall,
  kept: KeptOutput,
): Promise<Pick<OutputBuild, 'exitCode' | 'diagnostics' | 'effect' | 'owner'> | undefined> {
  const { output } = await prepareOutput(call);
  return output.misplaced.length > 0 ? undefined : output.deliverAgain(kept);
}

async function prepareOutput({ path, settings, environment, ...options }: OutputBuildCall) {
  const { check = false, earlier, refusePlace, collectFor } = options;
  const input = await openInput(path, settings, environment);
  const { form } = input;
  const hint = 'remove it, or build a directory with parameters.yaml';
  if (form.hasParameterSchema !== true) refuseFlags(settings, ['schema'], { owner: 'patch packages', hint });
  refuseBoth(settings, ['schema', 'noValidate']);
  const placed = collectFor === undefined ? settings : { ...settings, output: './' };
  // The setting is for the layout flux, and in every layout for the Flux objects of applications. Without either, the build reports that it
  // is ignored, as commands without a layout do.
  const withoutFlux = { ...placed, fluxNamespace: undefined };
  const isOfLayout = settings.layout === 'flux';
  const requested = form.makesFluxObjects !== true && isOfLayout ? withoutFlux : settings;
  const destination = chooseDestination(isOfLayout ? placed : withoutFlux, environment, form.layout);
  const isPartial = hasFilters(settings);
  if (isPartial && settings.index) {
    throw new UsageError(
      '--index and filters are mutually exclusive',
      'remove --index: the numbers would depend on the filters',
    );
  }
  const call = { inputs: [input], paths: [path], settings, check, isPartial, earlier, refusePlace, collectFor };
  const output = await openOutput(destination, call, environment);
  return { input, output, destination, requested };
}

/** The request of a build with its layout. Also for comparisons of what builds would write. */
export async function readOutputRequest(call: OutputBuildCall) {
  const { environment, inline } = call;
  const { input, output, destination, requested } = await prepareOutput(call);
  const reading = await readRequest(input, requested, environment, { inline });
  const { layout, format } = destination;
  const written = { order: requested.order, layout, layoutOptions: output.layoutOptions, format };
  const { misplaced } = output;
  return {
    form: input.form,
    output,
    destination,
    reading: {
      ...(misplaced.length > 0 ? { diagnostics: misplaced, sources: [] } : reading),
      request: { ...reading.request, ...written },
    },
  };
}

/** Builds an input and writes, prints or compares the output. Prints no findings: a fleet prints those of all targets together. */
export async function buildToOutput(call: OutputBuildCall): Promise<OutputBuild> {
  const { path, settings, environment } = call;
  const { form, output, destination, reading } = await readOutputRequest(call);
  const built = await buildValidated(reading, { form, settings, environment });
  const { diagnostics, sources, accepted, result } = built;
  if (built.exitCode !== 0 || result === undefined) {
    const own = output.findOwn(filesOfCollisions(diagnostics));
    const shown = own.length === 0 ? hintAtValues(diagnostics, path) : own;
    return { exitCode: built.exitCode, destination, diagnostics: shown, sources, accepted };
  }
  environment.progress?.begin(() => `writing ${result.files.length.toLocaleString('en-US')} files`);
  const { exitCode, effect, owner, diagnostics: delivered, isRefused = false } = await output.deliver(result);
  const name = result.rendering.facts.name;
  const files = result.files.map((file) => ({ path: file.path, text: file.text }));
  const kept = isRefused ? undefined : { files, name, directory: output.directory(), diagnostics };
  const all = [...diagnostics, ...delivered];
  return { exitCode, destination, diagnostics: all, sources, accepted, result, effect, owner, kept };
}

/** If the only file was skipped, it is probably a values file. */
function hintAtValues(diagnostics: readonly Diagnostic[], path: string): readonly Diagnostic[] {
  const isPassedOver = diagnostics.some(({ code, location }) => code === 'object-skipped' && location?.file === path);
  if (!isPassedOver) return diagnostics;
  const hint = `pass a values file with --values: kurel build PACKAGE --values ${path}`;
  return diagnostics.map((diagnostic) =>
    diagnostic.code === 'nothing-rendered' ? { ...diagnostic, hint } : diagnostic,
  );
}

/** Output of an earlier build inside the input collides with its own source, and the collision does not show the cause. */
function filesOfCollisions(diagnostics: readonly Diagnostic[]): readonly string[] {
  return diagnostics
    .filter(({ code }) => code === 'output-collision' || code === 'object-duplicate')
    .flatMap(({ location, related = [] }) => related.map((note) => note.location).concat(location ?? []))
    .map(({ file }) => file);
}
