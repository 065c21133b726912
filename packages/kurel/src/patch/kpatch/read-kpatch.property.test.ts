import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Diagnostic, Json, Range } from '../../model/index.ts';
import { readYaml } from '../../yaml/index.ts';
import type { FieldPatch, PatchFile } from '../patch.ts';
import { formatSections } from './read-kpatch.ts';
import { createRandom, generateFile, generateText, mutate } from '../../../test/patch/generated-cases.ts';
import { propertyRuns } from '../../../../../test/property-runs.ts';
import { parseKpatch } from '../yaml-patch/read-patch-file.ts';

interface Parsed {
  readonly file: PatchFile;
  readonly found: readonly Diagnostic[];
}

function parse(text: string): Parsed {
  const found: Diagnostic[] = [];
  const file = parseKpatch({ path: 'a.kpatch', text }, (diagnostic) => void found.push(diagnostic));
  return { file, found };
}

function format(text: string): string | undefined {
  return formatSections({ path: 'a.kpatch', text }, () => {});
}

function hasErrors({ found }: Parsed): boolean {
  return found.some(({ severity }) => severity === 'error');
}

/** Content of the file without locations. */
function meaningOf({ file }: Parsed): string {
  return JSON.stringify(file.patches, (key, value: unknown) =>
    key === 'range' || key === 'location' ? undefined : value,
  );
}

/** Fails with the generated text in the message, which an assertion would not show. */
function check(condition: boolean, what: string, text: string): void {
  if (!condition) throw new Error(`${what}: ${JSON.stringify(text)}`);
}

function checkRange({ start, end }: Range, text: string): void {
  if (start < 0 || start > end || end > text.length) check(false, `the range ${start}–${end}`, text);
}

function checkRanges(value: unknown, text: string, inTemplate = false): void {
  if (typeof value !== 'object' || value === null) return;
  if ('start' in value && 'end' in value) {
    if (!inTemplate) checkRange(value as Range, text);
    return;
  }
  for (const [key, inner] of Object.entries(value)) checkRanges(inner, text, inTemplate || key === 'parts');
}

describe('a generated file', () => {
  it('that follows the grammar is read, and its format means the same and is its own format', () => {
    let patches = 0;
    const files = propertyRuns(3000);
    for (let seed = 0; seed < files; seed += 1) {
      const text = generateFile(createRandom(seed));
      const parsed = parse(text);
      check(!hasErrors(parsed), `${parsed.found[0]?.message} at ${parsed.found[0]?.location?.range?.start}`, text);
      const formatted = format(text)!;
      check(meaningOf(parse(formatted)) === meaningOf(parsed), 'the format means something else', text);
      check(format(formatted) === formatted, 'the format is not stable', text);
      checkRanges(parsed.file.patches, text);
      patches += parsed.file.patches.length;
    }
    expect(patches).toBeGreaterThan(files * 2);
  });

  it('means the same with other line ends', () => {
    const files = propertyRuns(3000);
    for (let seed = 0; seed < files; seed += 1) {
      const random = createRandom(seed);
      const file = generateFile(random);
      const text = (seed % 2 === 0 ? file : mutate(file, random)).replaceAll('\r', '');
      const unix = parse(text);
      const windows = parse(text.replaceAll('\n', '\r\n'));
      check(meaningOf(windows) === meaningOf(unix), 'CRLF means something else', text);
      const messages = ({ found }: Parsed) => found.map(({ code, message }) => `${code} ${message}`).join('\n');
      check(messages(windows) === messages(unix), 'CRLF has other problems', text);
    }
  });

  it('never breaks the parser, whatever is in it', () => {
    const counts = { withErrors: 0, withPatches: 0 };
    const files = propertyRuns(100_000);
    for (let seed = 0; seed < files; seed += 1) {
      const random = createRandom(seed + 1_000_000);
      const kind = seed % 5;
      const text =
        kind < 2 ? generateText(random) : kind < 4 ? mutate(generateFile(random), random) : generateFile(random);
      const parsed = parse(text);
      for (const { location } of parsed.found) checkRange(location!.range!, text);
      counts.withPatches += parsed.file.patches.length > 0 ? 1 : 0;
      if (hasErrors(parsed)) {
        counts.withErrors += 1;
        continue;
      }
      if (seed % 10 === 0)
        check(meaningOf(parse(format(text)!)) === meaningOf(parsed), 'the format means something else', text);
    }
    expect(counts.withErrors).toBeGreaterThan(files * 0.3);
    expect(counts.withPatches).toBeGreaterThan(files * 0.3);
  });
});

describe('a value', () => {
  const tokens = [
    'a',
    '1',
    ' ',
    '\t',
    '#',
    ':',
    '-',
    '?',
    '[',
    ']',
    '{',
    '}',
    ',',
    '&',
    '*',
    '!',
    '%',
    '@',
    '`',
    '=',
    "'",
    '"',
    '\\',
    'n',
    'x41',
    'ä',
    '.',
  ];
  const scalars = fc.array(fc.constantFrom(...tokens), { maxLength: 8 }).map((parts) => parts.join(''));

  it('is what YAML takes it for', () => {
    fc.assert(
      fc.property(scalars, (value) => {
        const [patch, found] = readEntry(`k: ${value}\n`);
        const yaml = readScalar(`k: ${value}\n`);
        if (patch === undefined) expect([value, yaml === undefined ? 'refused' : yaml]).toEqual([value, 'refused']);
        else if (patch.style === 'plain' && typeof yaml !== 'string') expect(yaml).toBeDefined();
        else expect([found, patch.template.text]).toEqual([[], yaml]);
      }),
      { numRuns: 1500 },
    );
  });

  const lines = fc.constantFrom('', ' ', '  ', '   ', ' a', '  a', '   b ', '    c', '  \td', '  # e', '  - f', '   ');
  const headers = fc.constantFrom('|', '>', '|-', '>-', '|+', '>+', '|1', '|2', '>2', '|2-', '|+2', '>-1');

  it('of several lines is what YAML takes it for', () => {
    let read = 0;
    fc.assert(
      fc.property(headers, fc.array(lines, { maxLength: 6 }), (header, body) => {
        const text = `k: ${header}\n${body.map((line) => `${line}\n`).join('')}`;
        const [patch] = readEntry(text);
        // Like kubectl, our YAML reader rejects a block whose first line starts with a tab; a .kpatch file accepts it.
        if (patch === undefined || /^ *\t/.test(body.find((line) => line.trim() !== '') ?? '')) return;
        expect([text, patch.template.text]).toEqual([text, readScalar(text)]);
        read += 1;
      }),
      { numRuns: 1500 },
    );
    expect(read).toBeGreaterThan(propertyRuns(1500) * 0.6);
  });

  function readEntry(text: string) {
    const { file, found } = parse(text);
    const value = (file.patches[0] as FieldPatch | undefined)?.value;
    return [value?.type === 'scalar' ? value : undefined, found] as const;
  }

  /** The scalar that YAML reads, with null as an empty string; `undefined` if YAML rejects it or reads more than a scalar. */
  function readScalar(text: string): Json | undefined {
    const { documents, diagnostics } = readYaml({ path: 'a.yaml', text });
    if (diagnostics.length > 0 || /^k:\s+[&!]/.test(text)) return undefined;
    const value = (documents[0]?.data as { readonly k?: Json } | undefined)?.k;
    if (value === null && /^k:\s*(?:#.*)?\n$/.test(text)) return '';
    return typeof value === 'object' && value !== null ? undefined : value;
  }
});
