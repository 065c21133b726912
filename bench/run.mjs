// npm run bench: every claim about speed, as ratios measured in one run on inputs made here.
// npm run bench -- [SUITE …] [--rounds N] [--limit SECONDS] [--docs | --redraw]; see docs/performance.md.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { measureApplication } from './application.mjs';
import { measureBuild } from './build.mjs';
import { measureComments } from './comments.mjs';
import { describeMachine } from './describe-machine.mjs';
import { measureInspect } from './inspect.mjs';
import { measureJq } from './jq.mjs';
import { measurePackage } from './package.mjs';
import { measurePatch } from './patch.mjs';
import { findPeers, readNamedPeers } from './peers.mjs';
import { printReport } from './print-report.mjs';
import { measureSmall } from './small.mjs';
import { measureStartUp } from './start-up.mjs';
import { judgeTargets } from './targets.mjs';
import { measureValidateInMemory } from './validate-in-memory.mjs';
import { measureValidate } from './validate.mjs';
import { measureWorkspace } from './workspace.mjs';
import { writeDocs } from './write-docs.mjs';

/** In the order of the page; what needs much memory in this process comes last. */
const suites = {
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
  workspace: measureWorkspace,
  'validate-in-memory': measureValidateInMemory,
};

const { values: flags, positionals: only } = parseArgs({
  allowPositionals: true,
  options: {
    docs: { type: 'boolean', default: false },
    redraw: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '1000' },
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
  const unknown = only.find((name) => !Object.hasOwn(suites, name));
  if (unknown !== undefined) {
    throw new Error(`unknown suite "${unknown}"; use one of ${Object.keys(suites).join(', ')}`);
  }
  if (flags.docs && only.length > 0) {
    throw new Error('--docs needs the results of all suites: remove the names of suites');
  }
}

async function measure() {
  mkdirSync(out, { recursive: true });
  // Before anything else that is called so, for kurel as well, which starts helm and kustomize itself.
  process.env['PATH'] = [join(root, '.tools', 'bin'), process.env['PATH']].join(delimiter);
  // What earlier runs left behind would decide how much of kurel is compiled already.
  process.env['XDG_CACHE_HOME'] = join(out, 'cache');
  rmSync(join(out, 'cache'), { recursive: true, force: true });
  const context = {
    root,
    out,
    kurel: keepProgram(),
    peers: findPeers(),
    named: readNamedPeers(process.env['KUREL_BENCH_PEERS'] ?? ''),
    rounds: readCount('rounds'),
    limit: readCount('limit'),
  };
  for (const [name, program] of Object.entries(context.peers)) {
    if (program === undefined) console.error(`${name} does not exist, so it is not compared: run npm run tools`);
  }
  const machine = describeMachine(context);
  const rows = [];
  for (const [name, suite] of Object.entries(suites)) {
    if (only.length > 0 && !only.includes(name)) continue;
    console.error(`measuring ${name} …`);
    for (const row of await suite(context)) rows.push({ suite: name, ...row });
  }
  return { machine, limit: context.limit, rows, targets: judgeTargets(rows) };
}

/** What is published, set aside: a build that somebody makes meanwhile does not change what is measured. */
function keepProgram() {
  const from = join(root, 'packages', 'kurel');
  const to = join(out, 'kurel');
  if (!existsSync(join(from, 'dist'))) throw new Error('kurel is not built: npm run build');
  rmSync(to, { recursive: true, force: true });
  for (const name of ['package.json', 'bin', 'dist', 'schemas'])
    cpSync(join(from, name), join(to, name), { recursive: true });
  return join(to, 'bin', 'kurel.cjs');
}

function readCount(name) {
  const count = Number(flags[name]);
  if (!Number.isInteger(count) || count < 1)
    throw new Error(`--${name} must be a positive integer, got ${flags[name]}`);
  return count;
}
