import { defineCommand } from '../command.ts';
import type { FlagDefinitions } from '../command.ts';
import { inputFlags } from '../input-flags.ts';
import { messageFormatFlag } from '../message-format-flag.ts';

const flags = {
  ...inputFlags,
  format: {
    type: 'text',
    placeholder: 'FORMAT',
    choices: ['text', 'json', 'cyclonedx'],
    summary: 'text (the default), json, or cyclonedx: a bill of materials in CycloneDX 1.6.',
  },
  ...messageFormatFlag,
} as const satisfies FlagDefinitions;

export type ImagesFlags = typeof flags;

export const images = defineCommand({
  name: 'images',
  summary: 'List the container images of what is built, and what changes each of them.',
  description:
    'PATH is whatever kurel build can build, with the same flags. Below each image are the objects and fields that name it, and below ' +
    'those the parameters that they are made of or, where there are none, the file and line that a person would change. Images of charts and ' +
    'sources that only the cluster reads cannot be listed; a warning names what leads to them.',
  arguments: [{ name: 'PATH', summary: 'what to build', required: true, completes: 'path' }],
  flags,
  examples: [
    { says: 'the images of a package, as production has it', line: 'kurel images shop.kurel --values production.yaml' },
    { says: 'only their names', line: "kurel images deploy/ | grep -v '^ '" },
    { says: 'for a scanner', line: 'kurel images shop.kurel --format cyclonedx > images.cdx.json' },
  ],
  async run(call) {
    const { runImages } = await import('../run-images.ts');
    return runImages(call);
  },
});
