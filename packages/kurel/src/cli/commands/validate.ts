import { runValidate } from '../run-validate.ts';
import { runWatched } from '../run-watched.ts';
import { defineCommand } from '../command.ts';
import type { FlagDefinitions } from '../command.ts';
import { inputFlags } from '../input-flags.ts';
import { validationFlags } from '../validation-flags.ts';
import { watchFlag } from '../watch-flag.ts';

const flags = {
  ...inputFlags,
  ...validationFlags,
  ...watchFlag,
  verbose: { type: 'switch', short: 'v', summary: 'Patch package: name all checks that passed, and show notes.' },
  format: {
    type: 'text',
    placeholder: 'FORMAT',
    choices: ['text', 'json', 'sarif', 'junit'],
    summary: 'How the findings are printed: text (the default), json, sarif or junit.',
  },
} as const satisfies FlagDefinitions;

export type ValidateFlags = typeof flags;

export const validate = defineCommand({
  name: 'validate',
  summary:
    'Check what a build gives against the schemas of Kubernetes and of CRDs, or a profile or a policy by itself.',
  description:
    'PATH is whatever kurel build can build, an application package for a platform with --profile and --policy; or a file with a ' +
    'ClusterProfile, a Policy, a CapabilityDefinition or a Package, which is then checked by itself. Fields, types, names and references are checked, as kurel build does, ' +
    'and nothing is written. CustomResourceDefinitions are taken from what is built, from schemas/crds in PATH, from --crds, and from those that ' +
    'kurel ships. Of a patch package, parameters, references, patches and their dependencies are checked as well, and the report says which ' +
    'patches are enabled and what they give; findings with their excerpts go to standard error then. Exit code 1 means that there are errors; with --strict warnings are errors. Notes never are.',
  arguments: [{ name: 'PATH', summary: 'what to check', required: true, completes: 'path' }],
  flags,
  examples: [
    { says: 'a directory of manifests', line: 'kurel validate deploy/' },
    { says: 'for the cluster that is still on 1.33', line: 'kurel validate deploy/ --kubernetes-version 1.33' },
    { says: 'a patch package as production has it', line: 'kurel validate shop.kurel --values production.yaml' },
    { says: 'an application package on a platform', line: 'kurel validate shop --profile cluster.yaml' },
    { says: 'the profile of the platform by itself', line: 'kurel validate cluster.yaml' },
    { says: 'a report for continuous integration', line: 'kurel validate deploy/ --format junit > report.xml' },
  ],
  async run(call) {
    if (!call.flags.watch) return runValidate(call);
    return runWatched(call, 'checked', runValidate);
  },
});
