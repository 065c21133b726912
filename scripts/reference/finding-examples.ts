import { join } from 'node:path';
import { readTexts } from '../../packages/kurel/test/golden-case.ts';

const folders = ['packages/kurel/src', 'packages/kurel/test', 'test/hostile'];
// A finding as the program prints it, up to the next one or an empty line.
const finding =
  /^(?:error|warning|note)\[([a-z0-9-]+)\]: .*(?:\n(?!(?:error|warning|note)\[|\d+ (?:error|warning|note)).+)*/gm;

/** A real example of each finding: the shortest one with an excerpt among the expectations of all cases. */
export function collectExamples(root: string): ReadonlyMap<string, string> {
  const examples = new Map<string, string>();
  for (const folder of folders)
    for (const { text } of readTexts(join(root, folder), /(?:^|\/)expected(?:\.txt)?$/))
      for (const [example, code = ''] of text.matchAll(finding)) {
        const known = examples.get(code);
        if (known === undefined || isBetter(example, known)) examples.set(code, example);
      }
  return examples;
}

/** An excerpt of a YAML file and a hint show more than a bare message. */
function scoreOf(example: string): number {
  return ['\n', '-->', '.yaml:', '= hint'].filter((part) => example.includes(part)).length;
}

function isBetter(example: string, known: string): boolean {
  const difference = scoreOf(example) - scoreOf(known);
  if (difference !== 0) return difference > 0;
  return example.length < known.length || (example.length === known.length && example < known);
}
