import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { nodeFloor, prepareJson } from './floors.mjs';
import { generateObjects } from './generate-objects.mjs';
import { measureCall, measureInTurns } from './measure.mjs';
import { namedRuns } from './peers.mjs';
import { kurelRun } from './runs.mjs';
import { writeTree } from './write-tree.mjs';

const require = createRequire(import.meta.url);
const program = '.kind == "Deployment" and (.spec.replicas // 1) > 1 and .metadata.labels.tier != "batch"';

/** One typical filter over 10,000 objects, from their text. */
export async function measureJq(context) {
  const { id, manifests, floor, json, keep } = await prepare(context);
  const runs = [
    nodeFloor,
    floor,
    kurelRun(context, { args: ['build', manifests, '--jq-filter', program], subject: 'kurel build --jq-filter' }),
    ...namedRuns(context, { json }),
  ];
  const what = '10,000 manifests, one jq filter';
  return measureInTurns(context, { id, what, runs, rounds: 5, objects: keep().length });
}

/** The same filter in memory: ours object by object; jq-web in the only way it can, as one batch. */
export async function measureJqInMemory(context) {
  const id = 'jq-in-memory';
  const what = '10,000 objects in memory, one jq filter';
  const { all, keep } = await prepare(context);
  const web = await require('jq-web');
  const keepByWeb = () => web.json(all, `[.[] | ${program}]`).filter(Boolean);
  const [own, others] = [keep().length, keepByWeb().length];
  if (own !== others) throw new Error(`jq-web keeps ${others} objects, we keep ${own}`);
  return [
    { case: id, what, subject: '@kurel/jq', role: 'kurel', ...measureCall(keep, 7) },
    { case: id, what, subject: 'jq-web, as one batch', role: 'peer', ...measureCall(keepByWeb, 3) },
  ];
}

async function prepare(context) {
  const id = 'jq-10000';
  const manifests = join(context.out, id);
  writeTree(manifests, { 'objects.yaml': generateObjects(10_000) });
  const { floor, file: json } = prepareJson(context, { id, args: [manifests] });
  const all = JSON.parse(readFileSync(json, 'utf8'));
  const { compile } = await import(pathToFileURL(join(context.root, 'packages/jq/dist/index.js')).href);
  const filter = compile(program);
  const keep = () => all.filter((object) => filter.first(object) === true);
  return { id, manifests, floor, json, all, keep };
}
