import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import { afterEach, beforeEach } from 'vitest';

// While hits are recorded, every test leaves a line: its file, its name, how long it took, and which recorders it ran.
declare global {
  var mutantHits: Uint8Array;
}
globalThis.mutantHits ??= new Uint8Array(100_000);

const record = process.env['MUTANT_HITS'];
if (record !== undefined && record !== '') {
  let started = 0;
  beforeEach(() => {
    globalThis.mutantHits.fill(0);
    started = performance.now();
  });
  afterEach(({ task }) => {
    const hits: number[] = [];
    const all = globalThis.mutantHits;
    for (let index = all.indexOf(1); index !== -1; index = all.indexOf(1, index + 1)) hits.push(index);
    const line = {
      file: relative(process.cwd(), task.file.filepath),
      name: fullName(task),
      milliseconds: Math.ceil(performance.now() - started),
      failed: task.result?.state === 'fail',
      hits: encode(hits),
    };
    appendFileSync(record, `${JSON.stringify(line)}\n`);
  });
}

function fullName({ name, suite }: { readonly name: string; readonly suite?: unknown }): string {
  return suite === undefined ? name : `${fullName(suite as { name: string })} ${name}`;
}

/** Runs of neighbours, `first-last` in base 36: what is run together is numbered together. */
function encode(hits: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const hit of hits) {
    const last = runs.at(-1);
    if (last?.[1] === hit - 1) last[1] = hit;
    else runs.push([hit, hit]);
  }
  return runs.map(([from, to]) => (from === to ? [from] : [from, to]).map((n) => n.toString(36)).join('-')).join(' ');
}
