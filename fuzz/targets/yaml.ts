import { isDeepStrictEqual } from 'node:util';
import { isJsonArray, isJsonObject } from '../../packages/kurel/src/model/index.ts';
import type { Diagnostic, Json, Location } from '../../packages/kurel/src/model/index.ts';
import { readByLibrary } from '../../packages/kurel/test/yaml/read-by-library.ts';
import { editDocument, locateInYaml, readYaml, writeJson, writeYaml } from '../../packages/kurel/src/yaml/index.ts';
import { readMarkedDocument } from '../../packages/kurel/src/yaml/read-yaml.ts';
import { joinParts, splitParts } from '../parts.ts';
import { readTexts } from '../read-repository.ts';
import { attempt, check, type Target } from '../target.ts';

export const yamlTokens: readonly string[] = [
  'a: ',
  'b:\n',
  '- ',
  '-\n',
  '? ',
  ': ',
  ':\n  ',
  '\n  ',
  '\n    ',
  '\n- ',
  '\n  - ',
  '# note\n',
  ' # note',
  '---\n',
  '--- ',
  '...\n',
  '%YAML 1.2\n',
  '|\n',
  '>\n',
  '|-\n  ',
  '>+\n',
  '|2\n',
  '|1-\n',
  '&x ',
  '*x',
  '<<: *x\n',
  '<<: ',
  '!!str ',
  '!!int ',
  '!a ',
  '{',
  '}',
  '[',
  ']',
  ', ',
  '{a: b, c}',
  '[a, b: c]',
  '"a"',
  '"\\n\\x41\\u00e9\\ud83d\\ude00"',
  "'it''s'",
  '"\\\n  ',
  '\t',
  '\r\n',
  '\r',
  '\ufeff',
  'null',
  '~',
  'yes',
  'no',
  'on',
  'true',
  '0777',
  '0o17',
  '0x1F',
  '1_000',
  '1e3',
  '.inf',
  '.nan',
  '-0',
  '12345678901234567890',
  '2024-01-01',
  '12:30:45',
  '__proto__: ',
  'constructor: ',
  '=',
  '<<',
];

function seedsOfYaml(): readonly string[] {
  return [
    ...readTexts(['yaml/cases', 'layout/cases', 'patch/pinning', 'diagnostics/cases'], { ending: /\.ya?ml$/ }),
    ...readTexts(['../../../test/oracles/yaml'], { ending: /documents\.json$/, longest: 1_000_000 }).flatMap((text) =>
      (JSON.parse(text) as readonly { readonly yaml: string }[]).map(({ yaml }) => yaml),
    ),
  ];
}

/** A carriage return anywhere in a text switches the short cut for plain lines off. */
const slowly = '#\r\n';

export const yamlRead: Target = {
  name: 'yaml-read',
  promise:
    'the reader accepts or refuses every file, its fast path gives the same result, recording positions changes nothing, written YAML reads back the same, and the npm package yaml agrees',
  seeds: seedsOfYaml,
  tokens: yamlTokens,
  short: 2500,
  run(text) {
    const file = { path: 'a.yaml', text };
    const { documents, diagnostics } = readYaml(file);
    checkRanges(text, diagnostics);
    let before = 0;
    for (const { range, data } of documents) {
      check(
        before <= range.start && range.start <= range.end && range.end <= text.length,
        'documents follow one another',
      );
      before = range.end;
      const marked = readMarkedDocument(file, range);
      check(isDeepStrictEqual(marked.data, data ?? null), 'a reading with marks gives the same data');
      if (data !== undefined) checkWriting(data);
    }
    check(Object.keys(Object.prototype).length === 0, 'prototypes stay as they are');
    checkShortCut(text, { documents, diagnostics });
    if (diagnostics.length === 0)
      checkAgreement(
        text,
        documents.map(({ data }) => data ?? null),
      );
  },
};

export function checkRanges(text: string, diagnostics: readonly Diagnostic[]): void {
  for (const { location, related = [] } of diagnostics) {
    for (const place of [location, ...related.map((one) => one.location)]) checkPlace(text, place);
  }
}

function checkPlace(text: string, place: Location | undefined): void {
  if (place?.range === undefined) return;
  const { start, end } = place.range;
  check(start >= 0 && start <= end && end <= text.length, 'a finding points into the text');
}

