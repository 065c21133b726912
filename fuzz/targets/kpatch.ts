import { isDeepStrictEqual } from 'node:util';
import type { Diagnostic } from '../../packages/kurel/src/model/index.ts';
import { formatSections } from '../../packages/kurel/src/patch/kpatch/read-kpatch.ts';
import { parseKpatch } from '../../packages/kurel/src/patch/yaml-patch/read-patch-file.ts';
import { parsePath } from '../../packages/kurel/src/patch/kpatch/parse-path.ts';
import { readTexts } from '../read-repository.ts';
import { check, type Target } from '../target.ts';
import { checkRanges } from './yaml.ts';

const pathTokens: readonly string[] = [
  '.',
  '[',
  ']',
  '[0]',
  '[-]',
  '[+0]',
  '[-1]',
  '[*]',
  '[name=a]',
  '[+name=a]',
  '[delete]',
  '[delete=0]',
  '[delete=name=a]',
  '["a b"]',
  "['a']",
  '[a.b=c]',
  '[a=1,b=2]',
  'spec',
  'containers',
  'name=main',
  'image.tag',
  '*',
  '=',
  '${values.a}',
  '${a["}"]}',
  '$${x}',
  '"a.b"',
  '\\',
  ' ',
];

export const kpatchTokens: readonly string[] = [
  ...pathTokens,
  '[deployment.web]\n',
  '[ns/deployment.web]\n',
  '[*.*]\n',
  '[deployment."a b".spec]\n',
  '\nreplicas: ',
  ': ',
  ':\n',
  '\n',
  '\n  ',
  '# note\n',
  ' # note',
  '|\n  ',
  '>-\n  ',
  '|2+\n',
  '"text"',
  "'text'",
  '"\\n\\u00e9"',
  'null',
  'true',
  '0644',
  '\r\n',
  'enabled: ',
];

interface Parsed {
  readonly meaning: string;
  readonly found: readonly Diagnostic[];
  readonly hasErrors: boolean;
}

/** Without where things stand. */
function meaningOf(value: unknown): string {
  return JSON.stringify(value, (key, inner: unknown) => (key === 'range' || key === 'location' ? undefined : inner));
}

function parse(text: string): Parsed {
  const found: Diagnostic[] = [];
  const { patches } = parseKpatch({ path: 'a.kpatch', text }, (diagnostic) => void found.push(diagnostic));
  return { meaning: meaningOf(patches), found, hasErrors: found.some(({ severity }) => severity === 'error') };
}

export const kpatch: Target = {
  name: 'kpatch',
  promise:
    'a patch file is accepted or refused; formatting keeps its meaning and is idempotent; line endings do not matter',
  seeds: () => readTexts(['patch', 'forms/patch-package/cases'], { ending: /\.kpatch$/ }),
  tokens: kpatchTokens,
  short: 4000,
  run(text) {
    const parsed = parse(text);
    checkRanges(text, parsed.found);
    const format = (source: string): string | undefined => formatSections({ path: 'a.kpatch', text: source }, () => {});
    const formatted = format(text);
    check((formatted === undefined) === parsed.hasErrors, 'what has no errors has a format');
    if (formatted !== undefined) {
      check(parse(formatted).meaning === parsed.meaning, 'the format means the same');
      check(format(formatted) === formatted, 'the format is its own format');
    }
    if (text.includes('\r')) return;
    const windows = parse(text.replaceAll('\n', '\r\n'));
    check(windows.meaning === parsed.meaning, 'line ends do not change the meaning');
    const codes = ({ found }: Parsed): unknown => found.map(({ code, message }) => [code, message]);
    check(isDeepStrictEqual(codes(windows), codes(parsed)), 'line ends do not change what is found');
  },
};

export const patchPath: Target = {
  name: 'patch-path',
  promise: 'a path is accepted or refused; printed again, it reads as the same steps, and contains all of them',
  seeds: () => [
    'spec.replicas',
    'spec.template.spec.containers[name=main].image.tag',
    'metadata.annotations["a.b/c"]',
    'args[-]',
    'items[delete=name=a]',
    'env[+name=A].value',
    "data['x']",
    '.spec.',
    'containers.name=main.ports.0',
    '${values.a}.b[${c}]',
    'a[x.y="z"][-1]',
  ],
  tokens: pathTokens,
  short: 15_000,
  run(text) {
    const parsed = parsePath(text);
    if ('problem' in parsed) {
      const { start, end } = parsed.problem.range;
      check(start >= 0 && start <= end && end <= text.length, 'a problem points into the text');
      return;
    }
    for (const { range } of parsed.steps)
      check(range.start >= 0 && range.start <= range.end && range.end <= text.length, 'a step is inside the text');
    // In a file, a path is always followed by something.
    const again = parsePath(`${parsed.text}: `, { start: 0, end: parsed.text.length });
    check(!('problem' in again), 'the text of a path can be read');
    check(meaningOf(again.steps) === meaningOf(parsed.steps), 'the text of a path reads as the same steps');
  },
};
