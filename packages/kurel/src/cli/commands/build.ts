import { runBuild } from '../run-build.ts';
import { runWatched } from '../run-watched.ts';
import { defineCommand } from '../command.ts';
import type { FlagDefinitions } from '../command.ts';
import { inputFlags } from '../input-flags.ts';
import { layoutFlags } from '../layout-flags.ts';
import { messageFormatFlag } from '../message-format-flag.ts';
import { validationFlags } from '../validation-flags.ts';
import { watchFlag } from '../watch-flag.ts';

const flags = {
  ...inputFlags,
  order: {
    type: 'text',
    placeholder: 'ORDER',
    choices: ['source', 'apply'],
    summary:
      'Order of the objects: as in the source (the default; of a patch package phase by phase), or as they should be applied.',
  },
  output: {
    type: 'text',
    short: 'o',
    placeholder: 'FILE|DIR',
    completes: 'path',
    summary: 'Write one file (.yaml, .yml, .json), or a directory with the files that --layout says.',
  },
  ...validationFlags,
  'no-validate': { type: 'switch', summary: 'Write the manifests without validating them.' },
  ...layoutFlags,
  check: { type: 'switch', summary: 'Write nothing; fail with a diff when --output is not up to date.' },
  format: {
    type: 'text',
    placeholder: 'FORMAT',
    choices: ['yaml', 'json'],
    summary: 'Format of the manifests: yaml (the default) or json.',
  },
  ...watchFlag,
  ...messageFormatFlag,
} as const satisfies FlagDefinitions;

export type BuildFlags = typeof flags;

export const build = defineCommand({
  name: 'build',
  summary: 'Build manifests from a package, a chart, a kustomization or plain files.',
  description:
    'PATH is an application package (a directory with app.yaml, and kurel.yaml if it has parameters), a patch package (a directory ' +
    'with parameters.yaml), a directory or file of manifests, a pattern such as "deploy/**/*.yaml", a directory with a kustomization ' +
    'file, a Helm chart, or - for standard input. An application package needs the profile of a platform, or --no-profile. Without ' +
    '--output the manifests go to standard output. Comments, key order and quoting of manifests survive; only what a patch or a flag ' +
    'changes is changed. The result is validated as kurel validate does: errors fail the build and nothing is written. KURE_DEBUG=1 traces on standard error how patches are read and applied.',
  arguments: [{ name: 'PATH', summary: 'what to build', required: true, completes: 'path' }],
  flags,
  examples: [
    {
      says: 'a package as production has it, a directory for each install phase',
      line: 'kurel build shop.kurel --values production.yaml -o manifests/',
    },
    { says: 'the same for Flux', line: 'kurel build shop.kurel -o fleet/shop/ --layout flux --flux-path fleet/shop' },
    {
      says: 'an application package for the platform that a profile describes',
      line: 'kurel build shop --profile cluster.yaml --values production.yaml',
    },
    { says: 'manifests of a directory, with a label on each', line: 'kurel build deploy/ --label team=shop' },
    {
      says: 'a chart, one file an object, checked in a pull request',
      line: 'kurel build chart/ --values prod.yaml -o rendered/ --check',
    },
    { says: 'again after every change', line: 'kurel build shop.kurel -o manifests/ --watch' },
    {
      says: 'only the workloads that run more than one pod',
      line: "kurel build deploy/ --jq-filter '(.spec.replicas // 1) > 1'",
    },
  ],
  async run(call) {
    if (!call.flags.watch) return runBuild(call);
    return runWatched(call, 'built', runBuild);
  },
});
