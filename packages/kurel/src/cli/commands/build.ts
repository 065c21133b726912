import { escapeControls, summarise } from '../../diagnostics/index.ts';
import type { Diagnostic } from '../../model/index.ts';
import { buildToOutput } from '../build-to-output.ts';
import type { Destination } from '../choose-destination.ts';
import { defineCommand } from '../command.ts';
import type { CommandCall, ExitCode, FlagDefinitions } from '../command.ts';
import { inputFlags, watchFlag } from '../input-flags.ts';
import { layoutFlags } from '../layout-flags.ts';
import { messageFormatFlag, printDiagnostics } from '../print-diagnostics.ts';
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
  const built = await buildToOutput({ path: positionals[0]!, flags, environment });
  const { destination, result, effect, exitCode, diagnostics } = built;
  await printDiagnostics(built, { format: flags['message-format'], color: flags.color }, environment);
  const { watched } = environment;
  if (result === undefined) {
    watched?.conclude('failed', 'nothing written');
    return exitCode;
  }
  const count = result.objects.length === 1 ? '1 object' : `${result.objects.length} objects`;
  watched?.conclude(`${count}, ${countFindings(diagnostics)}`, effect ?? '');
  const isForPeople = environment.stderrIsTerminal && (flags['message-format'] ?? 'text') === 'text';
  if (watched === undefined && isForPeople && exitCode === 0 && !destination.check) {
    environment.writeStderr(describeWritten(destination, { files: result.files.length, effect }));
  }
  return exitCode;
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
