import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '../../model/index.ts';
import type { FieldPatch, PatchFile } from '../patch.ts';
import { showPatch } from '../../../test/patch/notation-cases.ts';
import { parseKpatch } from '../yaml-patch/read-patch-file.ts';

interface Parsed {
  readonly file: PatchFile;
  readonly patches: readonly FieldPatch[];
  readonly shown: readonly string[];
  readonly codes: readonly string[];
  readonly found: readonly Diagnostic[];
}

function parse(text: string): Parsed {
  const found: Diagnostic[] = [];
  const file = parseKpatch({ path: 'a.kpatch', text }, (diagnostic) => void found.push(diagnostic));
  const patches = file.patches as readonly FieldPatch[];
  return { file, patches, shown: patches.map(showPatch), codes: found.map(({ code }) => code), found };
}

/** The text that the range of a location covers. */
function cut(
  text: string,
  location: { readonly range?: { readonly start: number; readonly end: number } } | undefined,
) {
  return text.slice(location!.range!.start, location!.range!.end);
}

describe('headers', () => {
  it.each([
    ['[deployment.web]', 'deployment web | x'],
    ['  [ deployment.web ]  ', 'deployment web | x'],
    ['[Deployment.web]', 'Deployment web | x'],
    ['[deployment.web] # note', 'deployment web | x'],
    ['[deployment.web]\t#note', 'deployment web | x'],
    ['[deployment.web.containers]', 'deployment web | containers x'],
    ['[deployment.web.containers.name=main]', 'deployment web | containers name="main" x'],
    ['[deployment.web.containers.0]', 'deployment web | containers 0 x'],
    ['[deployment.web.containers[0]]', 'deployment web | containers #0 x'],
    ['[deployment.web.containers[image.name=main]]', 'deployment web | containers image/name="main" x'],
    ['[deployment.web.containers.*]', 'deployment web | containers <all> x'],
    ['[deployment.web.containers[*]]', 'deployment web | containers <all> x'],
    ['[deployment.web.a.name=main.env.name=LOG]', 'deployment web | a name="main" env name="LOG" x'],
    ['[deployment.web.metadata.annotations["a.b/c"]]', 'deployment web | metadata annotations "a.b/c" x'],
    ['[deployment.*]', 'deployment * | x'],
    ['[*.*]', '* * | x'],
    ['[*.web]', '* web | x'],
    ['[deployment.web-*.spec]', 'deployment web-* | spec x'],
    ['[deployment.w?b]', 'deployment w?b | x'],
    ['[shop/deployment.web]', 'shop deployment web | x'],
    ['[shop/*.web]', 'shop * web | x'],
    ['["shop"/deployment.web]', 'shop deployment web | x'],
    ['[deployment.a/b]', 'deployment a/b | x'],
    ['[deployment@apps/web]', 'deployment @apps web | x'],
    ['[service@serving.knative.dev/web.spec]', 'service @serving.knative.dev web | spec x'],
    ['[ shop/service@serving.knative.dev/"a.b".spec ]', 'shop service @serving.knative.dev "a.b" | spec x'],
    ['[*@apps/*]', '* @apps * | x'],
    ['[${kind}@${group}/web-*]', '${kind} @${group} web-* | x'],
    ['[rolebinding.alice@example]', 'rolebinding alice@example | x'],
    ['[configmap."a.b"]', 'configmap "a.b" | x'],
    ["[configmap.'a.b'.data]", 'configmap "a.b" | data x'],
    ['[configmap["a.b"]]', 'configmap "a.b" | x'],
    ['[configmap[ "a.b" ].data]', 'configmap "a.b" | data x'],
    ['[configmap.a.b]', 'configmap a | b x'],
    ['[deployment.${values.name}]', 'deployment ${values.name} | x'],
    ['[${ns.a}/${kind}.web-${a["b.c"]}-x]', '${ns.a} ${kind} web-${a["b.c"]}-x | x'],
    ['[deployment."${values.name}"]', 'deployment "${values.name}" | x'],
    ['[deployment.web.${values.section}]', 'deployment web | ${values.section} x'],
  ])('%s', (header, expected) => {
    const { shown, codes } = parse(`${header}\nx: 1\n`);
    expect(codes).toEqual([]);
    expect(shown).toEqual([`${expected} | "1"`]);
  });

  it('say where they are', () => {
    const text = '# first\n  [ shop/deployment."web".a ]';
    const { patches } = parse(`${text}\n  .x : 1\n`);
    const [patch] = patches;
    expect(patch!.target.type === 'header' && cut(text, patch!.target.location)).toBe('shop/deployment."web"');
    expect(cut(text, { range: patch!.steps[0]!.range })).toBe('a');
    expect(patch!.text).toBe('[shop/deployment."web".a] x');
  });

  it('share one target between the entries below', () => {
    const { patches } = parse('[a.b]\nx: 1\ny: 2\n');
    expect(patches[0]!.target).toBe(patches[1]!.target);
  });

  it('may come again', () => {
    const { shown, codes } = parse('[a.b]\nx: 1\n[c.d]\n[a.b]\nx: 2\n');
    expect(codes).toEqual([]);
    expect(shown).toEqual(['a b | x | "1"', 'a b | x | "2"']);
  });

  it('are not needed: then every object is meant', () => {
    const { patches, shown } = parse('metadata.labels: "${global.labels}"\n[a.b]\nx: 1\n');
    expect(shown).toEqual(['<all> | metadata labels | ""${global.labels}"', 'a b | x | "1"']);
    expect(patches[0]!.text).toBe('metadata.labels');
  });
});

