// npm run bench: every claim about speed, as ratios measured in one run on inputs made here.
// npm run bench -- [SUITE …] [--rounds N] [--limit SECONDS] [--docs | --redraw]; see docs/performance.md.
// npm run bench -- [SUITE …] [--rounds N] --against REV: compares kurel with an earlier kurel; see CONTRIBUTING.md.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { measureApplication } from './application.mjs';
import { measureBuild } from './build.mjs';
import { measureComments } from './comments.mjs';
import { describeMachine } from './describe-machine.mjs';
import { buildEarlier } from './earlier.mjs';
import { measureFleetShared } from './fleet-shared.mjs';
import { measureFleet } from './fleet.mjs';
import { measureInspect } from './inspect.mjs';
import { measureJq, measureJqInMemory } from './jq.mjs';
import { keepProgram, makeExecutable } from './keep-program.mjs';
import { measurePackage } from './package.mjs';
import { measurePatch } from './patch.mjs';
import { findPeers, readNamedPeers } from './peers.mjs';
import { printComparison } from './print-comparison.mjs';
import { printReport } from './print-report.mjs';
import { measureSmall } from './small.mjs';
import { measureStartUp } from './start-up.mjs';
import { judgeTargets } from './targets.mjs';
import { measureValidateInMemory } from './validate-in-memory.mjs';
import { measureValidate } from './validate.mjs';
import { measureWorkspace } from './workspace.mjs';
import { writeDocs } from './write-docs.mjs';

/** The suites that start programs, in the order of the page. */
const programSuites = {
  'start-up': measureStartUp,
  small: measureSmall,
  build: measureBuild,
  patch: measurePatch,
  package: measurePackage,
  application: measureApplication,
  comments: measureComments,
  validate: measureValidate,
  jq: measureJq,
  inspect: measureInspect,
};

/** All of them; what needs much memory in this process comes last. */
const suites = {
  ...programSuites,
  fleet: measureFleet,
  'fleet-shared': measureFleetShared,
  workspace: measureWorkspace,
  'jq-in-memory': measureJqInMemory,
  'validate-in-memory': measureValidateInMemory,
};

const { values: flags, positionals: only } = parseArgs({
  allowPositionals: true,
  options: {
    docs: { type: 'boolean', default: false },
    redraw: { type: 'boolean', default: false },
    against: { type: 'string' },
    rounds: { type: 'string' },
    limit: { type: 'string', default: '180' },
  },
});

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const out = join(root, 'bench', 'out');
const file = join(out, 'results.json');
try {
  checkSuites();
  if (flags.redraw) {
    const results = JSON.parse(readFileSync(file, 'utf8'));
    writeDocs(root, { ...results, targets: judgeTargets(results.rows) });
  } else if (flags.against !== undefined) {
    const context = prepare();
    const earlier = buildEarlier({ root, out, revision: flags.against });
    printComparison(await measureSuites({ ...context, earlier }, programSuites), flags.against);
  } else {
    const results = await measure();
    printReport(results);
    writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`);
    if (flags.docs) writeDocs(root, results);
  }
} catch (error) {
  // For wrong flags, or a bug in kurel, the stack of this program does not matter.
  console.error(error.constructor === Error ? error.message : error);
  process.exitCode = 1;
}

function checkSuites() {
  const available = flags.against === undefined ? suites : programSuites;
  const unknown = only.find((name) => !Object.hasOwn(available, name));
  if (unknown !== undefined) {
    throw new Error(`unknown suite "${unknown}"; use one of ${Object.keys(available).join(', ')}`);
  }
  if (flags.docs && only.length > 0) {
    throw new Error('--docs needs the results of all suites: remove the names of suites');
  }
  if (flags.against !== undefined && (flags.docs || flags.redraw)) {
    throw new Error('--against cannot be combined with --docs or --redraw');
  }
}

async function measure() {
  const context = prepare();
  for (const [name, program] of Object.entries(context.peers)) {
    const tools = name === 'helmfile' ? 'npm run tools -- bench' : 'npm run tools';
    if (program === undefined) console.error(`${name} does not exist, so it is not compared: run ${tools}`);
  }
  const machine = describeMachine(context);
  const rows = await measureSuites(context, suites);
  return { machine, limit: context.limit, rows, targets: judgeTargets(rows) };
}

function prepare() {
  mkdirSync(out, { recursive: true });
  // Before anything else that is called so, for kurel as well, which starts helm and kustomize itself.
  process.env['PATH'] = [join(root, '.tools', 'bin'), process.env['PATH']].join(delimiter);
  // What earlier runs left behind would decide how much of kurel is compiled already.
  process.env['XDG_CACHE_HOME'] = join(out, 'cache');
  for (const name of ['cache', 'earlier-cache']) rmSync(join(out, name), { recursive: true, force: true });
  return {
    root,
    out,
    kurel: keepProgram(root, join(out, 'kurel')),
    executable: measuresExecutable() ? makeExecutable(root, join(out, 'executable')) : undefined,
    peers: findPeers(),
    named: readNamedPeers(process.env['KUREL_BENCH_PEERS'] ?? ''),
    rounds: readCount('rounds') ?? (flags.against === undefined ? Infinity : 5),
    limit: readCount('limit'),
  };
}

/** An earlier kurel is compared on Node alone. */
function measuresExecutable() {
  const measured =
    only.length === 0 || only.some((name) => ['start-up', 'small', 'build', 'application', 'validate'].includes(name));
  return measured && flags.against === undefined;
}

async function measureSuites(context, some) {
  const rows = [];
  for (const [name, suite] of Object.entries(some)) {
    if (only.length > 0 && !only.includes(name)) continue;
    console.error(`measuring ${name} …`);
    for (const row of await suite(context)) rows.push({ suite: name, ...row });
  }
  return rows;
}

function readCount(name) {
  if (flags[name] === undefined) return undefined;
  const count = Number(flags[name]);
  if (!Number.isInteger(count) || count < 1)
    throw new Error(`--${name} must be a positive integer, got ${flags[name]}`);
  return count;
}
