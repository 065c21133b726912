import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { importSource } from '../scripts/import-source.mjs';
import { checkTargets, forgetFleet, removeOld } from './fleet-output.mjs';
import { measureInTurns } from './measure.mjs';
import { kurelRun } from './runs.mjs';
import { objectsPerTarget, readFleetSize, writeFleet } from './write-fleet.mjs';

const subject = 'kurel fleet build';

/**
 * A fleet on several machines, each of which has never built it: with a cache on a real server, and in shards. This machine takes the part of
 * each of them, one after the other. `KUREL_BENCH_FLEET=10x10` makes the fleet smaller.
 */
export async function measureFleetShared(context) {
  const fleet = writeFleet(join(context.out, 'fleet-shared'), readFleetSize());
  const count = fleet.pairs.length;
  const what = `${count.toLocaleString('en')} targets of ${objectsPerTarget} objects`;
  const rows = [
    ...(await measureCache(context, { fleet, count, what })),
    ...(await measureShards(context, { fleet, count, what })),
  ];
  removeOld(context);
  return rows;
}

/** A run on a machine that has never built the fleet. */
function openRun(context, { fleet, words, report, prepare, ...rest }) {
  const args = ['fleet', 'build', '--fleet', fleet.file('kurel.fleet.yaml'), '--report', report, ...words];
  const run = kurelRun(context, { args, subject, printsObjects: false, ...rest });
  const forget = () => {
    forgetFleet(context, fleet);
    prepare?.();
  };
  return { ...run, prepare: forget, allProcesses: true };
}

/** All targets from a cache, beside building them, and beside building and storing them. */
async function measureCache(context, { fleet, count, what }) {
  const nginx = join(context.root, '.tools', 'bin', 'nginx');
  if (!existsSync(nginx)) {
    console.error('nginx does not exist, so a cache is not measured: run npm run tools');
    return [];
  }
  const { startNginx } = await importSource(join(context.root, 'packages', 'kurel', 'test', 'start-nginx.ts'));
  const directory = join(context.out, 'nginx');
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const server = await startNginx({ file: nginx, directory });
  const report = join(context.out, 'report.json');
  const check = (expected) => () => {
    checkTargets(fleet, fleet.pairs);
    const cached = readResults(report).filter(({ isCached }) => isCached).length;
    if (cached !== expected) throw new Error(`${cached} targets are from the cache instead of ${expected}`);
  };
  const shared = {
    fleet,
    report,
    role: 'variant',
    words: ['--cache', `${server.url}/cache`],
    variables: { KUREL_CACHE_KEY: 'the key of the benchmark' },
  };
  const empty = () => {
    const stored = join(server.root, 'cache');
    if (existsSync(stored)) renameSync(stored, join(server.root, `old-${Date.now()}`));
  };
  const runs = [
    openRun(context, { fleet, report, words: [], check: check(0) }),
    openRun(context, { ...shared, subject: `${subject}, empty cache`, prepare: empty, check: check(0) }),
    // Always after the run that fills the cache.
    openRun(context, { ...shared, subject: `${subject}, warm cache`, check: check(count) }),
  ];
  try {
    const title = `${what}, on an empty machine, with a cache on nginx`;
    return await measureInTurns(context, { id: `fleet-cache-${count}`, what: title, runs, rounds: 1 });
  } finally {
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** With as many machines as there are shards, a run takes as long as the slowest of them, and the report. */
async function measureShards(context, { fleet, count, what }) {
  const title = `${what}, in shards on empty machines`;
  const rows = [];
  for (const shards of [1, 2, 4]) {
    const reports = Array.from({ length: shards }, (_, index) => join(context.out, `report-${index + 1}.json`));
    const built = new Set();
    const runs = reports.map((report, index) => {
      const check = () => {
        const names = readResults(report).map(({ name }) => name);
        if (names.some((name) => built.has(name))) throw new Error('a target is in two shards');
        for (const name of names) built.add(name);
      };
      return openRun(context, { fleet, report, words: ['--shard', `${index + 1}/${shards}`], check });
    });
    const id = `fleet-shards-${count}`;
    const measured = await measureInTurns(context, { id, what: `${title}: ${shards}`, runs, rounds: 1 });
    if (built.size !== count) throw new Error(`${shards} shards have ${built.size} targets instead of ${count}`);
    const [first] = measured;
    const name = { case: id, what: title, rounds: first.rounds };
    if (shards === 1) rows.push({ ...first, ...name });
    else {
      const slowest = measured.reduce((most, row) => (row.seconds > most.seconds ? row : most));
      rows.push({ ...slowest, ...name, subject: `the slowest of ${shards} shards`, role: 'variant' });
      rows.push({ ...addUp(measured), ...name, subject: `${shards} shards one after the other`, role: 'variant' });
    }
    if (shards === 4) rows.push(...(await measureReport(context, { reports, name })));
  }
  return rows;
}

async function measureReport(context, { reports, name: { case: id, what } }) {
  const args = ['fleet', 'report', ...reports];
  const run = kurelRun(context, {
    args,
    subject: 'kurel fleet report, 4 shards',
    role: 'variant',
    printsObjects: false,
  });
  return measureInTurns(context, { id, what, runs: [run], rounds: 3 });
}

function addUp(rows) {
  const sum = (of) => rows.reduce((all, row) => all + of(row), 0);
  const user = sum((row) => row.user);
  const megabytes = Math.max(...rows.map((row) => row.megabytes));
  return { seconds: sum((row) => row.seconds), ...(user > 0 && { user }), ...(megabytes > 0 && { megabytes }) };
}

function readResults(report) {
  return JSON.parse(readFileSync(report, 'utf8')).results;
}
