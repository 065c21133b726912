import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

import { generateObjects } from './generate-objects.mjs';
import { measureInTurns, withoutCode } from './measure.mjs';

/**
 * One label transformer and one jq filter, beside kustomize with the same label on the same objects. Where `npm run tools --
 * --node-lts` has been called, also on that Node: newer ones warm up faster, which is most of the time at 1,000 objects.
 */
export async function measureBuild({ root, out, kurel }) {
  const nodes = [process.execPath, ...findLts(root)];
  const kustomize = findKustomize(root);
  if (kustomize === undefined) console.error('kustomize is not there to compare with: npm run tools');
  const rows = [];
  const times = {};
  for (const [count, rounds] of [
    [1000, 7],
    [10_000, 3],
  ]) {
    const { directory, file, megabytes } = writeInput(out, count);
    const commands = nodes.flatMap((node) =>
      variants.map(({ flags, variables }) => [node, [kurel, 'build', file, ...flags], variables]),
    );
    const peerRun = kustomize === undefined ? [] : [[kustomize, ['build', directory]]];
    // Kustomize takes minutes for 10,000 objects, so there it runs once.
    const results = await measureInTurns(count > 1000 ? commands : [...commands, ...peerRun], rounds);
    const [peer] = count > 1000 ? await measureInTurns(peerRun, 1) : results.splice(commands.length);
    const what = `build, ${count.toLocaleString('en')} objects, ${megabytes} MB`;
    if (peer !== undefined) rows.push({ what, subject: 'kustomize, one label', ...peer });
    for (const [index, result] of results.entries()) {
      const { name } = variants[index % variants.length];
      const subject = index < variants.length ? `kurel, ${name}` : `kurel on the LTS, ${name}`;
      const ratio = peer && `${(peer.seconds / result.seconds).toFixed(1)} × faster than kustomize`;
      rows.push({ what, subject, ...result, ratio });
    }
    times[count] = results[variants.length - 1].seconds;
  }
  rows.push({
    what: 'build, growth',
    subject: 'kurel, 10 × the objects',
    seconds: times[10_000],
    ratio: `${(times[10_000] / times[1000]).toFixed(1)} × the time`,
  });
  return rows;
}

const variants = [
  { name: 'no change', flags: [] },
  { name: 'one label', flags: ['--label', 'bench=1'] },
  { name: 'one label, no compiled code', flags: ['--label', 'bench=1'], variables: withoutCode },
  { name: 'one label, one jq filter', flags: ['--label', 'bench=1', '--jq-filter', '.kind != "NetworkPolicy"'] },
];

function writeInput(out, count) {
  const directory = join(out, `objects-${count}`);
  mkdirSync(directory, { recursive: true });
  const text = generateObjects(count);
  const file = join(directory, 'objects.yaml');
  writeFileSync(file, text);
  writeFileSync(
    join(directory, 'kustomization.yaml'),
    'resources: [objects.yaml]\nlabels:\n  - pairs: { bench: "1" }\n    includeSelectors: false\n',
  );
  return { directory, file, megabytes: (text.length / 1e6).toFixed(1) };
}

export function findKustomize(root) {
  const directories = [join(root, '.tools', 'bin'), ...(process.env['PATH'] ?? '').split(delimiter)];
  return directories.map((directory) => join(directory, 'kustomize')).find(existsSync);
}

function findLts(root) {
  const name = `node-${process.platform}-${process.arch}`;
  const file = join(root, '.tools', 'node-lts', 'node_modules', name, 'bin', 'node');
  return existsSync(file) ? [file] : [];
}
