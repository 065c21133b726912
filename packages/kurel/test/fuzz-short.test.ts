import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { mutate } from '../../../fuzz/mutate.ts';
import { createRandom } from '../../../fuzz/random.ts';
import { readCorpus } from '../../../fuzz/read-repository.ts';
import { targets } from '../../../fuzz/targets/index.ts';
import { repository } from './source-tree.ts';

// A short run of `npm run fuzz`: the inputs that earlier runs kept, and mutations of them that are the same in every run.
describe.each(targets)('$name', ({ name, promise, short, run, seeds, tokens, isData, maxLength = 4096 }) => {
  it(promise, async () => {
    const random = createRandom(1);
    const kept = readCorpus(name);
    const texts = kept.length > 0 ? kept : seeds();
    const attempt = async (text: string): Promise<void> => {
      try {
        await run(text);
      } catch (error) {
        throw new Error(`broken by ${JSON.stringify(text)}`, { cause: error });
      }
    };
    for (const text of texts) await attempt(text);
    // `npm run fuzz` is for more.
    for (let count = 0; count < short / 2; count++) {
      await attempt(mutate(random.pick(texts), random, { tokens, others: texts, maxLength, isData }));
    }
  });
});

it('is described in docs/fuzzing.md, target by target', () => {
  const page = readFileSync(join(repository, 'docs', 'fuzzing.md'), 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('| `') && !/\d/.test(line));
  expect(rows).toEqual(targets.map(({ name, promise }) => `| \`${name}\` | ${promise} |`));
});