describe('values', () => {
  it.each([
    ['x: 3', '"3"'],
    ['x: 3  # three', '"3"'],
    ['x:   3\t', '"3"'],
    ['x\t:\t3', '"3"'],
    ['x:', '""'],
    ['x: ', '""'],
    ['x: # nothing', '""'],
    ['x: a b  c', '"a b  c"'],
    ['x: http://x:80/a#b', '"http://x:80/a#b"'],
    ['x: a#b #c', '"a#b"'],
    ['x: a = b', '"a = b"'],
    ['x: 1.10', '"1.10"'],
    ['x: 0644', '"0644"'],
    ['x: null', '"null"'],
    ['x: ~', '"~"'],
    ['x: TRUE', '"TRUE"'],
    ['x: -1', '"-1"'],
    ['x: --flag', '"--flag"'],
    ['x: -', undefined],
    ['x: ?a', '"?a"'],
    ['x: :a', '":a"'],
    ['x: a[b]{c},d', '"a[b]{c},d"'],
    ["x: it's", `"it's"`],
    ['x: say "hi"', String.raw`"say \"hi\""`],
    ['x: ${values.n}', '"${values.n}"'],
    ['x: ${a["k #1"]} # c', String.raw`"${'${'}a[\"k #1\"]}"`],
    ['x: ${a["b: c"]}', String.raw`"${'${'}a[\"b: c\"]}"`],
    ['x: img:${values.ver}', '"img:${values.ver}"'],
    ['x: $${values.n}', '"$${values.n}"'],
    ['x: $5', '"$5"'],
    ['x: ""', '"""'],
    ['x: "8443"', '""8443"'],
    ['x: "a # b"  # c', '""a # b"'],
    ['x: "${values.n}"', '""${values.n}"'],
    [String.raw`x: "a\tb\n\"c\"\\ \x41\u00e9\U0001F600\/\_"`, `"${JSON.stringify('a\tb\n"c"\\ Aé😀/\u00a0')}`],
    [String.raw`x: "\ud83d\ude00"`, '""😀"'],
    [String.raw`x: "\0\a\b\e\f\v\N\L\P\ "`, `"${JSON.stringify('\0\x07\b\x1b\f\v\x85\u2028\u2029 ')}`],
    ["x: ''", '"""'],
    ["x: 'it''s'", `""it's"`],
    [String.raw`x: 'a\b'`, String.raw`""a\\b"`],
    ['x: |', '|""'],
    ['x: ---', '"---"'],
    ['x: ä日本😀', '"ä日本😀"'],
  ])('%s', (line, expected) => {
    const { shown, codes } = parse(`[a.b]\n${line}\n`);
    if (expected === undefined) expect(codes).toEqual(['kpatch-value-not-scalar']);
    else expect([codes, shown]).toEqual([[], [`a b | x | ${expected}`]]);
  });

  it.each([
    ['|\n  l1\n  l2\n', 'l1\nl2\n'],
    ['|  # note\n  l1\n', 'l1\n'],
    ['|-\n  l1\n\n', 'l1'],
    ['|+\n  l1\n\n', 'l1\n\n'],
    ['|2\n    l1\n', '  l1\n'],
    ['|2-\n   l1\n', ' l1'],
    ['|-2\n   l1\n', ' l1'],
    ['|\n  l1', 'l1\n'],
    ['|+\n  l1', 'l1\n'],
    ['|\n\n  l1\n', '\nl1\n'],
    ['|\n  l1\n\n\n  l2\n', 'l1\n\n\nl2\n'],
    ['|\n  l1\n    l2\n', 'l1\n  l2\n'],
    ['|\n  l1  \n', 'l1  \n'],
    ['|\n  l1\n     \n', 'l1\n   \n'],
    ['|\n  \tl1\n', '\tl1\n'],
    ['|\n  # no comment\n  [no.header]\n  no: entry\n', '# no comment\n[no.header]\nno: entry\n'],
    ['|\n  a\n# comment\n', 'a\n'],
    ['|+\n\n\n', '\n\n'],
    ['|\n\n\n', ''],
    ['|-\n', ''],
    ['|\n  a\n\t\n  b\n', 'a\n\nb\n'],
    ['>\n  a\n  b\n\n  c\n', 'a b\nc\n'],
    ['>-\n  a\n    b\n  c\n', 'a\n  b\nc'],
    ['>+\n  a\n\n', 'a\n\n'],
    ['>\n\n  a\n', '\na\n'],
    ['|\n  ${values.a}\n  $${b\n', '${values.a}\n$${b\n'],
  ])('block %j', (block, expected) => {
    const { patches, codes } = parse(`[a.b]\nx: ${block}`);
    expect(codes).toEqual([]);
    expect(patches[0]!.value).toMatchObject({ style: 'block', template: { text: expected } });
  });

  it('a block is every line indented deeper than its key', () => {
    const { shown } = parse('[a.b]\n   x: |\n    l1\n     l2\n   y: 2\n\tz: |\n  l3\n');
    expect(shown).toEqual(['a b | x | |"l1\\n l2\\n"', 'a b | y | "2"', 'a b | z | |"l3\\n"']);
  });

  it('say where they are', () => {
    const text = '[a.b]\nx:  "a"  # c\ny:  a b \nz: |-  # c\n  l1\n  l2\n\nw:  # none\n';
    const { patches } = parse(text);
    const cuts = patches.map(({ value }) => value.type === 'scalar' && cut(text, value.location));
    expect(cuts).toEqual(['"a"', 'a b', '|-  # c\n  l1\n  l2', '']);
    expect(patches.map(({ location }) => cut(text, location))).toEqual(['x', 'y', 'z', 'w']);
    expect(patches[0]!.location.file).toBe('a.kpatch');
  });
});