/** Half a surrogate pair cannot be written in UTF-8; the writer says so. */
export function checkWriting(data: Json): void {
  for (const write of [writeYaml, writeJson, (value: Json) => writeJson(value, 0)]) {
    const written = attempt(() => write(data), isHalfPair);
    if (written === undefined) continue;
    const { documents, diagnostics } = readYaml({ path: 'a.yaml', text: written });
    // In JSON a long key has no other form.
    if (write !== writeYaml && diagnostics.some(({ code }) => code === 'yaml-long-key')) continue;
    check(diagnostics.length === 0, 'what is written can be read');
    check(isDeepStrictEqual(documents[0]?.data ?? null, data), 'what is written reads the same');
    check(documents.length === 1, 'what is written is one document');
  }
}

export function isHalfPair(error: unknown): boolean {
  return error instanceof TypeError && error.message.includes('half a surrogate pair');
}

type Findings = Pick<ReturnType<typeof readYaml>, 'documents' | 'diagnostics'>;

function checkShortCut(text: string, quick: Findings): void {
  if (text.includes('\r') || text.startsWith('\ufeff') || text.startsWith('%')) return;
  // JSON may have escapes that YAML does not.
  if (/\\(?:\/|u[dD])/.test(text)) return;
  const slow = readYaml({ path: 'a.yaml', text: slowly + text });
  const same = isDeepStrictEqual(
    slow.documents.map(({ data, range }) => [data ?? null, range.end - slowly.length]),
    quick.documents.map(({ data, range }) => [data ?? null, range.end]),
  );
  check(same, 'the short cut for plain lines gives the same data');
  const codes = ({ diagnostics }: Findings, by: number): unknown =>
    diagnostics.map(({ code, message, location }) => [code, message, location && location.range!.start - by]);
  check(isDeepStrictEqual(codes(slow, slowly.length), codes(quick, 0)), 'the short cut finds the same problems');
}

/** Where the library is known to read otherwise: merges, breaks of YAML 1.1, texts without an end, blocks that say how far in they are. */
function checkAgreement(text: string, ours: readonly Json[]): void {
  if (!text.endsWith('\n') || /<<|[\u0085\u2028\u2029\ufeff\t\r!%]|[|>][+-]?[1-9]|\\\n/.test(text)) return;
  const theirs = attempt(
    () => readByLibrary(text),
    () => true,
  );
  // Of documents without a value they count others than we do.
  const valuesOf = (all: readonly Json[]): readonly Json[] => all.filter((data) => data !== null);
  if (theirs !== undefined) check(isDeepStrictEqual(valuesOf(ours), valuesOf(theirs)), 'the library reads the same');
}

export const yamlEdit: Target = {
  name: 'yaml-edit',
  isData: true,
  promise: 'an edited file has the new content, and an edit without changes leaves the file as it is',
  seeds: () =>
    seedsOfYaml().flatMap((text, index, all) => [
      joinParts({ parsed: text, wanted: all[(index * 7 + 3) % all.length]! }),
      joinParts({ parsed: text, wanted: text }),
    ]),
  tokens: yamlTokens,
  short: 1200,
  run(text) {
    const [parsed, wanted] = splitParts(text).slice(-2);
    if (parsed === undefined || wanted === undefined) return;
    const file = { path: 'a.yaml', text: parsed.text };
    const [target] = readYaml({ path: 'b.yaml', text: wanted.text }).documents;
    for (const { range, data, index } of readYaml(file).documents) {
      locateInYaml(file, { file: file.path, document: index, path: ['a', 0, 'b'] });
      if (data === undefined) continue;
      const kept = editDocument(file, range, { wanted: data });
      check(kept === parsed.text.slice(range.start, range.end), 'a text that says it already stays');
      if (target?.data === undefined) continue;
      for (const known of [undefined, data]) {
        const edited = attempt(() => editDocument(file, range, { wanted: target.data!, parsed: known }), isHalfPair);
        if (edited !== undefined) checkEdited(file.text, { range, edited, wanted: target.data });
      }
    }
  },
};

function checkEdited(
  text: string,
  {
    range,
    edited,
    wanted,
  }: { readonly range: { start: number; end: number }; readonly edited: string; readonly wanted: Json },
): void {
  // What is on the line of its marker stays behind one.
  const isBehind = range.start > 0 && !/[\n\r\ufeff]/.test(text[range.start - 1]!);
  const { documents, diagnostics } = readYaml({ path: 'a.yaml', text: `${isBehind ? '--- ' : ''}${edited}` });
  check(diagnostics.length === 0, 'an edited text can be read');
  check(
    isDeepStrictEqual(
      documents.map(({ data }) => withoutSign(data ?? null)),
      [withoutSign(wanted)],
    ),
    'an edited text says what was wanted',
  );
}

/** JSON has one zero, so the text of the other stays when one is wanted. */
function withoutSign(value: Json): Json {
  if (value === 0) return 0;
  if (isJsonArray(value)) return value.map(withoutSign);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutSign(inner)]));
}
