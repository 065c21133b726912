import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listFiles, repository } from './source-tree.ts';

/** Phrases that read like a translation, each with what to write instead. Messages, help, docs and comments are searched. */
const phrases: readonly (readonly [phrase: RegExp, better: string])[] = [
  [/\bunless (?:said|given|told)\b/i, 'defaults to …; optional'],
  [/\b(?:is|are|was|were|be|been) told\b/i, 'is reported; is printed'],
  [/\btells? (?:of|about|that)\b/i, 'reports; prints'],
  [
    /(?<!\bthere )\b(?:is|are|was|were) no (?!longer\b|more\b|less\b|such\b|different\b|help\b|need\b|use\b|way\b|limit\b|slower\b)[a-z]/i,
    'is not a …',
  ],
  [/\bbelongs? into\b/i, 'belongs in; put it in'],
  [/\bwhoever\b/i, 'a user who …; you'],
  [/\bin the order of (?:their|its) letters\b/i, 'alphabetically'],
  [
    /\bstands? (?:in|at|on|beside|behind|before|there|alone|where|between|above|below|here|next|first|last)\b/i,
    'is in; is next to; appears',
  ],
  [
    /\b(?:standing|stood) (?:in|at|on|beside|behind|before|there|where|between|above|below|here|next|first|last)\b/i,
    'in; next to',
  ],
  [/\bin front of\b/i, 'before'],
  [/\bbehind (?:it|them|the|a|an|its|their|that|this|which|each|every)\b/i, 'after'],
  [/\b(?:a|the|is|no|one|any|every|each|as|of|this) mappings?\b/i, 'object, map'],
  [/\bmappings\b/i, 'objects, maps'],
  [/\bwhole numbers?\b/i, 'integer'],
  [/\bin a circle\b|\bcircles\b/i, 'cycle'],
  [/\bleads? out of\b/i, 'points outside'],
  [/\bclimbs?\b/i, 'escapes'],
  [/\bswitched (?:on|off)\b/i, 'enabled, disabled'],
  [/\bcomes? into being\b/i, 'is created'],
  [/\bcalled after\b/i, 'named after'],
  [/(?<!-)\bmisspelt\b/i, 'misspelled'],
  [/\bhallway\b/i, 'pipeline'],
  [/\bmend(?:s|ed|ing)?\b/i, 'fix'],
  [/\bin vain\b/i, 'without effect'],
  [/\bspeaks? of\b/i, 'names; mentions'],
  [/\bknows? (?:nothing )?of\b/i, 'knows about; has'],
  [/\bgives? back\b/i, 'returns'],
  [/\bnobody has heard of\b/i, 'unknown'],
  [/\b(?:is|are) asked for\b/i, 'is requested; is required'],
  [/\bwhat (?:is|was) (?:said|asked|meant)\b/i, 'name the thing'],
  [/\bwhile nodes are emptied\b/i, 'while nodes are drained'],
  [/\bnumber of pods\b/i, 'replicas'],
  [/\b(?:one|once) a (?:file|line|object|run|document|minute|second)\b/i, 'per file, per object'],
  [/\bthat is there already\b|\bmust be there\b|\bis there already\b/i, 'already exists'],
  [/\b(?:is|are|was|were) not there\b/i, 'does not exist'],
  [/\b(?:is|are) held against\b|\bholds? [a-z ]{1,40} against\b/i, 'is validated against'],
  [/\bwhat made it so\b|\bwho decided\b/i, 'set by; comes from'],
  [/\bto take (?:away|out)\b|\btakes? away\b|\btaken away\b/i, 'remove'],
  [/\bof one's own\b/i, 'custom; your own'],
  [/\bgood-?natured\b/i, 'lenient'],
];

const skipped = /node_modules|\/dist\/|\/(?:cases|fixtures|data|schemas|corpus|crashes)\/|phrases\.test\.ts$/;

function findPhrases(file: string): readonly string[] {
  const lines = readFileSync(join(repository, file), 'utf8').split('\n');
  return lines.flatMap((line, index) =>
    phrases.flatMap(([phrase, better]) => {
      const found = phrase.exec(line);
      return found === null ? [] : [`${file}:${index + 1}: "${found[0]}": write "${better}"`];
    }),
  );
}

describe.each([
  {
    what: 'pages',
    folders: ['docs', 'examples', 'packages', 'test'],
    endings: ['.md'],
    files: readdirSync(repository),
  },
  {
    what: 'code',
    folders: ['packages', 'scripts', 'bench', 'fuzz', 'examples', 'test'],
    endings: ['.ts', '.mjs'],
    files: [],
  },
])('$what', ({ folders, endings, files }) => {
  it('are written in plain English', () => {
    const all = [
      ...files.filter((file) => file.endsWith('.md')),
      ...folders.flatMap((folder) =>
        endings.flatMap((ending) => listFiles(join(repository, folder), ending).map((path) => `${folder}/${path}`)),
      ),
    ].filter((file) => !skipped.test(file));
    expect(all.length).toBeGreaterThan(20);
    const found = all.flatMap(findPhrases);
    expect(found, found.join('\n')).toEqual([]);
  });
});