describe('entries', () => {
  it.each([
    ['.spec.replicas.: 3', 'spec replicas | "3"'],
    ['hosts.0: z.ex', 'hosts 0 | "z.ex"'],
    ['"a: b".c: 1', '"a: b" c | "1"'],
    ['a["b: c"]: 1', 'a "b: c" | "1"'],
    ['a[b=c: d]: 1', 'a b="c: d" | "1"'],
    ['a[b="c] d: "]: 1', 'a b="c] d: " | "1"'],
    ['a.${b: c}: 1', 'a ${b: c} | "1"'],
    ['a:b: 1', 'a:b | "1"'],
    ['a:: 1', 'a: | "1"'],
    ['image=x: 1', undefined],
    ['a.image=nginx:1: 1', 'a image="nginx:1" | "1"'],
    ['metadata.labels.tier[delete]:', 'metadata labels tier <delete> | <none>'],
    ['metadata.labels.tier[delete]: ""', 'metadata labels tier <delete> | <none>'],
    ['metadata.labels.tier[delete]: null', 'metadata labels tier <delete> | <none>'],
    ['metadata.labels[delete=tier]:  # gone', 'metadata labels <delete:tier> | <none>'],
    ['spec.containers[delete=-1]:', 'spec containers <delete:last-1> | <none>'],
    ['args[-]: w', 'args <append> | "w"'],
    ['args[+0]: w', 'args <after:#0> | "w"'],
    ['spec.containers[name=b].image: b:2', 'spec containers name="b" image | "b:2"'],
  ])('%s', (line, expected) => {
    const { shown, codes } = parse(`[a.b]\n${line}\n`);
    if (expected === undefined) expect(codes).toEqual(['kpatch-syntax']);
    else expect([codes, shown]).toEqual([[], [`a b | ${expected}`]]);
  });

  it.each([
    ['x:1', 'x | "1"'],
    ['image:nginx:1', 'image | "nginx:1"'],
    ['x:"a: b"', 'x | ""a: b"'],
    ['x:1  # a: b', 'x | "1"'],
    ['a[b=c:d]:1', 'a b="c:d" | "1"'],
  ])('%s without a blank', (line, expected) => {
    const { shown, codes } = parse(`[a.b]\n${line}\n`);
    expect([codes, shown]).toEqual([['kpatch-colon-space'], [`a b | ${expected}`]]);
  });

  it('are joined to the steps and the text of their header', () => {
    const { patches } = parse('[ deployment.web.containers.name=main ] # c\n  .image.tag. : 1\n');
    expect(patches[0]!.text).toBe('[deployment.web.containers.name=main] image.tag');
    expect(patches[0]!.steps).toHaveLength(4);
  });

  it('with one key twice are both there', () => {
    const { shown, found } = parse('[a.b]\nspec.x: 2\nspec["x"]: 5\n');
    expect(shown).toEqual(['a b | spec x | "2"', 'a b | spec "x" | "5"']);
    expect(found).toMatchObject([{ code: 'kpatch-duplicate-key', severity: 'warning' }]);
  });

  it.each([
    ['a.0: 1\na."0": 1', 0],
    ['a.b: 1\na["b"]: 1', 1],
    ['a["b.c"]: 1\na.b.c: 1', 0],
    ['a["b.c"]: 1\na[\'b.c\']: 1', 1],
    ['append: 1\n"append": 1\nx[*]: 1\nx.*: 1', 2],
    ['a[b=c]: 1\na.b=c: 1', 1],
    ['a[b=c]: 1\na[b="c "]: 1', 0],
    ['a[b=c,d=e]: 1\na[b="c,d=e"]: 1', 0],
    ['a[delete=1]:\na[delete=-1]:\na[delete="1"]:\na[delete]:\na[delete=b=1]:', 0],
    ['a[delete=b]:\na[ delete=b ]:', 1],
    ['a[0]: 1\na[00]: 1', 1],
    ['a[-]: 1\na[-]: 1\na[+0]: 1\na[+0]: 1', 0],
    ['ä: 1\n"ä": 2', 1],
  ])('%j says so %i times', (entries, count) => {
    expect(parse(`[a.b]\n${entries}\n`).codes).toEqual(Array.from({ length: count }, () => 'kpatch-duplicate-key'));
  });
});

