// npm run release:notes -- TAG: prints the section of the changelog for a release.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { importSource } from '../import-source.mjs';

const root = join(import.meta.dirname, '..', '..');
const { findNotes } = await importSource(join(root, 'scripts', 'release', 'release-notes.ts'));
const [, , tag = ''] = process.argv;
const version = tag.replace(/^v/, '');
const repository = process.env.GITHUB_REPOSITORY;
const files = repository === undefined ? '' : `https://github.com/${repository}/blob/${tag}/`;
const notes = findNotes(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version, files);
if (notes === undefined || notes === '') {
  console.error(`CHANGELOG.md has no section for "${version}"`);
  process.exit(1);
}
process.stdout.write(`${notes}\n`);
