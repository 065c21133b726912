import type { FlagDefinitions } from './command.ts';
import { fileLimitFlags, packageLimitFlags } from './limit-flags.ts';

/** Flags of every command that reads patch packages. */
export const packageFlags = {
  local: {
    type: 'text',
    placeholder: 'DIR',
    completes: 'path',
    section: 'package',
    summary: 'Patch package: its local extension; defaults to NAME.local.kurel beside NAME.kurel.',
  },
  'no-local': { type: 'switch', section: 'package', summary: 'Patch package: leave its local extension out.' },
  enable: {
    type: 'list',
    placeholder: 'ID',
    section: 'package',
    summary:
      'Patch package: enable one of its patches, as in features/10-tracing, whatever its condition says. (--patch is for files that are not part of the package.)',
  },
  'max-depth': {
    type: 'text',
    placeholder: 'N',
    section: 'limit',
    summary: 'Patch package: how many parameters a reference may lead through; defaults to 10.',
  },
  ...packageLimitFlags,
  ...fileLimitFlags,
} as const satisfies FlagDefinitions;