describe('new items', () => {
  it.each([
    [
      '[d.w.containers[+name=main]]\nname: proxy\nimage: envoy:1.30\nresources.limits.cpu: 1',
      ['d w | containers <after:name="main"> | {name: "proxy", image: "envoy:1.30", resources limits cpu: "1"}'],
    ],
    ['[d.w.containers.-]\nname: a\n\n# and\nimage: b', ['d w | containers <append> | {name: "a", image: "b"}']],
    [
      '[d.w.env[-]]\nname: A\n[d.w.env[-]]\nname: B',
      ['d w | env <append> | {name: "A"}', 'd w | env <append> | {name: "B"}'],
    ],
    ['[d.w.containers[-].env]\nname: A', ['d w | containers <append> | {env name: "A"}']],
    [
      '[d.w]\nspec.c[+name=web].image: x\nspec.c[ +name=web ].name: y',
      ['d w | spec c <after:name="web"> | {image: "x", name: "y"}'],
    ],
    [
      '[d.w]\nc[-].a: 1\nc[+0].b: 2\nc[+0].c: 3\nc[-].d: 4',
      ['d w | c <append> | {a: "1"}', 'd w | c <after:#0> | {b: "2", c: "3"}', 'd w | c <append> | {d: "4"}'],
    ],
    [
      '[d.w]\nc[-].a: 1\nx: 2\nc[-].b: 3',
      ['d w | c <append> | {a: "1"}', 'd w | x | "2"', 'd w | c <append> | {b: "3"}'],
    ],
    ['[d.w]\na[-]: x\na[-]: y', ['d w | a <append> | "x"', 'd w | a <append> | "y"']],
    ['[d.w]\na[-].b: x\na[-]: y', ['d w | a <append> | {b: "x"}', 'd w | a <append> | "y"']],
    ['c[-].a: 1\n[d.w]\nc[-].a: 1', ['<all> | c <append> | {a: "1"}', 'd w | c <append> | {a: "1"}']],
  ])('%j', (text, expected) => {
    expect(parse(text)).toMatchObject({ shown: expected, codes: [] });
  });

  it('have the location of their header or first key', () => {
    const text = '[d.w.c[-]] # new\na: 1\nb: 2\n[d.w]\nx.c[-].a: 1\nx.c[-].b: 2\n';
    const { patches } = parse(text);
    expect(patches.map(({ location }) => cut(text, location))).toEqual(['[d.w.c[-]]', 'x.c[-].a']);
    expect(patches.map((patch) => patch.text)).toEqual(['[d.w.c[-]]', '[d.w] x.c[-].a']);
    const entries = patches.flatMap(({ value }) => (value.type === 'item' ? value.entries : []));
    expect(entries.map(({ location }) => cut(text, location))).toEqual(['a', 'b', 'x.c[-].a', 'x.c[-].b']);
  });
});

