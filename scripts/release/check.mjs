// npm run release:check -- TAG: whether this commit can be released as TAG: versions, tag and changelog agree, and everything is committed.
import { join, resolve } from 'node:path';

import { importSource } from '../import-source.mjs';
import { readReleaseState } from './release-state.mjs';

const root = resolve(import.meta.dirname, '..', '..');
const { findReleaseProblems } = await importSource(join(root, 'scripts', 'release', 'find-release-problems.ts'));
const [, , tag] = process.argv;
if (tag === undefined) {
  console.error('usage: npm run release:check -- TAG');
  process.exit(2);
}
const problems = findReleaseProblems({ ...readReleaseState(root), tag });
for (const problem of problems) console.error(`not released: ${problem}`);
process.exit(problems.length === 0 ? 0 : 1);
