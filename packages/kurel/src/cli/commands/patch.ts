import { defineCommand } from '../command.ts';
import type { FlagDefinitions } from '../command.ts';
import { instanceFlag } from '../layout-flags.ts';
import { budgetFlags, fileLimitFlags } from '../limit-flags.ts';
import { patchFlags } from '../patch-flags.ts';
import { messageFormatFlag } from '../message-format-flag.ts';

// Nothing is checked against patterns and rules here.
const { 'max-pattern-steps': _, 'max-rule-steps': __, ...patchLimits } = budgetFlags;

const flags = {
  ...patchFlags,
  values: {
    type: 'list',
    placeholder: 'FILE',
    completes: 'path',
    summary: 'Values for values.* in patches; later files win.',
  },
  set: { type: 'list', placeholder: 'PATH=VALUE', summary: 'One value, as in image.tag=1.10; wins over --values.' },
  'set-string': {
    type: 'list',
    placeholder: 'PATH=TEXT',
    summary: 'One value that stays a text whatever it looks like.',
  },
  diff: { type: 'switch', summary: 'Print what the patches change as a diff instead of the manifests.' },
  'in-place': { type: 'switch', short: 'i', summary: 'Write the files back, all of them or none; prints their names.' },
  output: {
    type: 'text',
    short: 'o',
    placeholder: 'FILE|DIR',
    completes: 'path',
    summary: 'Write one file (.yaml, .yml, .json), or a directory with one object a file.',
  },
  ...instanceFlag,
  check: {
    type: 'switch',
    summary: 'Write nothing; fail with a diff when --in-place or --output would write something new.',
  },
  strict: { type: 'switch', summary: 'Treat warnings as errors, such as a target that is not there.' },
  conflicts: { type: 'switch', summary: 'Say where patches disagree; the last one wins all the same.' },
  'kubernetes-version': {
    type: 'text',
    placeholder: 'VERSION',
    summary: 'Take types and merge keys of this version, such as 1.34; the newest that kurel knows unless given.',
  },
  crds: {
    type: 'list',
    placeholder: 'PATH',
    completes: 'path',
    summary: 'CustomResourceDefinitions to take types and merge keys from: a file, a directory or a pattern.',
  },
  ...patchLimits,
  ...fileLimitFlags,
  ...messageFormatFlag,
} as const satisfies FlagDefinitions;

export type PatchFlags = typeof flags;

export const patch = defineCommand({
  name: 'patch',
  summary: 'Patch manifests and keep their comments and formatting.',
  description:
    'BASE is a file or directory of manifests, a pattern such as "deploy/**/*.yaml", or - for standard input. Patches are applied ' +
    'in the order given; a directory gives its *.kpatch, *.yaml and *.yml by name. Without --in-place, --output or --diff the ' +
    'patched manifests go to standard output; what no patch touches is printed as it was, byte for byte. When anything is wrong, ' +
    'nothing is written at all. KURE_DEBUG=1 traces on standard error how patches are read and applied.',
  arguments: [{ name: 'BASE', summary: 'manifests to patch', required: true, completes: 'path', repeats: true }],
  flags,
  examples: [
    { says: 'what would change', line: 'kurel patch deploy/ -p prod.kpatch --diff' },
    {
      says: 'a new version everywhere, written back',
      line: 'kurel patch deploy/ -p image.kpatch --set version=1.10 --in-place',
    },
    { says: 'what another program prints', line: 'kustomize build app/ | kurel patch - -p patches/' },
  ],
  async run(call) {
    const { runPatch } = await import('../run-patch.ts');
    return runPatch(call);
  },
});
