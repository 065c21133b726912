import { defineCommand } from '../command.ts';
import type { FlagDefinitions } from '../command.ts';
import { inputFlags } from '../input-flags.ts';

const flags = {
  ...inputFlags,
  order: {
    type: 'text',
    placeholder: 'ORDER',
    choices: ['source', 'apply'],
    summary: 'Order of the objects: as in the source (the default), or as they should be applied.',
  },
  output: {
    type: 'text',
    short: 'o',
    placeholder: 'FILE|DIR',
    completes: 'path',
    summary: 'Write one file (.yaml, .yml, .json), or a directory with one object a file.',
  },
  check: { type: 'switch', summary: 'Write nothing; fail with a diff when --output is not up to date.' },
  format: {
    type: 'text',
    placeholder: 'FORMAT',
    choices: ['yaml', 'json'],
    summary: 'Format of the manifests: yaml (the default) or json.',
  },
  'message-format': {
    type: 'text',
    placeholder: 'FORMAT',
    choices: ['text', 'json', 'sarif'],
    summary: 'How findings are written to standard error: text (the default), json or sarif.',
  },
} as const satisfies FlagDefinitions;

export type BuildFlags = typeof flags;

export const build = defineCommand({
  name: 'build',
  summary: 'Build manifests from a package, a chart, a kustomization or plain files.',
  description:
    'PATH is a directory or file of manifests, a pattern such as "deploy/**/*.yaml", a directory with a kustomization file, a ' +
    'Helm chart, or - for standard input. Without --output the manifests go to standard output. Comments, key order and quoting ' +
    'of the input survive; only what a flag changes is changed.',
  arguments: [{ name: 'PATH', summary: 'what to build', required: true, completes: 'path' }],
  flags,
  examples: [
    { says: 'manifests of a directory, with a label on each', line: 'kurel build deploy/ --label team=shop' },
    {
      says: 'a chart, one file an object, checked in a pull request',
      line: 'kurel build chart/ --values prod.yaml -o rendered/ --check',
    },
    {
      says: 'only the workloads that run more than one pod',
      line: "kurel build deploy/ --jq-filter '(.spec.replicas // 1) > 1'",
    },
  ],
  async run(call) {
    const { runBuild } = await import('../run-build.ts');
    return runBuild(call);
  },
});
