import { expect, it } from 'vitest';

import { createRandom } from '../../../fuzz/random.ts';
import { askReaders } from '../../../test/oracles/yaml-live/ask-readers.ts';
import {
  compareReadings,
  readByCluster,
  readOwn,
  says,
  type Outcome,
} from '../../../test/oracles/yaml-live/compare-readings.ts';
import { makeEdit, type Written } from '../../../test/oracles/yaml-live/make-edits.ts';
import { makeText } from '../../../test/oracles/yaml-live/make-text.ts';
import { mutateText } from '../../../test/oracles/yaml-live/mutate-text.ts';
import { listOddTexts } from '../../../test/oracles/yaml-live/odd-texts.ts';
import { findDivergences } from '../../../test/oracles/yaml-live/read-answer.ts';
import type { Sources } from '../../../test/oracles/yaml-live/read-sources.ts';
import { isDivergent } from '../src/yaml/resolve-plain-scalar.ts';
import { describeWithProgram } from './render-case.ts';

interface Amounts {
  readonly readings: number;
  readonly writings: number;
  readonly seed: number;
}

/** Compares our reader and writers with the YAML readers of the cluster, on real documents and on changed ones. */
export function describeYamlReaders(sources: Sources, { readings, writings, seed }: Amounts): void {
  describeWithProgram('yaml-live', 'what the cluster reads', (program) => {
    const pick = (random: ReturnType<typeof createRandom>) =>
      random.pick(random.below(3) === 0 ? sources.peculiar : sources.documents);

    it('is what we read in every real manifest; we refuse none that it reads', () => {
      const counts = countReadings(program, sources.files);
      expect(counts).toMatchObject({ different: 0, 'refused by us': 0 });
      expect(counts.equal).toBeGreaterThan(sources.files.length * 0.98);
    });

    it('is what we read, or we refuse it, in all odd texts', () => {
      const counts = countReadings(program, listOddTexts());
      expect(counts).toMatchObject({ different: 0 });
      expect(counts.equal).toBeGreaterThan(1400);
    });

    it(`is what we read, or we refuse it: ${readings} made-up texts`, () => {
      const random = createRandom(seed + 2);
      const counts = countReadings(
        program,
        Array.from({ length: readings }, () => makeText(random)),
      );
      expect(counts).toMatchObject({ different: 0 });
      expect(counts.equal).toBeGreaterThan(readings / 10);
    });

    it(`is what we read, or we refuse it: ${readings} changed documents`, () => {
      const random = createRandom(seed);
      const texts = Array.from({ length: readings }, () => mutateText(pick(random), random));
      const counts = countReadings(program, [...sources.documents, ...sources.peculiar, ...texts]);
      console.log(`read: ${JSON.stringify(counts)}`);
      expect(counts.different).toBe(0);
      // Most changes break a text; what is left must be enough to say something.
      expect(counts.equal).toBeGreaterThan(readings / 5);
    });

    it(`is what we write: ${writings} changed documents`, () => {
      const random = createRandom(seed + 1);
      const written: Written[] = [];
      while (written.length < writings) {
        const edit = makeEdit(pick(random), random);
        if (edit !== undefined) written.push(edit);
      }
      const asked = askReaders(
        program,
        written.map(({ text }) => text),
      );
      let index = 0;
      for (const { text, answer } of asked) {
        const { documents, how } = written[index++]!;
        const readBack = [...readByCluster(text, answer), readOwn(text)];
        if (!readBack.every((one) => says(one, documents)))
          expect({ how, text, readBack }).toEqual({ how, text, readBack: documents });
      }
      expect(index).toBe(writings);
    });
  });
}

/** How often each outcome came about. Fails with the first texts that are read differently, or not noted as they should be. */
function countReadings(program: string, texts: readonly string[]): Readonly<Record<Outcome, number>> {
  const counts = { equal: 0, json: 0, 'refused by all': 0, 'refused by us': 0, different: 0 };
  const wrong: unknown[] = [];
  for (const { text, answer } of askReaders(program, texts)) {
    const own = readOwn(text);
    const outcome = compareReadings(text, own, answer);
    counts[outcome]++;
    if (outcome === 'different') wrong.push({ text, own, answer });
    for (const { scalar, differs } of findDivergences(answer)) {
      if (isDivergent(scalar) !== differs) wrong.push({ text, scalar, isNoted: !differs });
    }
  }
  expect(wrong.slice(0, mostShown)).toEqual([]);
  return counts;
}

const mostShown = 5;
