import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { importSource } from '../scripts/import-source.mjs';
import { nodeFloor, prepareJson } from './floors.mjs';
import { generateDeployment } from './generate-deployment.mjs';
import { measureInTurns, withoutCode } from './measure.mjs';
import { namedRuns } from './peers.mjs';
import { executableRuns, kurelRun, ltsRuns, peerRuns } from './runs.mjs';
import { writeTree } from './write-tree.mjs';

const version = '1.37';
const documentsInFile = 100;

/** Deployments checked by kurel, beside kubeconform with the same schemas on the same files. */
export async function measureValidate(context) {
  const location = context.peers.kubeconform === undefined ? undefined : await writePeerSchemas(context);
  const rows = [];
  for (const [count, rounds] of [
    [1, 25],
    [1000, 9],
    [10_000, 5],
    [50_000, 3],
  ]) {
    const id = `validate-${count}`;
    const checked = join(context.out, id);
    writeDeployments(checked, count);
    const { floor, objects } = prepareJson(context, { id, args: [checked] });
    const what =
      count === 1 ? 'one Deployment, validated, cold' : `${count.toLocaleString('en')} Deployments, validated`;
    const runs = [nodeFloor, ...(count > 1 ? [floor] : []), ...runsOn(context, { checked, location, count })];
    rows.push(...(await measureInTurns(context, { id, what, runs, rounds, objects })));
  }
  return rows;
}

function runsOn(context, { checked, location, count }) {
  const words = { args: ['validate', checked, '--kubernetes-version', version], printsObjects: false };
  const own = kurelRun(context, words);
  const bare = { ...own, subject: 'kurel validate, no compiled code', role: 'variant', variables: withoutCode };
  const peer = (...flags) =>
    peerRuns(context, {
      program: 'kubeconform',
      args: ['-strict', ...flags, '-schema-location', location, checked],
      subject: ['kubeconform -strict', ...flags].join(' '),
      printsObjects: false,
    });
  const pinned =
    count === 10_000 && process.platform === 'linux'
      ? [{ ...onOneCore(own), role: 'variant' }, ...peer('-n', '1').map(onOneCore)]
      : [];
  return [
    own,
    ...executableRuns(context, words),
    ...ltsRuns(context, words),
    ...(count === 1 ? [bare] : []),
    ...peer(),
    ...peer('-n', '1'),
    ...pinned,
    ...namedRuns(context, { checked }),
  ];
}

/** Neither Go's collector nor V8's helpers get a core of their own. */
function onOneCore(run) {
  return {
    ...run,
    subject: `${run.subject}, one core`,
    command: 'taskset',
    args: ['-c', '0', run.command, ...run.args],
  };
}

function writeDeployments(directory, count) {
  const files = {};
  for (let first = 0; first < count; first += documentsInFile) {
    const length = Math.min(documentsInFile, count - first);
    files[`${first}.yaml`] = Array.from({ length }, (_, at) => generateDeployment(first + at)).join('---\n');
  }
  writeTree(directory, files);
}

async function writePeerSchemas({ root, out }) {
  const corpus = join(root, 'test', 'corpus');
  const { openStore } = await importSource(join(corpus, 'open-store.ts'));
  const { schemaLocation, writeStoreSchemas } = await importSource(join(corpus, 'write-store-schemas.ts'));
  const directory = join(out, 'schemas');
  rmSync(directory, { recursive: true, force: true });
  writeStoreSchemas(directory, openStore(root, version));
  return schemaLocation(directory);
}
