import { escapeControls, summarise } from '../../diagnostics/index.ts';
import { build as buildInput } from '../../index.ts';
import type { Form } from '../../index.ts';
import type { Diagnostic } from '../../model/index.ts';
import { buildValidated, conclude, openSchemas, withStore } from '../build-validated.ts';
import type { ValidatedBuild, ValidationCall } from '../build-validated.ts';
import { chooseDestination } from '../choose-destination.ts';
import type { Destination } from '../choose-destination.ts';
import { defineCommand } from '../command.ts';
import type { CommandCall, ExitCode, FlagDefinitions } from '../command.ts';
import { hasFilters } from '../flags-to-pipeline.ts';
import { inputFlags, watchFlag } from '../input-flags.ts';
import { layoutFlags } from '../layout-flags.ts';
import { messageFormatFlag, printDiagnostics } from '../print-diagnostics.ts';
import { openInput } from '../open-input.ts';
import { openOutput } from '../open-output.ts';
import type { Findings } from '../print-diagnostics.ts';
import { cliProblems } from '../problems.ts';
import { readRequest } from '../read-request.ts';
import type { RequestReading } from '../read-request.ts';
import { runWatched } from '../run-watched.ts';
import { UsageError } from '../usage-error.ts';
import { validationFlags } from '../validation-flags.ts';

const flags = {
  ...inputFlags,
  order: {
    type: 'text',
    placeholder: 'ORDER',
    choices: ['source', 'apply'],
    section: 'output',
    summary:
      'Order of the objects: source or apply order. Defaults to apply for patch packages on stdout, otherwise source.',
  },
  output: {
    type: 'text',
    short: 'o',
    placeholder: 'FILE|DIR',
    completes: 'path',
    summary: 'Write to a file (.yaml, .yml, .json) or a directory; defaults to stdout.',
  },
  ...validationFlags,
  'no-validate': { type: 'switch', section: 'validation', summary: 'Write the manifests without validating them.' },
  ...layoutFlags,
  check: { type: 'switch', summary: 'Write nothing; fail with a diff if --output is not up to date.' },
  format: {
    type: 'text',
    placeholder: 'FORMAT',
    choices: ['yaml', 'json'],
    section: 'output',
    summary: 'Format of the manifests: yaml (the default) or json.',
  },
  ...watchFlag,
  ...messageFormatFlag,
} as const satisfies FlagDefinitions;

export type BuildFlags = typeof flags;

export const build = defineCommand({
  name: 'build',
  summary: 'Build manifests from a package, chart, kustomization or files.',
  description:
    'Validates the manifests as kurel validate does, and writes nothing if there is an error. Preserves comments, key order and ' +
    'quoting of manifests, except in fields that a patch or a flag changes. KURE_DEBUG=1 traces patches on stderr.',
  arguments: [
    {
      name: 'PATH',
      summary:
        'application package (directory with app.yaml), patch package (directory with parameters.yaml), manifests (file, directory ' +
        'or a pattern such as "deploy/**/*.yaml"), kustomization, Helm chart, or - for stdin',
      required: true,
      completes: 'path',
    },
  ],
  flags,
  examples: [
    {
      says: 'a patch package with production values, one directory per install phase',
      line: 'kurel build shop.kurel --values production.yaml -o manifests/',
    },
    { says: 'the same for Flux', line: 'kurel build shop.kurel -o fleet/shop/ --layout flux --flux-path fleet/shop' },
    {
      says: 'an application package for one cluster',
      line: 'kurel build shop --profile cluster.yaml --values production.yaml',
    },
    { says: 'all manifests in a directory, with a label on each', line: 'kurel build deploy/ --label team=shop' },
    {
      says: 'a Helm chart, one file per object; fail in CI if the output is stale',
      line: 'kurel build chart/ --values prod.yaml -o rendered/ --check',
    },
    { says: 'rebuild after every change', line: 'kurel build shop.kurel -o manifests/ --watch' },
    {
      says: 'only workloads with more than one replica',
      line: "kurel build deploy/ --jq-filter '(.spec.replicas // 1) > 1'",
    },
  ],
  async run(call) {
    if (!call.flags.watch) return runBuild(call);
    return runWatched(call, 'built', runBuild);
  },
});

