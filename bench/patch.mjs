import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { findKustomize } from './build.mjs';
import { generateObjects } from './generate-objects.mjs';
import { measureInTurns } from './measure.mjs';

const patchFiles = 50;

/**
 * 50 patch files, half of them .kpatch and half strategic merges in YAML, that touch half of the objects. Beside it kustomize,
 * with the same changes in as many files of strategic merges.
 */
export async function measurePatch({ root, out, kurel }) {
  const kustomize = findKustomize(root);
  if (kustomize === undefined) console.error('kustomize is not there to compare with: npm run tools');
  const rows = [];
  const results = {};
  for (const [count, rounds] of [
    [1000, 7],
    [10_000, 3],
  ]) {
    const { directory, file, patches, megabytes } = writeInput(out, count);
    const own = [process.execPath, [kurel, 'patch', file, '--patch', patches]];
    // Kustomize takes many minutes for 10,000 objects with patches.
    const peerRun = kustomize === undefined || count > 1000 ? [] : [[kustomize, ['build', directory]]];
    const [result, peer] = await measureInTurns([own, ...peerRun], rounds);
    const what = `patch, ${count.toLocaleString('en')} objects × ${patchFiles} files, ${megabytes} MB`;
    if (peer !== undefined) rows.push({ what, subject: 'kustomize, the same patches', ...peer });
    const ratio = peer && `${(peer.seconds / result.seconds).toFixed(1)} × faster than kustomize`;
    rows.push({ what, subject: 'kurel patch', ...result, ratio });
    results[count] = result;
  }
  const [few, many] = [results[1000], results[10_000]];
  rows.push({
    what: 'patch, growth',
    subject: 'kurel, 10 × the objects',
    ...many,
    ratio: `${(many.seconds / few.seconds).toFixed(1)} × the time, ${(many.megabytes / few.megabytes).toFixed(1)} × the memory`,
  });
  return rows;
}

function writeInput(out, count) {
  const directory = join(out, `patches-${count}`);
  const patches = join(directory, 'patches');
  const peers = join(directory, 'peers');
  rmSync(directory, { recursive: true, force: true });
  for (const one of [patches, peers]) mkdirSync(one, { recursive: true });
  const text = generateObjects(count);
  const file = join(directory, 'objects.yaml');
  writeFileSync(file, text);
  const names = Array.from({ length: patchFiles }, (_, at) => String(at).padStart(2, '0'));
  for (const [at, name] of names.entries()) {
    // Every second object, those of one file all over the input.
    const targets = Array.from({ length: count / 2 / patchFiles }, (_, index) =>
      targetOf((index * patchFiles + at) * 2),
    );
    const [ending, write] = at % 2 === 0 ? ['kpatch', writeKpatch] : ['yaml', writeStrategic];
    writeFileSync(join(patches, `${name}.${ending}`), targets.map(write).join('\n'));
    writeFileSync(join(peers, `${name}.yaml`), targets.map(writePeer).join('---\n'));
  }
  const list = names.map((name) => `  - path: peers/${name}.yaml\n`).join('');
  writeFileSync(join(directory, 'kustomization.yaml'), `resources: [objects.yaml]\npatches:\n${list}`);
  return { directory, file, patches, megabytes: (text.length / 1e6).toFixed(1) };
}

const kinds = ['apps/v1/Deployment', 'v1/ConfigMap', 'batch/v1/CronJob', 'v1/Secret'];

/** The kinds that `generateObjects` gives to even numbers. */
function targetOf(index) {
  const [, apiVersion, kind] = /^(.*)\/(\w+)$/.exec(kinds[(index % 8) / 2]);
  return { apiVersion, kind, name: `app-${index}`, namespace: `team-${index % 40}` };
}

function writeKpatch({ kind, name, namespace }) {
  const more = kind === 'Deployment' ? 'replicas: 7\n' : '';
  return `[${namespace}/${kind.toLowerCase()}.${name}]\nmetadata.labels.bench: "1"\n${more}`;
}

function writeStrategic({ kind, name, namespace }) {
  const more = kind === 'Deployment' ? '\n    spec: {replicas: 7}' : '';
  const patch = `    metadata: {labels: {bench: "1"}}${more}`;
  return `- target: ${namespace}/${kind.toLowerCase()}.${name}\n  type: strategic\n  patch:\n${patch}`;
}

function writePeer({ apiVersion, kind, name, namespace }) {
  const more = kind === 'Deployment' ? 'spec: {replicas: 7}\n' : '';
  return `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: ${name}, namespace: ${namespace}, labels: {bench: "1"}}\n${more}`;
}
