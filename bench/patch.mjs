import { join } from 'node:path';

import { nodeFloor, prepareJson } from './floors.mjs';
import { generateObjects, team } from './generate-objects.mjs';
import { measureInTurns } from './measure.mjs';
import { namedRuns } from './peers.mjs';
import { kurelRun, peerRuns } from './runs.mjs';
import { writeTree } from './write-tree.mjs';

const patchFiles = 50;

/**
 * 50 patch files, half of them .kpatch and half strategic merges in YAML, that touch half of the objects. Beside it kustomize,
 * with the same changes in as many files of strategic merges.
 */
export async function measurePatch(context) {
  const rows = [];
  for (const [count, rounds] of [
    [1000, 9],
    [10_000, 20],
  ]) {
    const id = `patch-${count}`;
    const { kustomization, patched, own, patches } = writePatched(join(context.out, id), count);
    const { floor, objects } = prepareJson(context, { id, args: [patched, '--patch', own] });
    const runs = [
      nodeFloor,
      floor,
      kurelRun(context, { args: ['patch', patched, '--patch', own] }),
      ...peerRuns(context, { program: 'kustomize', args: ['build', kustomization] }),
      ...namedRuns(context, { kustomization, patched, patches }),
    ];
    const what = `${count.toLocaleString('en')} manifests, ${patchFiles} patch files that touch half of them`;
    rows.push(...(await measureInTurns(context, { id, what, runs, rounds, objects })));
  }
  return rows;
}

/** Manifests with patches in our own syntaxes, and a kustomization that makes the same changes. */
export function writePatched(kustomization, count) {
  const files = { 'manifests/objects.yaml': generateObjects(count) };
  const names = Array.from({ length: patchFiles }, (_, at) => String(at).padStart(2, '0'));
  for (const [at, name] of names.entries()) {
    // Every second object, those of one file all over the input.
    const targets = Array.from({ length: count / 2 / patchFiles }, (_, index) =>
      targetOf((index * patchFiles + at) * 2),
    );
    const [ending, write] = at % 2 === 0 ? ['kpatch', writeKpatch] : ['yaml', writeStrategic];
    files[`patches/${name}.${ending}`] = targets.map(write).join('\n');
    files[`peers/${name}.yaml`] = targets.map(writePeer).join('---\n');
  }
  const list = names.map((name) => `  - path: peers/${name}.yaml\n`).join('');
  files['kustomization.yaml'] = `resources: [manifests/objects.yaml]\npatches:\n${list}`;
  writeTree(kustomization, files);
  const [patched, own, patches] = ['manifests', 'patches', 'peers'].map((name) => join(kustomization, name));
  return { kustomization, patched, own, patches };
}

const kinds = ['apps/v1/Deployment', 'v1/ConfigMap', 'batch/v1/CronJob', 'v1/Secret'];

/** The kinds that `generateObjects` gives to even numbers. */
function targetOf(index) {
  const [, apiVersion, kind] = /^(.*)\/(\w+)$/.exec(kinds[(index % 8) / 2]);
  return { apiVersion, kind, name: `app-${index}`, namespace: team(index) };
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