describe('a problem', () => {
  it('hides no other line', () => {
    const { shown, codes } = parse('[a.b]\nx: [1]\ny: 2\na..b: 3\nz 4\nw: 5\n');
    expect(codes).toEqual(['kpatch-value-not-scalar', 'kpatch-syntax', 'kpatch-syntax']);
    expect(shown).toEqual(['a b | y | "2"', 'a b | w | "5"']);
  });

  it('in a header opens a section that is checked and gives nothing', () => {
    const { shown, found } = parse('[a.b]\nx: 1\n[c]\ny: 2\ny: 3\nz: [1]\nq[delete].r:\n[d.e]\nw: 4\n');
    expect(shown).toEqual(['a b | x | "1"', 'd e | w | "4"']);
    expect(found.map(({ code, location }) => [code, location!.range!.start])).toEqual([
      ['kpatch-syntax', 12],
      ['kpatch-duplicate-key', 20],
      ['kpatch-value-not-scalar', 28],
      ['kpatch-syntax', 33],
    ]);
  });

  it.each(['a..b: |\n  [c.d]\n  e..f\ny: 1', 'x: |x\n  [c.d]\n\n  e..f\n\ny: 1', 'x: |\n\ttext\n   e..f\ny: 1'])(
    'does not make entries of the block in %j',
    (text) => {
      const { shown, codes } = parse(`[a.b]\n${text}\n`);
      expect(new Set(codes)).toEqual(new Set(['kpatch-syntax']));
      expect(shown).toEqual(['a b | y | "1"']);
    },
  );

  it('is one for each line, of key and value', () => {
    expect(parse('[a.b]\na..b..c[: [x]\na..b: [x]\n').codes).toEqual([
      'kpatch-syntax',
      'kpatch-syntax',
      'kpatch-value-not-scalar',
    ]);
  });

  it('does not fill the memory when there are too many', () => {
    const { found } = parse('?\n'.repeat(5000));
    expect(found).toHaveLength(1001);
    expect(found.at(-1)!.message).toBe('4000 more problems in this file are not shown');
  });
});

describe('texts', () => {
  it.each(['', '\n', '# only\n  # comments\n', '\ufeff', '\ufeff# c', ' \t\r\n'])('%j has no patches', (text) => {
    expect(parse(text)).toMatchObject({ shown: [], codes: [] });
  });

  it.each(['\ufeff[a.b]\nx: 1\n', '[a.b]\rx: 1', '[a.b]\r\nx: 1\r\n', '\t[a.b]\n\t\tx: 1'])('%j is read', (text) => {
    const { file, shown, codes } = parse(text);
    expect(codes).toEqual([]);
    expect(shown).toEqual(['a b | x | "1"']);
    expect(file).toMatchObject({ format: 'kpatch', source: { path: 'a.kpatch', text } });
  });

  it('have lines of any length', () => {
    const long = 'x'.repeat(200_000);
    expect(parse(`[a.b]\n${long}: ${long}\n`)).toMatchObject({ shown: [`a b | ${long} | "${long}"`], codes: [] });
  });
});

