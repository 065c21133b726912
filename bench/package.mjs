import { join } from 'node:path';

import { nodeFloor, prepareJson } from './floors.mjs';
import { generateObjects } from './generate-objects.mjs';
import { measureInTurns } from './measure.mjs';
import { namedRuns } from './peers.mjs';
import { kurelRun, peerRuns } from './runs.mjs';
import { writeTree } from './write-tree.mjs';

const patchFiles = 50;

/**
 * Patch packages of 1,000 and 10,000 resources with 50 patches that touch half of them, or all of them where the first has a label
 * for everything. Beside it kustomize, with that label and as many files of strategic merges.
 */
export async function measurePackage(context) {
  const rows = [];
  for (const touched of ['half', 'all']) {
    for (const [count, rounds] of [
      [1000, 9],
      [10_000, 5],
    ]) {
      const id = `package-${touched}-${count}`;
      const directory = join(context.out, `${id}.kurel`);
      const kustomization = join(context.out, id);
      const input = readObjects(count);
      writePackage(directory, { ...input, touched });
      writeKustomization(kustomization, { ...input, touched });
      const { floor, objects } = prepareJson(context, { id, args: [directory] });
      const runs = [
        nodeFloor,
        floor,
        kurelRun(context, { args: ['build', directory] }),
        ...peerRuns(context, { program: 'kustomize', args: ['build', kustomization] }),
        ...namedRuns(context, { package: directory, kustomization }),
      ];
      const which = touched === 'all' ? 'all of them' : 'half of them';
      const what = `patch package, ${count.toLocaleString('en')} resources, ${patchFiles} patch files that touch ${which}`;
      rows.push(...(await measureInTurns(context, { id, what, runs, rounds, objects })));
    }
  }
  return rows;
}

/** The objects, one file for each kind, and who they are. */
function readObjects(count) {
  const byKind = new Map();
  const objects = [];
  for (const text of generateObjects(count).split(/^---\n/m)) {
    const [, apiVersion] = /^apiVersion: (\S+)$/m.exec(text);
    const [, kind] = /^kind: (\w+)$/m.exec(text);
    const [, name] = /^ {2}name: (\S+)$/m.exec(text);
    const [, namespace] = /^ {2}namespace: (\S+)$/m.exec(text);
    if (!byKind.has(kind)) byKind.set(kind, []);
    byKind.get(kind).push(text);
    objects.push({ apiVersion, kind, name, namespace });
  }
  const files = Object.fromEntries(
    Array.from(byKind, ([kind, texts]) => [`resources/${kind.toLowerCase()}.yaml`, texts.join('---\n')]),
  );
  return { files, objects };
}

function writePackage(directory, { files, objects, touched }) {
  const all = { ...files };
  all['parameters.yaml'] =
    'kurel: {name: bench, version: 1.0.0, appVersion: "1.0"}\nglobal:\n  labels: {bench: "${kurel.name}"}\nreplicas: 7\n';
  if (touched === 'all') all['patches/00-first.kpatch'] = 'metadata.labels: "${global.labels}"\n';
  for (const { name, targets } of dealOut(objects, touched)) {
    all[`patches/${name}-part.kpatch`] = targets.map(writeSection).join('\n');
  }
  writeTree(directory, all);
}

function writeKustomization(directory, { files, objects, touched }) {
  const all = { ...files };
  const label = touched === 'all' ? 'labels:\n- pairs: {bench: bench}\n' : '';
  let list = '';
  for (const { name, targets } of dealOut(objects, touched)) {
    all[`patches/${name}.yaml`] = targets.map(writeMerge).join('---\n');
    list += `- path: patches/${name}.yaml\n`;
  }
  const resources = Object.keys(files).map((path) => `- ${path}\n`);
  all['kustomization.yaml'] = `resources:\n${resources.join('')}${label}patches:\n${list}`;
  writeTree(directory, all);
}

/** Every second object, those of one patch file all over the input; one file is for all of them where all are touched. */
function dealOut(objects, touched) {
  const first = touched === 'all' ? 1 : 0;
  const deals = Array.from({ length: patchFiles - first }, (_, at) => ({
    name: String(at + first).padStart(2, '0'),
    targets: [],
  }));
  for (let index = 0; index < objects.length; index += 2)
    deals[(index / 2) % deals.length].targets.push(objects[index]);
  return deals;
}

function writeSection({ kind, name, namespace }) {
  const more = kind === 'Deployment' ? 'replicas: ${replicas}\n' : '';
  return `[${namespace}/${kind.toLowerCase()}.${name}]\nmetadata.annotations.bench: "1"\n${more}`;
}

function writeMerge({ apiVersion, kind, name, namespace }) {
  const more = kind === 'Deployment' ? 'spec: {replicas: 7}\n' : '';
  return `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: ${name}, namespace: ${namespace}, annotations: {bench: "1"}}\n${more}`;
}
