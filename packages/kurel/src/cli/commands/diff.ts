import { runDiff } from '../run-diff.ts';
import { runWatched } from '../run-watched.ts';
import { defineCommand } from '../command.ts';
import type { FlagDefinitions } from '../command.ts';
import { sideFlags } from '../diff/side-flags.ts';
import { inputFlags } from '../input-flags.ts';
import { messageFormatFlag } from '../message-format-flag.ts';
import { watchFlag } from '../watch-flag.ts';

const flags = {
  ...inputFlags,
  ...sideFlags,
  format: {
    type: 'text',
    placeholder: 'FORMAT',
    choices: ['text', 'markdown', 'json'],
    summary: 'text (the default), markdown for a comment on a pull request, or json for other programs.',
  },
  ...watchFlag,
  ...messageFormatFlag,
} as const satisfies FlagDefinitions;

export type DiffFlags = typeof flags;

export const diff = defineCommand({
  name: 'diff',
  summary: 'Compare what is built of two packages, values, profiles or revisions, object by object and field by field.',
  description:
    'A and B are whatever kurel build can build, an output directory among it, or REVISION:PATH as git has it: main:packages/shop ' +
    'counts from the top of the repository, HEAD~1:./shop from here. A path that exists by that name is that path. Without B, A is compared ' +
    'with itself, as the flags for one side make it. Objects are the same by group, kind, namespace and name; items of lists by the keys ' +
    'that Kubernetes merges them by. Of Secrets only the keys are shown. The exit code is 0 when both are the same and 1 when they differ; ' +
    'after errors it is 1 as well, with nothing on standard output.',
  arguments: [
    { name: 'A', summary: 'what was', required: true, completes: 'path' },
    { name: 'B', summary: 'what is; A unless given', required: false, completes: 'path' },
  ],
  flags,
  examples: [
    { says: 'what a branch changes', line: 'kurel diff main:shop.kurel shop.kurel --values production.yaml' },
    {
      says: 'how production is other than staging',
      line: 'kurel diff shop.kurel --values-a staging.yaml --values-b production.yaml',
    },
    {
      says: 'what a new profile does to an application',
      line: 'kurel diff shop --profile-a main:cluster.yaml --profile-b cluster.yaml',
    },
    { says: 'a comment on a pull request', line: 'kurel diff main:rendered rendered --format markdown > comment.md' },
  ],
  async run(call) {
    if (!call.flags.watch) return runDiff(call);
    return runWatched(call, 'compared', runDiff);
  },
});