describe('the pinning cases of the format', () => {
  it.each<[number, string, readonly string[]]>([
    [4, '[deployment.web]   # note\nspec.replicas: 3  # three', ['deployment web | spec replicas | "3"']],
    [
      9,
      '[deployment.*.spec.template.spec.containers.*]\nimagePullPolicy: Always',
      ['deployment * | spec template spec containers <all> imagePullPolicy | "Always"'],
    ],
    [
      12,
      '[deployment.web.containers.name=main]\nimage.tag: "2.0"',
      ['deployment web | containers name="main" image tag | ""2.0"'],
    ],
    [
      13,
      '[deployment.web.containers.name=main]\nimage.tag: 1.20',
      ['deployment web | containers name="main" image tag | "1.20"'],
    ],
    [
      14,
      '[deployment.web.containers.name=main.env.name=B]\nvalue: 9',
      ['deployment web | containers name="main" env name="B" value | "9"'],
    ],
    [
      15,
      '[deployment.web.containers[name=main].env[-]]\nname: DEBUG\nvalue: "true"',
      ['deployment web | containers name="main" env <append> | {name: "DEBUG", value: ""true"}'],
    ],
    [
      16,
      '[deployment.web.containers[+name=main]]\nname: mid\nimage: m:1',
      ['deployment web | containers <after:name="main"> | {name: "mid", image: "m:1"}'],
    ],
    [
      17,
      '[deployment.web.containers[-name=main]]\nname: pre\nimage: p:1',
      ['deployment web | containers <before:name="main"> | {name: "pre", image: "p:1"}'],
    ],
    [
      18,
      '[deployment.web.containers.-]\nname: last\nimage: l:1',
      ['deployment web | containers <append> | {name: "last", image: "l:1"}'],
    ],
    [
      24,
      '[deployment.web]\nmetadata.annotations["kurel.gokure.dev/install-phase"]: "pre-install"',
      ['deployment web | metadata annotations "kurel.gokure.dev/install-phase" | ""pre-install"'],
    ],
    [
      25,
      '[deployment.web]\nmetadata.annotations.prometheus.io/port: 9090',
      ['deployment web | metadata annotations prometheus io/port | "9090"'],
    ],
    [31, '[ingress.edge.tls.0]\nhosts.0: z.ex', ['ingress edge | tls 0 hosts 0 | "z.ex"']],
    [37, '[configmap.cfg]\ndata.text: |\n  l1\n  l2', ['configmap cfg | data text | |"l1\\nl2\\n"']],
    [
      45,
      '[deployment.web]\nmetadata.labels.url: http://x:80/a#b',
      ['deployment web | metadata labels url | "http://x:80/a#b"'],
    ],
    [53, '[configmap."a.b"]\ndata.x: y', ['configmap "a.b" | data x | "y"']],
    [54, 'metadata.labels.env: prod', ['<all> | metadata labels env | "prod"']],
    [57, '# a\n\n  # b', []],
    [65, '[deployment.x*]\nreplicas: 1', ['deployment x* | replicas | "1"']],
    [
      92,
      '[pod.p]\nspec.containers[name=b,image=b:1].image: b:2',
      ['pod p | spec containers name="b"&image="b:1" image | "b:2"'],
    ],
    [108, '[deployment.${values.name}]\nreplicas: 2', ['deployment ${values.name} | replicas | "2"']],
  ])('%i', (_, text, expected) => {
    expect(parse(text)).toMatchObject({ shown: expected, codes: [] });
  });

  it.each<[number, string, string, string]>([
    [44, '[deployment.web]\nspec.x: [a, b]', 'kpatch-value-not-scalar', '[a, b]'],
    [46, '[deployment.web]\nspec.replicas = 3', 'kpatch-syntax', '='],
    [47, '[deployment]\nx: 1', 'kpatch-syntax', 'deployment'],
    [48, '[]', 'kpatch-syntax', '[]'],
    [49, '[deployment.web]\na..b: 1', 'kpatch-syntax', '.'],
    [50, '[deployment.web]\na[b: 1', 'kpatch-syntax', '['],
    [51, '[deployment.web]\na[].c: 1', 'kpatch-syntax', '[]'],
    [52, '[deployment.web]\nspec.replicas: 2\nspec.replicas: 5', 'kpatch-duplicate-key', 'spec.replicas'],
    [86, '[pod.p]\nspec.containers[+]: n', 'kpatch-syntax', '[+]'],
  ])('%i', (number, text, code, covered) => {
    const { found, shown } = parse(text);
    expect(found).toMatchObject([{ code, hint: expect.any(String) }]);
    expect(cut(text, found[0]!.location)).toBe(covered);
    expect(shown).toHaveLength(number === 52 ? 2 : 0);
  });
});
