import type { FlagDefinitions } from './command.ts';

export const watchFlag = {
  watch: {
    type: 'switch',
    short: 'w',
    summary: 'Run again whenever something changes that was read, until Ctrl-C.',
  },
} as const satisfies FlagDefinitions;
