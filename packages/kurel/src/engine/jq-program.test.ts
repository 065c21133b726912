import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../model/index.ts';
import { applyFilters, applyTransformers } from './apply-pipeline.ts';
import { filters } from './filters/index.ts';
import { JqError } from './jq-program.ts';
import type { JqErrorKind, JqOptions } from './jq-program.ts';
import { isPure } from './steps.ts';
import { createRenderContext } from './render-context.ts';
import { anyContext, frozen } from '../../test/test-objects.ts';
import { transformers } from './transformers/index.ts';
import { canonicalJson } from '../model/index.ts';

const object = frozen({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', labels: { app: 'web' } },
  spec: { replicas: 3, id: 12345678901234567890n },
});

const decisions: readonly (readonly [expression: string, keeps: boolean, options?: JqOptions])[] = [
  ['.kind == "Deployment"', true],
  ['.spec.replicas > 5', false],
  ['.a.b.c == null', true],
  ['.metadata.labels | has("app") and (has("zone") | not)', true],
  ['.spec.replicas < "3"', true],
  ['[.kind, null] | sort == [null, "Deployment"]', true],
  ['"\\(.kind)-\\(.metadata.name)" == "Deployment-web"', true],
  ['(.metadata.name | @base64) == "d2Vi"', true],
  ['.metadata.name | test("^w")', true],
  ['.spec.id == 12345678901234567890', true],
  ['.spec.id == 12345678901234567891', false],
  ['.spec.replicas == $n', true, { variables: { n: 3 } }],
  ['.spec.replicas == $n', true, { variables: { $n: 3 } }],
  ['$allowed | index("Deployment") != null', true, { variables: { allowed: ['Service', 'Deployment'] } }],
  ['.kind as $k | $table[$k].keep', true, { variables: { table: { Deployment: { keep: true } } } }],
  ['first(true, error("late"))', true],
];

const failures: readonly (readonly [expression: string, kind: JqErrorKind, message: string])[] = [
  ['empty', 'none', 'no results'],
  ['true, true', 'multiple', 'multiple results'],
  ['true, error("late")', 'multiple', 'multiple results'],
  ['.spec.replicas / 0', 'runtime', 'divide'],
  ['.spec.replicas + "s"', 'runtime', 'cannot be added'],
  ['error("my own words")', 'runtime', 'my own words'],
  ['error({code: 1})', 'runtime', 'code'],
  ['range(1e12) | empty', 'runtime', 'steps'],
  ['true, (range(1e12) | empty)', 'runtime', 'steps'],
];

const compileFailures: readonly (readonly [title: string, expression: string, options?: JqOptions])[] = [
  ['syntax', '.kind =='],
  ['syntax: unclosed', '(.kind'],
  ['unknown function', 'nonsense(.kind)'],
  ['unknown variable', '$missing'],
  ['empty name of a variable', '.', { variables: { '': 1 } }],
  ['name that is only a dollar', '.', { variables: { $: 1 } }],
  ['name given twice', '.', { variables: { a: 1, $a: 2 } }],
];

function failureOf(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return expect.unreachable('must fail');
}

describe('jq filters', () => {
  it.each(decisions.map(([expression, keeps, options]) => ({ expression, keeps, options })))(
    '$expression: $keeps',
    ({ expression, keeps, options }) => {
      const filter = filters.jq(expression, options);
      expect(filter(object, anyContext)).toBe(keeps);
      expect(isPure(filter)).toBe(true);
    },
  );

  it.each([['.kind'], ['null'], ['1'], ['.'], ['[true]']])('%s is not a boolean', (expression) => {
    const error = failureOf(() => filters.jq(expression)(object, anyContext));
    expect(error).toBeInstanceOf(JqError);
    expect(error).toMatchObject({
      kind: 'type',
      code: 'jq-type',
      expression,
      message: expect.stringContaining('must return a boolean'),
    });
  });
});

describe('jq transformers', () => {
  const results: readonly (readonly [expression: string, change: JsonObject, options?: JqOptions])[] = [
    ['.', {}],
    ['.spec.replicas += 1', { spec: { replicas: 4, id: 12345678901234567890n } }],
    [
      '.metadata.labels.env = $env',
      { metadata: { name: 'web', labels: { app: 'web', env: 'prod' } } },
      { variables: { env: 'prod' } },
    ],
    ['del(.metadata.labels)', { metadata: { name: 'web' } }],
    ['.spec = $spec', { spec: { a: [1] } }, { variables: { $spec: { a: [1] } } }],
    ['.spec["__proto__"] = {x: 1} | .spec |= {replicas}', { spec: { replicas: 3 } }],
  ];

  it.each(results.map(([expression, change, options]) => ({ expression, change, options })))(
    '$expression',
    ({ expression, change, options }) => {
      const transformer = transformers.jq(expression, options);
      expect(transformer(object, anyContext)).toEqual({ ...object, ...change });
      expect(isPure(transformer)).toBe(true);
    },
  );

  it('gives the object itself when nothing changes, and keeps parts that do not change', () => {
    expect(transformers.jq('.')(object, anyContext)).toBe(object);
    expect((transformers.jq('.spec.replicas = 4')(object, anyContext) as JsonObject)['metadata']).toBe(
      object['metadata'],
    );
  });

  it.each([['[.]'], ['.kind'], ['null'], ['true']])('%s is not an object', (expression) => {
    const error = failureOf(() => transformers.jq(expression)(object, anyContext));
    expect(error).toMatchObject({ kind: 'type', message: expect.stringContaining('must return an object') });
  });
});

