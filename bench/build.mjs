import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

import { generateObjects } from './generate-objects.mjs';
import { measureInTurns } from './measure.mjs';

const filter = '.kind != "NetworkPolicy"';

/** One label transformer and one jq filter, beside kustomize with the same label on the same objects. */
export async function measureBuild({ root, out, kurel }) {
  const kustomize = findKustomize(root);
  const rows = [];
  const times = {};
  for (const [count, rounds] of [
    [1000, 7],
    [10_000, 3],
  ]) {
    const directory = join(out, `objects-${count}`);
    mkdirSync(directory, { recursive: true });
    const text = generateObjects(count);
    writeFileSync(join(directory, 'objects.yaml'), text);
    writeFileSync(
      join(directory, 'kustomization.yaml'),
      'resources: [objects.yaml]\nlabels:\n  - pairs: { bench: "1" }\n    includeSelectors: false\n',
    );
    const file = join(directory, 'objects.yaml');
    const node = process.execPath;
    const commands = [
      [node, [kurel, 'build', file]],
      [node, [kurel, 'build', file, '--label', 'bench=1']],
      [node, [kurel, 'build', file, '--label', 'bench=1', '--jq-filter', filter]],
    ];
    const peerRun = kustomize === undefined ? [] : [[kustomize, ['build', directory]]];
    // Kustomize takes minutes for 10,000 objects, so there it runs once.
    const [plain, label, both, turned] = await measureInTurns(
      count > 1000 ? commands : [...commands, ...peerRun],
      rounds,
    );
    const [peer] = count > 1000 ? await measureInTurns(peerRun, 1) : [turned];
    const what = `build, ${count.toLocaleString('en')} objects, ${(text.length / 1e6).toFixed(1)} MB`;
    const against = (result) =>
      peer === undefined ? undefined : `${(peer.seconds / result.seconds).toFixed(1)} × faster than kustomize`;
    times[count] = both.seconds;
    rows.push(
      ...(peer === undefined ? [] : [{ what, subject: 'kustomize, one label', ...peer }]),
      { what, subject: 'kurel, no change', ...plain, ratio: against(plain) },
      { what, subject: 'kurel, one label', ...label, ratio: against(label) },
      { what, subject: 'kurel, one label, one jq filter', ...both, ratio: against(both) },
    );
  }
  if (kustomize === undefined) console.error('kustomize is not there to compare with: npm run tools');
  rows.push({
    what: 'build, growth',
    subject: 'kurel, 10 × the objects',
    seconds: times[10_000],
    ratio: `${(times[10_000] / times[1000]).toFixed(1)} × the time`,
  });
  return rows;
}

function findKustomize(root) {
  const directories = [join(root, '.tools', 'bin'), ...(process.env['PATH'] ?? '').split(delimiter)];
  return directories.map((directory) => join(directory, 'kustomize')).find(existsSync);
}
