import { defineCommand, listFlag, switchFlag } from '../command.ts';
import type { FlagDefinitions } from '../command.ts';
import { build } from './build.ts';
import { registryFlags } from '../registry-access.ts';

// What is built is pushed instead of written, and the annotations are those of the artifact.
const {
  annotation: _,
  output: __,
  check: ___,
  watch: ____,
  'allow-private': _____,
  'registry-config': ______,
  ...buildFlags
} = build.flags;

const flags = {
  tag: listFlag('TAG', 'Add this tag, too.'),
  annotation: listFlag(
    'KEY=VALUE',
    'Annotate the artifact, such as org.opencontainers.image.source=https://github.com/acme/shop.',
  ),
  force: switchFlag('Move tags that belong to other content.'),
  'dry-run': switchFlag('Push nothing; print what would be pushed.'),
  rendered: switchFlag('Build PATH, and push the files that kurel build -o DIR would write, for Flux and Argo CD.'),
  ...registryFlags,
  ...buildFlags,
} as const satisfies FlagDefinitions;

export type PushFlags = typeof flags;

export const push = defineCommand({
  name: 'push',
  description:
    'Pushes all files of a package except hidden ones, local extensions and output of kurel. Its documents are checked first. The same ' +
    'files have the same digest on every machine. Without a tag in REFERENCE, the tag is the version of the package. A tag that belongs ' +
    'to other content is not moved without --force. Prints the reference with the digest. The flags of kurel build are for --rendered.',
  arguments: [
    {
      name: 'PATH',
      summary: 'directory of a package; with --rendered, any input of kurel build',
      completes: 'path',
      inRegistry: 'content',
    },
    { name: 'REFERENCE', summary: 'where to push it: oci://HOST/REPOSITORY[:TAG]' },
  ],
  flags,
  examples: [
    {
      says: 'a package, with its version as the tag',
      line: 'kurel push shop oci://registry.example.com/packages/shop',
    },
    { says: 'what would be pushed', line: 'kurel push shop oci://registry.example.com/packages/shop --dry-run' },
    {
      says: 'the manifests of a build, for Flux or Argo CD',
      line: 'kurel push --rendered shop oci://registry.example.com/rendered/shop:production --profile cluster.yaml',
    },
  ],
  run: async (call) => (await import('../packages/run-push.ts')).runPush(call),
});