describe.each([
  ['filters', filters.jq],
  ['transformers', transformers.jq],
])('failures of jq %s', (_title, make) => {
  it.each(failures)('%s: %s', (expression, kind, message) => {
    const run = make(expression, { limits: { maxSteps: 10_000 } });
    const error = failureOf(() => run(object, anyContext));
    expect(error).toBeInstanceOf(JqError);
    expect(error).toMatchObject({ kind, code: `jq-${kind}`, expression, message: expect.stringContaining(message) });
  });

  it.each(compileFailures.map(([title, expression, options]) => ({ title, expression, options })))(
    'at construction: $title',
    ({ expression, options }) => {
      const error = failureOf(() => make(expression, options));
      expect(error).toBeInstanceOf(JqError);
      expect(error).toMatchObject({ kind: 'compile', expression });
    },
  );
});

describe('functions', () => {
  const functions: JqOptions['functions'] = {
    shout: { arity: 0, call: (input) => `${input as string}!` },
    join: {
      arity: { min: 1, max: 2 },
      call: (input, args) => [input, ...args].map((item) => canonicalJson(item)).join(),
    },
    fail: {
      arity: 0,
      call: () => {
        throw new Error('refused');
      },
    },
    change: { arity: 0, call: (input) => Object.assign(input as object, { kind: 'Changed' }) },
  };

  it.each([
    ['.kind | shout == "Deployment!"'],
    ['.kind | join("a") == "\\"Deployment\\",\\"a\\""'],
    ['.spec.replicas | join(1; 1 + 1) == "3,1,2"'],
    ['(try fail catch .) == "refused"'],
  ])('%s', (expression) => {
    expect(filters.jq(expression, { functions })(object, anyContext)).toBe(true);
  });

  it('fail the run with their own message', () => {
    expect(failureOf(() => filters.jq('fail', { functions })(object, anyContext))).toMatchObject({
      kind: 'runtime',
      message: expect.stringContaining('refused'),
    });
  });

  it.each(['join', 'join(1; 2; 3)', 'shout(1)'])('have a fixed number of arguments: %s', (expression) => {
    expect(failureOf(() => filters.jq(expression, { functions }))).toMatchObject({ kind: 'compile' });
  });

  it('cannot change shared data', async () => {
    const kept = structuredClone(object);
    expect(await applyTransformers([kept], [transformers.jq('change', { functions })])).toEqual([
      { ...object, kind: 'Changed' },
    ]);
    await expect(applyFilters([kept], [filters.jq('change | true', { functions })])).rejects.toThrow(
      'Cannot assign to read only property',
    );
    expect(kept).toEqual(object);
  });
});

describe('variables', () => {
  it('are copied at construction', () => {
    const list: Json[] = ['Deployment'];
    const filter = filters.jq('[.kind] == $kinds', { variables: { kinds: list } });
    list.push('Service');
    expect(filter(object, anyContext)).toBe(true);
  });
});

describe('position', () => {
  it('is known for programs that cannot be compiled', () => {
    expect(failureOf(() => filters.jq('.kind |\n  nonsense'))).toMatchObject({ position: { line: 2, column: 3 } });
  });

  it('is in the message and not in the reason', () => {
    expect(failureOf(() => filters.jq('.kind | startwith("D")'))).toMatchObject({
      message: 'jq program ".kind | startwith(\\"D\\")": startwith/1 is not defined at line 1, column 9',
      reason: 'startwith/1 is not defined',
      hint: 'did you mean startswith/1?',
    });
  });
});

describe('abort', () => {
  it('stops a program that runs long', () => {
    const controller = new AbortController();
    const context = createRenderContext({ signal: controller.signal });
    controller.abort();
    expect(failureOf(() => filters.jq('last(range(1e7)) > 0')(object, context))).toBeInstanceOf(JqError);
  });
});

