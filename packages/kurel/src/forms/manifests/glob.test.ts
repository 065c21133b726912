import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileGlob } from './glob.ts';

/** Reads a path part by part, as a walk does. */
function matches(pattern: string, path: string): boolean {
  const glob = compileGlob(pattern);
  const prefix = glob.directory === '.' ? '' : glob.directory === '/' ? '/' : `${glob.directory}/`;
  if (!path.startsWith(prefix)) return false;
  let readings = glob.start;
  for (const [index, part] of path.slice(prefix.length).split('/').entries()) {
    if (index > 0) readings = glob.read(readings, '/');
    readings = glob.read(readings, part);
  }
  return glob.accepts(readings);
}

describe('a pattern', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ['*.yaml', ['a.yaml', 'a.b.yaml'], ['a.yml', 'd/a.yaml', '.a.yaml', 'yaml']],
    ['a*', ['a', 'ab'], ['b', 'a/b']],
    ['*a*b*', ['ab', 'xaxbx'], ['ba']],
    ['?.yaml', ['a.yaml', 'é.yaml', '😀.yaml'], ['ab.yaml', '.yaml']],
    ['[ab].yaml', ['a.yaml', 'b.yaml'], ['c.yaml', 'ab.yaml']],
    ['[!ab].yaml', ['c.yaml'], ['a.yaml', '..yaml']],
    ['[^ab].yaml', ['c.yaml'], ['a.yaml']],
    ['[a-c0-9].yaml', ['b.yaml', '7.yaml'], ['d.yaml', '-.yaml']],
    ['[]a].yaml', ['].yaml', 'a.yaml'], ['b.yaml']],
    ['[a-].yaml', ['-.yaml', 'a.yaml'], ['b.yaml']],
    ['[\\]].yaml', ['].yaml'], ['\\.yaml']],
    ['{a,b}.yaml', ['a.yaml', 'b.yaml'], ['c.yaml', 'a,b.yaml']],
    ['{a,}b', ['ab', 'b'], ['a']],
    ['{a,b{c,d}}x', ['ax', 'bcx', 'bdx'], ['bx', 'cx']],
    ['{a/b,c}/*.yaml', ['a/b/x.yaml', 'c/x.yaml'], ['a/x.yaml', 'b/x.yaml']],
    ['\\*.yaml', ['*.yaml'], ['a.yaml']],
    ['\\{a\\}', ['{a}'], ['a']],
    ['a,b*', ['a,b', 'a,bc'], ['a']],
    ['deploy/*.yaml', ['deploy/a.yaml'], ['a.yaml', 'deploy/x/a.yaml', 'other/a.yaml']],
    ['/etc/*.yaml', ['/etc/a.yaml'], ['etc/a.yaml']],
    ['../*/a.yaml', ['../x/a.yaml'], ['../a.yaml']],
    ['**/*.yaml', ['a.yaml', 'x/a.yaml', 'x/y/a.yaml'], ['.x/a.yaml', 'x/.a.yaml']],
    ['d/**/a', ['d/a', 'd/x/a', 'd/x/y/a'], ['a', 'da', 'd/xa']],
    ['d/**', ['d/a', 'd/x/a'], ['d', 'e/a', 'd/.a', 'd/.x/a']],
    ['**/x/**', ['x/a', 'a/x/b/c'], ['x', 'a/b']],
    ['a**b', ['ab', 'axb'], ['a/b', 'axb/c']],
    ['***/a', ['x/a'], ['a', 'x/y/a']],
    ['.*', ['.a'], ['a']],
    ['.x/*', ['.x/a'], ['.x/.a']],
    ['{.,x}a', ['.a', 'xa'], ['a']],
  ])('%s', (pattern, yes, no) => {
    expect(yes.filter((path) => !matches(pattern, path))).toEqual([]);
    expect(no.filter((path) => matches(pattern, path))).toEqual([]);
  });

  it.each([
    ['[ab', 'has an unclosed ['],
    ['[', 'has an unclosed ['],
    ['[a-', 'has an unclosed ['],
    ['{a,b', 'has an unclosed {'],
    ['{a,{b}', 'has an unclosed {'],
    ['*\\', 'ends with an incomplete escape \\'],
    ['*'.repeat(5000), 'is longer than 4096 characters'],
    ['{'.repeat(100), 'has more than 32 nested braces'],
  ])('is refused: %s', (pattern, message) => {
    expect(() => compileGlob(pattern)).toThrow(message);
  });

  it('follows all readings at once, so that no pattern is slow', () => {
    const pattern = `${'{a,*a,**}*'.repeat(150)}b`;
    expect(matches(pattern, 'a'.repeat(2000))).toBe(false);
    expect(matches(`${'**/'.repeat(200)}x`, 'd/'.repeat(200))).toBe(false);
    expect(matches('{a,a}'.repeat(200), 'a'.repeat(200))).toBe(true);
  });

  it('agrees with the regular expression that says the same', () => {
    const piece = fc.constantFrom('a', 'b', '/', '*', '?', '[ab]', '[!a]', '{a,b/a}');
    const translation: Record<string, string> = { '*': '[^/]*', '?': '[^/]', '[!a]': '[^a/]', '{a,b/a}': '(?:a|b/a)' };
    const path = fc
      .array(fc.stringMatching(/^[abc]{1,3}$/), { minLength: 1, maxLength: 4 })
      .map((parts) => parts.join('/'));
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 8 }), path, (pieces, text) => {
        const pattern = pieces.join('');
        // Empty parts and `**` have rules of their own, and the fixed directory is not matched but opened.
        fc.pre(!/\/\/|^\/|\*\*/.test(pattern));
        const expression = new RegExp(`^${pieces.map((one) => translation[one] ?? one).join('')}$`);
        expect(matches(pattern, text)).toBe(expression.test(text));
      }),
      { numRuns: 2000 },
    );
  });
});
