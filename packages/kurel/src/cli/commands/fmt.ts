import { defineCommand } from '../command.ts';
import type { FlagDefinitions } from '../command.ts';
import { fileLimitFlags } from '../limit-flags.ts';

const flags = {
  check: { type: 'switch', summary: 'Write nothing; fail when a file is not formatted.' },
  diff: { type: 'switch', summary: 'Write nothing; print what would change as a diff.' },
  ...fileLimitFlags,
} as const satisfies FlagDefinitions;

export type FmtFlags = typeof flags;

export const fmt = defineCommand({
  name: 'fmt',
  summary: 'Format .kpatch files.',
  description:
    'Files are written back, and the names of those that changed are printed. Comments stay, and so does what a file means. When ' +
    'one of the files cannot be read, none is written. With - the patch on standard input goes to standard output.',
  arguments: [
    {
      name: 'PATH',
      summary: 'a .kpatch file, a directory with such files in it or below, or -',
      required: true,
      completes: 'path',
      repeats: true,
    },
  ],
  flags,
  examples: [
    { says: 'all patches of a repository', line: 'kurel fmt .' },
    { says: 'fail in continuous integration when one is not formatted', line: 'kurel fmt --check .' },
  ],
  async run(call) {
    const { runFmt } = await import('../run-fmt.ts');
    return runFmt(call);
  },
});
