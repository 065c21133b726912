import { spawnSync } from 'node:child_process';

import type { Answer } from './read-answer.ts';

/** Texts that are handed over at once; the answers of a batch are in memory together. */
const batch = 2000;

/** What the readers of the cluster make of each text, in order. `program` is built from this directory. */
export function* askReaders(program: string, texts: readonly string[]): Generator<{ text: string; answer: Answer }> {
  for (let start = 0; start < texts.length; start += batch) {
    const asked = texts.slice(start, start + batch);
    const input = asked.map((text) => `${JSON.stringify(text)}\n`).join('');
    const { status, stdout, stderr } = spawnSync(program, { input, encoding: 'utf8', maxBuffer: 2 ** 30 });
    if (status !== 0) throw new Error(`the oracle failed: ${stderr}`);
    const answers = stdout.trimEnd().split('\n');
    for (const [index, text] of asked.entries()) yield { text, answer: JSON.parse(answers[index]!) as Answer };
  }
}
