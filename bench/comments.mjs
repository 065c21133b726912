import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { nodeFloor, prepareJson } from './floors.mjs';
import { generateCommented } from './generate-commented.mjs';
import { measureInTurns } from './measure.mjs';
import { namedRuns } from './peers.mjs';
import { kurelRun, peerRuns } from './runs.mjs';
import { writeTree } from './write-tree.mjs';

const library = fileURLToPath(new URL('patch-with-library.mjs', import.meta.url));
const targetsInFile = 500;

/** Documents full of comments, each with a new label, number of replicas and image; all comments have to be there afterwards. */
export async function measureComments(context) {
  const rows = [];
  for (const [count, rounds] of [
    [1000, 9],
    [10_000, 5],
  ]) {
    const id = `comments-${count}`;
    const { kustomization, patched, own, patches, comments } = writeInput(join(context.out, id), count);
    const { floor, objects } = prepareJson(context, { id, args: [patched, '--patch', own] });
    const kept = new Map();
    const runs = [
      nodeFloor,
      floor,
      kurelRun(context, { args: ['patch', patched, '--patch', own] }),
      libraryRun(join(patched, file)),
      ...peerRuns(context, { program: 'kustomize', args: ['build', kustomization] }),
      ...namedRuns(context, { kustomization, patched, patches }),
    ];
    for (const run of runs) run.check = (text) => kept.set(run.subject, countComments(text) / comments);
    const what = `${count.toLocaleString('en')} commented documents, each patched`;
    for (const row of await measureInTurns(context, { id, what, runs, rounds, objects })) {
      const share = row.role === 'floor' ? undefined : kept.get(row.subject);
      if (row.role === 'kurel' && share !== 1) throw new Error(`kurel ${describeKept(share)}`);
      rows.push(share === undefined ? row : { ...row, note: describeKept(share) });
    }
  }
  return rows;
}

function libraryRun(path) {
  const args = [library, path];
  return { subject: 'yaml, the npm package', role: 'peer', command: process.execPath, args, printsObjects: true };
}

const file = 'objects.yaml';

function writeInput(kustomization, count) {
  const text = generateCommented(count);
  const files = { [`manifests/${file}`]: text };
  let list = '';
  for (let first = 0; first < count; first += targetsInFile) {
    const targets = Array.from({ length: targetsInFile }, (_, at) => first + at);
    files[`patches/${first}.kpatch`] = targets.map(writeKpatch).join('\n');
    files[`peers/${first}.yaml`] = targets.map(writeMerge).join('---\n');
    list += `- path: peers/${first}.yaml\n`;
  }
  files['kustomization.yaml'] = `resources: [manifests/${file}]\npatches:\n${list}`;
  writeTree(kustomization, files);
  const [patched, own, patches] = ['manifests', 'patches', 'peers'].map((name) => join(kustomization, name));
  return { kustomization, patched, own, patches, comments: countComments(text) };
}

function countComments(text) {
  return text.match(/(?:^|\s)# /gm)?.length ?? 0;
}

function describeKept(share) {
  if (share === 0 || share === 1) return share === 0 ? 'keeps no comments' : 'keeps all comments';
  return `keeps ${(share * 100).toFixed(1)} % of the comments`;
}

function writeKpatch(index) {
  const target = `team-${index % 40}/deployment.app-${index}`;
  return `[${target}]\nmetadata.labels.bench: "1"\nreplicas: 7\n\n[${target}.containers.name=main]\nimage: registry.example.com/bench:2.0.0\n`;
}

function writeMerge(index) {
  return `apiVersion: apps/v1
kind: Deployment
metadata: {name: app-${index}, namespace: team-${index % 40}, labels: {bench: "1"}}
spec:
  replicas: 7
  template: {spec: {containers: [{name: main, image: "registry.example.com/bench:2.0.0"}]}}
`;
}
