import type { FlagDefinitions } from './command.ts';

/** Flags of every command that applies patches. */
export const patchFlags = {
  patch: {
    type: 'list',
    short: 'p',
    placeholder: 'FILE|DIR',
    completes: 'path',
    summary: 'Apply a patch (.kpatch or YAML), those in a directory, or the one on standard input (-).',
  },
  feature: {
    type: 'list',
    placeholder: 'NAME',
    summary: 'Switch features.NAME of patches on, or off with NAME=false.',
  },
} as const satisfies FlagDefinitions;
