import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';

// The files that take longest, longest first: what begins last must not keep everybody waiting.
const slow = [
  'hostile-2',
  'hostile-1',
  'agreement-1',
  'agreement-2',
  'documentation',
  'fuzz-short',
  'program-cases',
  'fleet-cache',
  'kill',
  'fleet-agreement',
  'explain-application',
  'explain-replay',
  'package',
  'application-cases',
  'package-determinism',
  'fleet-recipes',
  'output-owners',
  'crash-table',
  'policy-attacks',
  'read-kpatch.property',
  'fleet-equality',
  'strict-builds',
  'yaml-readers',
];

/** Starts the slowest test files first, whether or not earlier runs have left their times. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification): number => {
      const index = slow.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      return index === -1 ? slow.length : index;
    };
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}
