import { defineCommand, switchFlag } from '../command.ts';
import type { FlagDefinitions } from '../command.ts';
import { inputFlags, layoutFlags, messageFormatFlag, validationFlags, watchFlag } from '../input-flags.ts';
import { settingFlags } from '../setting-flags.ts';

const flags = {
  ...inputFlags,
  ...settingFlags('order', 'output'),
  ...validationFlags,
  ...settingFlags('noValidate'),
  ...layoutFlags,
  check: switchFlag('Write nothing; fail with a diff if --output is not up to date.'),
  ...settingFlags('format'),
  ...watchFlag,
  ...messageFormatFlag,
} as const satisfies FlagDefinitions;

export type BuildFlags = typeof flags;

export const build = defineCommand({
  name: 'build',
  description:
    'Validates the manifests as kurel validate does, and writes nothing if there is an error. Preserves comments, key order and ' +
    'quoting of manifests, except in fields that a patch or a flag changes. KURE_DEBUG=1 traces patches on stderr.',
  arguments: [
    {
      name: 'PATH',
      summary:
        'application package (directory with app.yaml), patch package (directory with parameters.yaml), manifests (file, directory ' +
        'or a pattern such as "deploy/**/*.yaml"), kustomization, Helm chart, a package in a registry (oci://HOST/REPOSITORY:TAG), or - ' +
        'for stdin',
      completes: 'path',
      inRegistry: 'content',
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
  // Help shows the flags without the code of a build, which is most of the program.
  run: async (call) => (await import('../build-to-output.ts')).runBuild(call),
});