describe('budget', () => {
  it('is shared by programs and objects', () => {
    const budget = { steps: 1000, values: 1000 };
    const filter = filters.jq('[range(20)] | length > 0', { budget });
    const transformer = transformers.jq('.spec.sum = ([range(20)] | add)', { budget });
    const run = (): void => {
      for (let turn = 0; turn < 100; turn++) {
        filter(object, anyContext);
        void transformer(object, anyContext);
      }
    };
    expect(failureOf(run)).toMatchObject({
      kind: 'runtime',
      message: expect.stringContaining('all programs of this run together'),
      hint: expect.stringContaining('"maxJqSteps"'),
      hintParts: expect.arrayContaining([{ setting: 'maxJqSteps' }]),
    });
    expect(failureOf(() => filter(object, anyContext))).toBeInstanceOf(JqError);
  });

  it('pays for the values of results', () => {
    const budget = { steps: 1000, values: 100 };
    const transformer = transformers.jq('.spec.list = [range(40) | {a: 1}]', { budget });
    expect(failureOf(() => transformer(object, anyContext))).toMatchObject({
      kind: 'type',
      message: expect.stringContaining('the results of this run have too many values'),
      hint: expect.stringContaining('"maxJqSteps"'),
      hintParts: expect.arrayContaining([{ setting: 'maxJqSteps' }]),
    });
  });
});

describe('a result with one value in many places', () => {
  it.each([
    'reduce range(60) as $i (.; .spec = {a: .spec, b: .spec})',
    '.spec.a = (reduce range(60) as $i (1; [., .]))',
    '[range(1e6)] as $a | .spec.a = [range(1000) | $a]',
  ])('%s is rejected before it is copied', (expression) => {
    expect(failureOf(() => transformers.jq(expression)(object, anyContext))).toMatchObject({
      kind: 'type',
      message: expect.stringContaining('the result has more than 1000000 values'),
    });
  });
});

describe('failures on Secrets', () => {
  const secret = frozen({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'db' },
    data: { b: 'c3dvcmRmaXNo' },
    stringData: { a: 'swordfish' },
  });
  const list = frozen({ apiVersion: 'v1', kind: 'List', items: [{ ...object }, { ...secret }] } as never);
  const programs = [
    'error(.data.b | @base64d)',
    'error({a: .stringData.a})',
    '.data.b | @base64d | fromjson',
    '.stringData.a | tonumber',
    '.stringData.a[0]',
    '.stringData.a | error',
    '.stringData.a | ascii_upcase | error',
    '.stringData.a[:4] | error',
    '.stringData | has(1)',
    '.stringData[.stringData]',
    '.stringData.a | strptime("%Y")',
    '.stringData.a | halt_error',
    'halt_error',
    '.stringData.a | @csv',
    '.stringData.a | format(.)',
    '.stringData.a as $p | "x" | test($p + "(")',
    '.stringData.a as $f | "x" | test("x"; $f)',
    '{(.stringData): 1}',
    '.stringData.a | implode',
    '.stringData.a | @base32d',
    '.stringData.a | ltrimstr(1) | . + 1',
    '. as [$a] | $a',
    'path(.stringData.a | ascii_upcase)',
    '.stringData.a | splits(1)',
    'error',
  ];
  const shown = (error: unknown): string => {
    const { message, cause, reason, hint } = error as JqError;
    return [message, String(error), String(cause), reason, hint].join('\n');
  };

  it.each(programs)('%s quotes nothing', (expression) => {
    const error = failureOf(() => filters.jq(expression)(secret, anyContext));
    expect(error).toBeInstanceOf(JqError);
    expect((error as JqError).message).toMatch(
      /the program failed; its message is hidden because the object is a Secret$/,
    );
    expect((error as JqError).cause).toBeUndefined();
    // The message of the program itself is not secret.
    expect(shown(error).replaceAll(expression, '')).not.toMatch(/sword|SWORD|c3dv/);
  });

  it('do not quote the items of a List', () => {
    const error = failureOf(() => filters.jq('error(.items[1].stringData.a)')(list, anyContext));
    expect(error).toMatchObject({ message: expect.stringContaining('is hidden because') });
  });

  it('quote no data after an earlier program has changed the kind', async () => {
    const chain = [transformers.jq('.kind = "ConfigMap"'), transformers.jq('error(.stringData.a)')];
    await expect(applyTransformers([secret], chain)).rejects.toThrow('is hidden because the object is a Secret');
    const error = await applyTransformers([secret], chain).catch((thrown: unknown) => thrown);
    expect(shown(error)).not.toContain('swordfish');
  });

  it('name a limit', () => {
    const run = filters.jq('last(range(1e9)) > 0', { limits: { maxSteps: 100 } });
    expect(failureOf(() => run(secret, anyContext))).toMatchObject({ message: expect.stringContaining('100 steps') });
  });
});
