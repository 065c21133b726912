import { build } from '../index.ts';
import { escapeControls, summarise } from '../diagnostics/index.ts';
import type { Form } from '../index.ts';
import type { Diagnostic } from '../model/index.ts';
import type { CommandCall, ExitCode } from './command.ts';
import type { BuildFlags } from './commands/build.ts';
import { buildValidated, conclude, openSchemas, withStore } from './build-validated.ts';
import type { ValidatedBuild, ValidationCall } from './build-validated.ts';
import { chooseDestination } from './choose-destination.ts';
import type { Destination } from './choose-destination.ts';
import { hasFilters } from './flags-to-pipeline.ts';
import { openInput } from './open-input.ts';
import { openOutput } from './open-output.ts';
import { printDiagnostics } from './print-diagnostics.ts';
import type { Findings } from './print-diagnostics.ts';
import { cliProblems } from './problems.ts';
import { readRequest } from './read-request.ts';
import type { RequestReading } from './read-request.ts';
import { UsageError } from './usage-error.ts';

export async function runBuild({ positionals, flags, environment }: CommandCall<BuildFlags>): Promise<ExitCode> {
  if (flags.check && flags.output === undefined) {
    throw new UsageError('--check needs --output', 'it compares with what is there');
  }
  const path = positionals[0]!;
  const input = await openInput(path, flags, environment);
  const { form } = input;
  checkSchemaFlag(flags, form);
  const ofNoFlux = { ...flags, 'flux-namespace': undefined };
  // Applications have Flux objects of their own, whatever the layout; all others only have those of the layout.
  const isOfLayout = form.makesFluxObjects !== true || flags.layout === 'flux';
  const destination = chooseDestination(isOfLayout ? flags : ofNoFlux, environment, form.layout);
  const isPartial = hasFilters(flags);
  if (isPartial && flags.index) {
    throw new UsageError(
      '--index cannot be combined with filters',
      'leave out --index: the numbers would change with the filters',
    );
  }
  const output = await openOutput(destination, { inputs: [input], paths: [path], flags, isPartial }, environment);
  const given = await readRequest(input, form.makesFluxObjects === true ? flags : ofNoFlux, environment);
  const tell = (findings: Findings): Promise<void> =>
    printDiagnostics(findings, { format: flags['message-format'], color: flags.color }, environment);
  const { watched, progress } = environment;
  if (output.misplaced.length > 0) {
    await tell({ diagnostics: output.misplaced, sources: [] });
    watched?.conclude('failed', 'nothing written');
    return 1;
  }
  const { layout, format } = destination;
  const { layoutOptions } = output;
  const fileSystem = output.observe(given.request.fileSystem);
  const settings = { fileSystem, order: flags.order, layout, layoutOptions, format };
  const laidOut = { ...given, request: { ...given.request, ...settings } };
  const call = { form, flags, environment };
  const built = await (flags['no-validate'] ? buildUnvalidated(laidOut, call) : buildValidated(laidOut, call));
  const { diagnostics, sources, accepted, result } = built;
  if (!built.ok || result === undefined) {
    const own = output.findOwn(filesOfCollisions(diagnostics));
    await tell({ diagnostics: own.length === 0 ? hintAtValues(diagnostics, path) : own, sources, accepted });
    watched?.conclude('failed', 'nothing written');
    return built.failure;
  }
  progress?.tell(() => `writing ${result.files.length.toLocaleString('en-US')} files`);
  const delivery = await output.deliver(result);
  const findings = [...diagnostics, ...delivery.diagnostics];
  await tell({ diagnostics: findings, sources, accepted });
  const count = result.objects.length === 1 ? '1 object' : `${result.objects.length} objects`;
  watched?.conclude(`${count}, ${countFindings(findings)}`, delivery.effect ?? '');
  const isForPeople = environment.stderrIsTerminal && (flags['message-format'] ?? 'text') === 'text';
  if (watched === undefined && isForPeople && delivery.exitCode === 0 && !destination.check) {
    environment.writeStderr(describeWritten(destination, { files: result.files.length, effect: delivery.effect }));
  }
  return delivery.exitCode;
}

/** A file that was passed over, and is all there is, may well be one with values. */
function hintAtValues(diagnostics: readonly Diagnostic[], path: string): readonly Diagnostic[] {
  const isPassedOver = diagnostics.some(({ code, location }) => code === 'object-skipped' && location?.file === path);
  if (!isPassedOver) return diagnostics;
  const hint = `values are given to what takes them: kurel build PACKAGE --values ${path}`;
  return diagnostics.map((one) => (one.code === 'nothing-rendered' ? { ...one, hint } : one));
}

/** Objects that an earlier build has written collide with those that they were made of, which says nothing of the cause. */
function filesOfCollisions(diagnostics: readonly Diagnostic[]): readonly string[] {
  return diagnostics
    .filter(({ code }) => code === 'output-collision' || code === 'object-duplicate')
    .flatMap(({ location, related = [] }) => related.map((one) => one.location).concat(location ?? []))
    .map(({ file }) => file);
}

interface Written {
  readonly files: number;
  readonly effect: string | undefined;
}

/** Nothing about standard output: whoever builds to it sees what comes. */
function describeWritten({ path, target }: Destination, { files, effect }: Written): string {
  if (path === undefined) return '';
  if (target === 'file') return `wrote ${escapeControls(path)}\n`;
  const directory = `${escapeControls(path).replace(/\/+$/, '')}/`;
  return `wrote ${files === 1 ? '1 file' : `${files} files`} to ${directory} (${effect})\n`;
}

function countFindings(diagnostics: readonly Diagnostic[]): string {
  const found = summarise(diagnostics);
  return found.includes('error') ? found : ['0 errors', found].filter((words) => words !== '').join(', ');
}

function checkSchemaFlag(
  { schema, 'no-validate': isUnvalidated }: CommandCall<BuildFlags>['flags'],
  { hasParameterSchema }: Form,
): void {
  if (schema === undefined) return;
  if (hasParameterSchema !== true)
    throw new UsageError('--schema is for patch packages', 'PATH is none: it has no parameters.yaml');
  if (isUnvalidated) throw new UsageError('--schema and --no-validate cannot be combined', 'choose one of them');
}

/** What `--no-validate` asks for. Patches and properties still take types from the schemas. */
async function buildUnvalidated(given: RequestReading, call: ValidationCall): Promise<Omit<ValidatedBuild, 'report'>> {
  const schemas = await openSchemas(given.request, call);
  const isRead = given.ok && schemas.ok;
  const result = isRead
    ? await build({ ...withStore(given.request, schemas.store), trustedStore: schemas.trusted })
    : undefined;
  const diagnostics = [...given.diagnostics, ...schemas.diagnostics, ...(result?.diagnostics ?? [])];
  return {
    ...conclude(diagnostics),
    diagnostics: result?.ok === true ? [...diagnostics, cliProblems.create('output-not-validated', {})] : diagnostics,
    sources: [...given.sources, ...schemas.sources, ...(result?.sources ?? [])],
    accepted: result?.accepted,
    result,
    kubernetesVersion: schemas.store.kubernetesVersion,
  };
}
