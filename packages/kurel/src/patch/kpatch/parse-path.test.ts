import { describe, expect, it } from 'vitest';
import { showSteps } from '../../../test/patch/notation-cases.ts';
import { parsePath } from './parse-path.ts';

function stepsOf(text: string, within?: { readonly start: number; readonly end: number }) {
  const path = parsePath(text, within);
  if ('problem' in path) throw new Error(`${text}: ${path.problem.reason}`);
  return path;
}

describe('parsePath', () => {
  // The path, its steps, and the text that the range of each step covers.
  it.each<[string, string, readonly string[]]>([
    ['spec', 'spec', ['spec']],
    ['spec.replicas', 'spec replicas', ['spec', 'replicas']],
    ['.spec.replicas.', 'spec replicas', ['spec', 'replicas']],
    ['hosts.0', 'hosts 0', ['hosts', '0']],
    ['0', '0', ['0']],
    ['hosts[0]', 'hosts #0', ['hosts', '[0]']],
    ['hosts[ 007 ]', 'hosts #7', ['hosts', '[ 007 ]']],
    ['containers.*.image', 'containers <all> image', ['containers', '*', 'image']],
    ['containers[*].image', 'containers <all> image', ['containers', '[*]', 'image']],
    ['containers.-', 'containers <append>', ['containers', '-']],
    ['containers[-]', 'containers <append>', ['containers', '[-]']],
    ['containers[-3]', 'containers <before:#3>', ['containers', '[-3]']],
    ['containers[+2]', 'containers <after:#2>', ['containers', '[+2]']],
    ['containers[-name=a]', 'containers <before:name="a">', ['containers', '[-name=a]']],
    ['containers[ +name=a ]', 'containers <after:name="a">', ['containers', '[ +name=a ]']],
    ['containers.name=main.image', 'containers name="main" image', ['containers', 'name=main', 'image']],
    ['containers.name=a-b+c:d/e@f_g,h', 'containers name="a-b+c:d/e@f_g,h"', ['containers', 'name=a-b+c:d/e@f_g,h']],
    ['containers.name=a[0]', 'containers name="a" #0', ['containers', 'name=a', '[0]']],
    ['containers.image=nginx:1', 'containers image="nginx:1"', ['containers', 'image=nginx:1']],
    ['containers[name=main].image', 'containers name="main" image', ['containers', '[name=main]', 'image']],
    ['containers[name=b,image=b:1]', 'containers name="b"&image="b:1"', ['containers', '[name=b,image=b:1]']],
    ['c[ name=b , image= b c ]', 'c name="b"&image="b c"', ['c', '[ name=b , image= b c ]']],
    ['c[image.name=main]', 'c image/name="main"', ['c', '[image.name=main]']],
    ['c[name="a, ]b"]', 'c name="a, ]b"', ['c', '[name="a, ]b"]']],
    ["c[name='it''s', x= ]", 'c name="it\'s"&x=""', ['c', "[name='it''s', x= ]"]],
    ['c[name=a"b]', String.raw`c name="a\"b"`, ['c', '[name=a"b]']],
    ['c[name=[x=y]', 'c name="[x=y"', ['c', '[name=[x=y]']],
    ['c[name=]', 'c name=""', ['c', '[name=]']],
    ['c[name=${values.a[0]}].d', 'c name="${values.a[0]}" d', ['c', '[name=${values.a[0]}]', 'd']],
    ['c.name=${values.a.b}.d', 'c name="${values.a.b}" d', ['c', 'name=${values.a.b}', 'd']],
    ['annotations["a.b/c"]', 'annotations "a.b/c"', ['annotations', '["a.b/c"]']],
    ["annotations[ 'a.b' ].x", 'annotations "a.b" x', ['annotations', "[ 'a.b' ]", 'x']],
    ['"a.b".c."d"', '"a.b" c "d"', ['"a.b"', 'c', '"d"']],
    [String.raw`"\u00e4\t"`, String.raw`"ä\t"`, [String.raw`"\u00e4\t"`]],
    [
      'metadata.labels.${values.a.b["c.d"]}x',
      'metadata labels ${values.a.b["c.d"]}x',
      ['metadata', 'labels', '${values.a.b["c.d"]}x'],
    ],
    ['${a}', '${a}', ['${a}']],
    ['${ a["}"] }.b', '${ a["}"] } b', ['${ a["}"] }', 'b']],
    ['a.$${b.c}', 'a $${b.c}', ['a', '$${b.c}']],
    ['a.$x.$', 'a $x $', ['a', '$x', '$']],
    ['prometheus.io/port', 'prometheus io/port', ['prometheus', 'io/port']],
    ['a:b.c@d~e%f_g-h', 'a:b c@d~e%f_g-h', ['a:b', 'c@d~e%f_g-h']],
    ['größe.日本.𝒳', 'größe 日本 𝒳', ['größe', '日本', '𝒳']],
    ['a.constructor.toString', 'a constructor toString', ['a', 'constructor', 'toString']],
    ['tier[delete]', 'tier <delete>', ['tier', '[delete]']],
    ['labels[delete=tier]', 'labels <delete:tier>', ['labels', '[delete=tier]']],
    ['labels[delete="a.b/c"]', 'labels <delete:"a.b/c">', ['labels', '[delete="a.b/c"]']],
    ['labels[delete=${values.a.b}]', 'labels <delete:${values.a.b}>', ['labels', '[delete=${values.a.b}]']],
    ['c[delete=1]', 'c <delete:#1>', ['c', '[delete=1]']],
    ['c[delete=-1]', 'c <delete:last-1>', ['c', '[delete=-1]']],
    ['c[delete=name=b]', 'c <delete:name="b">', ['c', '[delete=name=b]']],
    ['c[ delete ]', 'c <delete>', ['c', '[ delete ]']],
    ['c[deleted=b]', 'c deleted="b"', ['c', '[deleted=b]']],
    ['delete.delete', 'delete delete', ['delete', 'delete']],
  ])('%s', (text, steps, ranges) => {
    const path = stepsOf(text);
    expect(showSteps(path.steps)).toBe(steps);
    expect(path.steps.map(({ range }) => text.slice(range.start, range.end))).toEqual(ranges);
  });

  it('locates the item of an insertion or deletion', () => {
    const text = 'a[ +name=b , c=d ]';
    const [, insertion] = stepsOf(text).steps;
    expect(insertion).toMatchObject({ type: 'insert', at: { range: { start: 4, end: 16 } } });
    expect(text.slice(4, 16)).toBe('name=b , c=d');
    expect(stepsOf('a[delete=-12]').steps[1]).toMatchObject({ what: { count: 12, range: { start: 9, end: 12 } } });
  });

  it.each([
    ['a.b', 'a.b'],
    ['.a.b.', 'a.b'],
    ['a[ name=b , c= d e ]', 'a[name=b,c=d e]'],
    ['a[ "b c" ][ 0 ]', 'a["b c"][0]'],
    ['a[name= "b" ].${ c }', 'a[name="b"].${ c }'],
  ])('spells %j as %j', (text, spelling) => {
    expect(stepsOf(text).text).toBe(spelling);
  });

  it('reads only the given range', () => {
    const text = 'xx: a.b[c=d]: 1';
    const within = { start: 4, end: 12 };
    const path = stepsOf(text, within);
    expect(path.text).toBe('a.b[c=d]');
    expect(path.range).toEqual(within);
    expect(path.steps.at(-1)!.range).toEqual({ start: 7, end: 12 });
  });

  it.each([
    ['a.b', true],
    ['a.0', true],
    ['a."b"', false],
    ['a[0]', false],
    ['a.b=c', false],
  ])('%s has only names: %s', (text, isPlain) => {
    expect(stepsOf(text).isPlain).toBe(isPlain);
  });

  // The path, and the text that the range of the problem covers.
  it.each<[string, string, string]>([
    ['', '', 'the key is empty'],
    ['.', '.', 'the key is empty'],
    ['a..b', '.', 'a name is missing after `.`'],
    ['a..', '.', 'a name is missing after `.`'],
    ['a.[0]', '.', 'a name is missing after `.`'],
    ['a b', ' ', 'the key "a b" contains a space'],
    [' a', '', 'a name is missing'],
    ['a ', ' ', 'the key "a " contains a space'],
    ['a: b', ':', '":" is not allowed in an unquoted name'],
    ['a:', ':', '":" is not allowed in an unquoted name'],
    ['a\nb', '\n', String.raw`"\n" is not allowed in an unquoted name`],
    ['a,b', ',', '"," is not allowed in an unquoted name'],
    ['a[0]b', 'b', 'unexpected "b" directly after `]`'],
    ['"a"b', 'b', 'unexpected "b" directly after `"`'],
    ['a.*b', '*', '`*` means all items and cannot be part of a name'],
    ['*', '*', '"*" is not allowed in an unquoted name'],
    ['-', '-', 'a key cannot start with `-`'],
    ['[0]', '', 'a name is missing'],
    ['name=main', '=', '"name=" looks like a selector, but no list comes before it'],
    ['a.-1', '-1', '".-1" is ambiguous: an insertion, or an item counted from the end'],
    ['a[+]', '[+]', '`[+]` does not name the item to insert after'],
    ['a[]', '[]', 'the brackets are empty'],
    ['a[b]', 'b', '"b" is not a valid selector'],
    ['a[0', '[', '`[` is not closed'],
    ['a[b=c', '[', '`[` is not closed'],
    ['a["b', '"', '`"` is not closed on the same line'],
    ['a[*b]', 'b', 'expected `]`, got "b"'],
    ['a[0,1]', ',', 'expected `]`, got ","'],
    ['a.${b', '${', '`${` is not closed'],
    ['a[b=${c]', '${', '`${` is not closed'],
    ['a["${b"]', '"${b"', '`${` is not closed'],
    ['__proto__', '__proto__', 'the name "__proto__" is not allowed'],
    ['a[delete=b.c]', 'b.c', '"b.c" is not a valid selector'],
    ['a[delete=*]', '[delete=', '`[delete=` does not name what to delete'],
    [String.raw`"\ud800"`, String.raw`\ud800`, String.raw`"\ud800" is not a valid escape sequence`],
  ])('refuses %j', (text, covered, reason) => {
    const path = parsePath(text);
    expect(path).toMatchObject({ problem: { reason } });
    const { range } = (path as { problem: { range: { start: number; end: number } } }).problem;
    expect(text.slice(range.start, range.end)).toBe(covered);
  });

  it('stops at paths longer than any object has', () => {
    const longest = Array.from({ length: 100 }, () => 'a').join('.');
    expect(stepsOf(longest).steps).toHaveLength(100);
    expect(parsePath(`${longest}[0]`)).toMatchObject({ problem: { range: { start: 1, end: longest.length + 3 } } });
    expect(parsePath('a.'.repeat(1_000_000))).toMatchObject({
      problem: { reason: 'the path has more than 100 steps' },
    });
  });
});
