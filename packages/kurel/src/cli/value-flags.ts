import type { FlagDefinitions } from './command.ts';

/** Flags of the commands that are only about patch packages: the parameters that outrank those of the package. */
export const valueFlags = {
  values: {
    type: 'list',
    placeholder: 'FILE',
    completes: 'path',
    summary: 'Parameters that outrank those of the package and of its local extension; later files win.',
  },
  set: { type: 'list', placeholder: 'PATH=VALUE', summary: 'One parameter, as in image.tag=1.10; wins over --values.' },
  'set-string': {
    type: 'list',
    placeholder: 'PATH=TEXT',
    summary: 'One parameter that stays a text whatever it looks like.',
  },
} as const satisfies FlagDefinitions;
