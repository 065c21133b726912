// Which mutants a seed means, and which of them compile.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { findSites } from './find-sites.mjs';

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function createRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Files by their lines of code, then any site of the file. Each site at most once. */
export function chooseMutants(root, paths, { seed, count }) {
  const random = createRandom(seed);
  const files = paths.map((path) => {
    const source = readFileSync(join(root, path), 'utf8');
    return { path, source, lines: source.split('\n').filter((line) => /^\s*[^\s/*]/.test(line)).length };
  });
  const total = files.reduce((sum, { lines }) => sum + lines, 0);
  const chosen = new Map();
  const sitesOf = new Map();
  for (let attempts = 0; chosen.size < count && attempts < count * 20; attempts += 1) {
    let rest = random() * total;
    const file = files.find(({ lines }) => (rest -= lines) < 0) ?? files.at(-1);
    if (!sitesOf.has(file)) sitesOf.set(file, findSites(file.path, file.source));
    const sites = sitesOf.get(file);
    const site = sites[Math.floor(random() * sites.length)];
    if (site === undefined) continue;
    const before = file.source.slice(site.start, site.end);
    const line = file.source.slice(0, site.start).split('\n').length;
    const context = file.source.split('\n')[line - 1].trim();
    const id = `${file.path}:${site.start}-${site.end}:${site.text}`;
    chosen.set(id, { id, path: file.path, line, context, before, ...site });
  }
  return [...chosen.values()];
}

export function mutate(source, { start, end, text }) {
  return source.slice(0, start) + text + source.slice(end);
}

/** The ids of those that the compiler refuses, with one mutant of each file per run of it. */
export function listThoseThatDoNotCompile(scratch, mutants) {
  const waiting = groupByPath(mutants);
  const refused = new Set();
  while ([...waiting.values()].some((queue) => queue.length > 0)) {
    const round = [...waiting.values()].flatMap((queue) => queue.splice(0, 1));
    const sources = round.map(({ path }) => readFileSync(join(scratch, path), 'utf8'));
    for (const [index, mutant] of round.entries())
      writeFileSync(join(scratch, mutant.path), mutate(sources[index], mutant));
    const { stdout } = spawnSync('npx', ['tsc', '--noEmit', '-p', 'tsconfig.json', '--pretty', 'false'], {
      cwd: scratch,
      encoding: 'utf8',
      maxBuffer: 1e9,
    });
    for (const [index, mutant] of round.entries()) {
      writeFileSync(join(scratch, mutant.path), sources[index]);
      if (stdout.includes(`${mutant.path}(`)) refused.add(mutant.id);
    }
  }
  return refused;
}

export function groupByPath(mutants) {
  const groups = new Map();
  for (const mutant of mutants) groups.set(mutant.path, [...(groups.get(mutant.path) ?? []), mutant]);
  return groups;
}
