import * as fc from 'fast-check';

const words = [
  'a',
  'b c',
  'x:y',
  '1',
  'yes',
  '0777',
  '~',
  'null',
  '-1.5',
  'é',
  "it's",
  'a#b',
  '- a',
  'http://a/b',
  'a, b',
  '[',
  '{',
];
const plain = fc.constantFrom(...words.slice(0, -2));
const flowWord = fc.constantFrom('a', 'b c', 'x:y', '1', 'no', '~', "'q, r'", '"s\\n"', '"t: u"', '');
const comment = fc.constantFrom('', '', '', ' # note');
const gap = fc.constantFrom('', '', '', '\n', '# full line\n', '   # deep comment\n');

const flow: fc.Arbitrary<string> = fc.letrec<{ readonly node: string }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small' },
    flowWord,
    fc.array(tie('node'), { maxLength: 3 }).map((items) => `[${items.filter((item) => item !== '').join(', ')}]`),
    fc.array(fc.tuple(fc.constantFrom('k', '"l"', "'m'", 'n o'), tie('node')), { maxLength: 3 }).map((entries) => {
      const unique = new Map(entries);
      return `{${[...unique].map(([key, value]) => `${key}: ${value}`).join(', ')}}`;
    }),
  ),
})).node;

const lines = fc.array(fc.constantFrom('text', '  more', '', 'k: v', '# hash', '- dash', '\ttab'), {
  minLength: 1,
  maxLength: 4,
});

/** A scalar or flow collection after an indicator at column `indent`, with the line break at its end. */
function inline(indent: number): fc.Arbitrary<string> {
  const pad = ' '.repeat(indent + 1);
  return fc.oneof(
    { weight: 4, arbitrary: fc.tuple(plain, comment).map(([word, note]) => ` ${word}${note}\n`) },
    { weight: 1, arbitrary: fc.constantFrom(' "a\\tb"\n', " 'it''s'\n", ' ""\n', '\n', ' # none\n', '\t tabbed\n') },
    {
      weight: 1,
      arbitrary: fc.constantFrom(' &x a\n', ' &y [a, {b: c}]\n', ' *x\n', ' *y # note\n', ' !!str 1\n', ' &x !!str\n'),
    },
    { weight: 1, arbitrary: fc.tuple(flow, comment).map(([value, note]) => ` ${value}${note}\n`) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        ` one\n${pad}two\n\n${pad}  three\n`,
        ` "one\n${pad}two\n\n${pad}three"\n`,
        ` 'one\n\n${pad}two'\n`,
      ),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.constantFrom('|', '>'), fc.constantFrom('', '-', '+'), fc.boolean(), lines)
        .map(([style, chomp, explicit, body]) => {
          const text = body.map((line) => (line === '' ? '\n' : `${pad}${line}\n`)).join('');
          const needsDigit = explicit || /^\s/.test(body.find((line) => line !== '') ?? '');
          return ` ${style}${needsDigit ? '1' : ''}${chomp}\n${text}`;
        }),
    },
  );
}

const keys = fc.constantFrom('a', 'b', 'c d', '"e"', "'f g'", 'h', 'x/y.z', '1', 'on');

/** A block mapping or list at a column, as lines; the first line too is indented. */
function block(indent: number, depth: number): fc.Arbitrary<string> {
  const pad = ' '.repeat(indent);
  const value = depth === 0 ? inline(indent) : fc.oneof(inline(indent), inner(indent, depth));
  const item = depth === 0 ? inline(indent) : fc.oneof(inline(indent), inner(indent, depth), compact(indent, depth));
  const mapping = fc
    .uniqueArray(fc.tuple(gap, keys, value), { minLength: 1, maxLength: 3, selector: ([, key]) => key })
    .map((entries) => entries.map(([space, key, text]) => `${space}${pad}${key}:${text}`).join(''));
  const list = fc
    .array(fc.tuple(gap, item), { minLength: 1, maxLength: 3 })
    .map((items) => items.map(([space, text]) => `${space}${pad}-${text}`).join(''));
  return fc.oneof(mapping, list);
}

function inner(indent: number, depth: number): fc.Arbitrary<string> {
  return fc
    .tuple(fc.integer({ min: 1, max: 4 }), fc.constantFrom('', '', '', ' # note', ' &x', ' &y # note'))
    .chain(([more, note]) => block(indent + more, depth - 1).map((text) => `${note}\n${text}`));
}

/** A collection that starts on the line of its dash. */
function compact(indent: number, depth: number): fc.Arbitrary<string> {
  return fc.integer({ min: 1, max: 3 }).chain((more) =>
    block(indent + 1 + more, depth - 1).map((text) => {
      const start = text.search(/^ *[^\s#]/m);
      return text.slice(start + indent + 1);
    }),
  );
}

const document = fc.oneof(
  { weight: 5, arbitrary: block(0, 3) },
  { weight: 1, arbitrary: inline(-1).map((text) => text.trimStart()) },
);

/** Texts that are mostly YAML, made from a grammar of their own: block and flow, all scalar styles, comments, documents. */
export const yamlLike: fc.Arbitrary<string> = fc
  .tuple(fc.array(document, { minLength: 1, maxLength: 2 }), fc.boolean())
  .map(([documents, cut]) => {
    const text = documents.join('---\n');
    return cut ? text.trimEnd() : text;
  });
