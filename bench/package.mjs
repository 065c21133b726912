import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { generateObjects } from './generate-objects.mjs';
import { measureInTurns } from './measure.mjs';

const patchFiles = 50;

/** Patch packages: a small one, cold; 1,000 and 10,000 resources with 50 patches, the first of which touches all of them. */
export async function measurePackage({ root, out, kurel }) {
  const node = process.execPath;
  const small = join(root, 'examples', 'packages', 'hello.kurel');
  const [floor, cold] = await measureInTurns(
    [
      [node, ['-e', '0']],
      [node, [kurel, 'build', small]],
    ],
    25,
  );
  const rows = [
    { what: 'package, small, cold', subject: 'node -e 0', ...floor },
    {
      what: 'package, small, cold',
      subject: 'kurel build',
      ...cold,
      ratio: `${(cold.seconds / floor.seconds).toFixed(2)} × node -e 0`,
    },
  ];
  const results = {};
  for (const [count, rounds] of [
    [1000, 7],
    [10_000, 3],
  ]) {
    const directory = writePackage(out, count);
    const [result] = await measureInTurns([[node, [kurel, 'build', directory]]], rounds);
    const what = `package, ${count.toLocaleString('en')} resources × ${patchFiles} patches`;
    rows.push({ what, subject: 'kurel build', ...result });
    results[count] = result;
  }
  const [few, many] = [results[1000], results[10_000]];
  rows.push({
    what: 'package, growth',
    subject: 'kurel, 10 × the resources',
    ...many,
    ratio: `${(many.seconds / few.seconds).toFixed(1)} × the time, ${(many.megabytes / few.megabytes).toFixed(1)} × the memory`,
  });
  return rows;
}

function writePackage(out, count) {
  const directory = join(out, `package-${count}.kurel`);
  rmSync(directory, { recursive: true, force: true });
  for (const one of ['resources', 'patches']) mkdirSync(join(directory, one), { recursive: true });
  writeFileSync(
    join(directory, 'parameters.yaml'),
    'kurel: {name: bench, version: 1.0.0, appVersion: "1.0"}\nglobal:\n  labels: {bench: "${kurel.name}"}\nreplicas: 7\n',
  );
  const byKind = new Map();
  const objects = [];
  for (const text of generateObjects(count).split(/^---\n/m)) {
    const kind = /^kind: (\w+)$/m.exec(text)[1];
    byKind.set(kind, [...(byKind.get(kind) ?? []), text]);
    objects.push({
      kind,
      name: /^ {2}name: (\S+)$/m.exec(text)[1],
      namespace: /^ {2}namespace: (\S+)$/m.exec(text)?.[1],
    });
  }
  for (const [kind, texts] of byKind) {
    writeFileSync(join(directory, 'resources', `${kind.toLowerCase()}.yaml`), texts.join('---\n'));
  }
  writeFileSync(join(directory, 'patches', '00-base.kpatch'), 'metadata.labels: "${global.labels}"\n');
  for (let file = 1; file < patchFiles; file += 1) {
    // Every second object has a section in one of the files.
    const targets = objects.filter((_, index) => index % 2 === 0 && (index / 2) % (patchFiles - 1) === file - 1);
    const text = targets.map(writeSection).join('\n');
    writeFileSync(join(directory, 'patches', `${String(file).padStart(2, '0')}-part.kpatch`), text);
  }
  return directory;
}

function writeSection({ kind, name, namespace }) {
  const target = `${namespace === undefined ? '' : `${namespace}/`}${kind.toLowerCase()}.${name}`;
  const more = kind === 'Deployment' ? 'replicas: ${replicas}\n' : '';
  return `[${target}]\nmetadata.annotations.bench: "1"\n${more}`;
}