async function runBuild({ positionals, flags, environment }: CommandCall<BuildFlags>): Promise<ExitCode> {
  if (flags.check && flags.output === undefined) {
    throw new UsageError('--check requires --output', 'add --output with the directory or file to compare');
  }
  const path = positionals[0]!;
  const input = await openInput(path, flags, environment);
  const { form } = input;
  checkSchemaFlag(flags, form);
  const ofNoFlux = { ...flags, 'flux-namespace': undefined };
  // Applications create Flux objects in every layout; other forms only in the layout flux.
  const isOfLayout = form.makesFluxObjects !== true || flags.layout === 'flux';
  const destination = chooseDestination(isOfLayout ? flags : ofNoFlux, environment, form.layout);
  const isPartial = hasFilters(flags);
  if (isPartial && flags.index) {
    throw new UsageError(
      '--index and filters are mutually exclusive',
      'remove --index: the numbers would depend on the filters',
    );
  }
  const output = await openOutput(destination, { inputs: [input], paths: [path], flags, isPartial }, environment);
  const given = await readRequest(input, form.makesFluxObjects === true ? flags : ofNoFlux, environment);
  const print = (findings: Findings): Promise<void> =>
    printDiagnostics(findings, { format: flags['message-format'], color: flags.color }, environment);
  const { watched, progress } = environment;
  if (output.misplaced.length > 0) {
    await print({ diagnostics: output.misplaced, sources: [] });
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
    await print({ diagnostics: own.length === 0 ? hintAtValues(diagnostics, path) : own, sources, accepted });
    watched?.conclude('failed', 'nothing written');
    return built.failure;
  }
  progress?.begin(() => `writing ${result.files.length.toLocaleString('en-US')} files`);
  const delivery = await output.deliver(result);
  const findings = [...diagnostics, ...delivery.diagnostics];
  await print({ diagnostics: findings, sources, accepted });
  const count = result.objects.length === 1 ? '1 object' : `${result.objects.length} objects`;
  watched?.conclude(`${count}, ${countFindings(findings)}`, delivery.effect ?? '');
  const isForPeople = environment.stderrIsTerminal && (flags['message-format'] ?? 'text') === 'text';
  if (watched === undefined && isForPeople && delivery.exitCode === 0 && !destination.check) {
    environment.writeStderr(describeWritten(destination, { files: result.files.length, effect: delivery.effect }));
  }
  return delivery.exitCode;
}

/** If the only file was skipped, it is probably a values file. */
function hintAtValues(diagnostics: readonly Diagnostic[], path: string): readonly Diagnostic[] {
  const isPassedOver = diagnostics.some(({ code, location }) => code === 'object-skipped' && location?.file === path);
  if (!isPassedOver) return diagnostics;
  const hint = `pass a values file with --values: kurel build PACKAGE --values ${path}`;
  return diagnostics.map((one) => (one.code === 'nothing-rendered' ? { ...one, hint } : one));
}

/** Output of an earlier build inside the input collides with its own source, and the collision does not show the cause. */
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

/** Nothing for stdout: the user sees the result. */
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
    throw new UsageError('--schema is only for patch packages', 'remove it, or build a directory with parameters.yaml');
  if (isUnvalidated) throw new UsageError('--schema and --no-validate are mutually exclusive', 'remove one of them');
}

/** For `--no-validate`. Patches and properties still need the schemas for their types. */
async function buildUnvalidated(given: RequestReading, call: ValidationCall): Promise<Omit<ValidatedBuild, 'report'>> {
  const schemas = await openSchemas(given.request, call);
  const isRead = given.ok && schemas.ok;
  const result = isRead
    ? await buildInput({ ...withStore(given.request, schemas.store), trustedStore: schemas.trusted })
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
