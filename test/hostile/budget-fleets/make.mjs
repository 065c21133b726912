// The sizes at which each of these once took from twelve seconds to for ever.
import { join } from 'node:path';

import { platformShapes } from '../../../fuzz/slow/platform-shapes.mjs';
import { putFiles } from '../make-files.mjs';

const inputs = {
  groups: ['groups that extend groups', { groups: 36, width: 2, targets: 1 }],
  lists: ['lists of a fleet', { clusters: 100, items: 20_000, length: 3 }],
  exclusions: ['exclusions of a matrix', { clusters: 300, excluded: 16_000, stars: 3 }],
  placeholders: ['placeholders of a fleet', { clusters: 300, holes: 20_000, length: 1 }],
  parameters: ['misspelled references of parameters', { parameters: 16_000, length: 5 }],
};

/** Only what the command names. */
export function make(directory, words) {
  for (const [name, [shape, numbers]] of Object.entries(inputs)) {
    if (!words.some((word) => word.startsWith(`${name}/`))) continue;
    const [, files] = platformShapes.find((one) => one.name === shape).make(numbers);
    putFiles(join(directory, name), files);
  }
}
