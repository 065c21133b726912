import type { FlagDefinitions } from './command.ts';

/** Of commands whose own output is something else than findings. */
export const messageFormatFlag = {
  'message-format': {
    type: 'text',
    placeholder: 'FORMAT',
    choices: ['text', 'json', 'sarif'],
    summary: 'How findings are written to standard error: text (the default), json or sarif.',
  },
} as const satisfies FlagDefinitions;
