import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { deepFreeze } from '../../../engine/copy-json.ts';
import { isJsonArray, isJsonObject } from '../../../model/index.ts';
import type { Diagnostic, Json, JsonObject, Values } from '../../../model/index.ts';
import { resolveParameters } from '../../../parameters/index.ts';
import { writeJson } from '../../../yaml/index.ts';
import { castValues } from './cast-values.ts';
import { generate, loadFiles } from '../../../../test/patch-package/schema-cases.ts';
import { validateValues } from './validate-values.ts';

const names = ['a', 'b', 'c', 'd', 'e'];
const references = fc.constantFrom('${a}', '${b.c}', 'x${c}', '${d[0]}', '${e}', '${a.b}');
const scalar = fc.oneof(
  fc.constantFrom<Json>(
    null,
    true,
    '',
    'text',
    '10Gi',
    '500m',
    '3',
    'true',
    'Always',
    'ClusterIP',
    80,
    0,
    -1,
    1.5,
    2 ** 40,
  ),
  references,
);
const value = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...names, 'limits', 'cpu', 'operator'), tie('value'), { maxKeys: 3 }),
  ),
})).value;
const parameters = fc.record(Object.fromEntries(names.map((name) => [name, value])));

const fields = fc.constantFrom(
  'replicas',
  'paused',
  'labels',
  'labels.x',
  'resources',
  'resources.limits.cpu',
  'tolerations',
  'imagePullPolicy',
  'image',
  'image.tag',
  'args',
  'args[-]',
  'ports[0].containerPort',
  'spec.strategy.rollingUpdate.maxSurge',
  'spec.template.spec.affinity',
  'spec.unknown',
  'enabled',
  'data.x',
);
const entries = fc.array(
  fc.tuple(fields, fc.oneof(references, fc.constantFrom('${a.limits}', '${c.cpu}', '${e[1]}'))),
  { maxLength: 8 },
);

it('takes what the package itself has, and every default', async () => {
  await fc.assert(
    fc.asyncProperty(parameters, entries, async (given, patch) => {
      const text = `[deployment.my-app]\n${patch.map(([field, reference]) => `${field}: ${reference}`).join('\n')}\n`;
      const pkg = await loadFiles({
        'parameters.yaml': '',
        ...(patch.length === 0 ? {} : { 'patches/a.kpatch': text }),
      });
      const layer = { ...pkg.layers[0]!, data: { ...given, kurel: pkg.layers[0]!.data['kurel']! } };
      deepFreeze(layer.data);
      const { schema } = generate({ ...pkg, layers: [layer] });
      const values = resolveParameters(layer.data, { report: () => undefined, locate: () => undefined, maxDepth: 100 });
      expect(problemsOf(castValues(values, schema), schema)).toEqual([]);
      for (const [inner, found] of defaultsIn(schema))
        expect(problemsOf({ p: found }, { properties: { p: inner } })).toEqual([]);
      expect(writeJson(generate({ ...pkg, layers: [layer] }).schema)).toBe(writeJson(schema));
    }),
    { numRuns: 300 },
  );
});

function problemsOf(values: Values, schema: JsonObject): readonly string[] {
  const found: Diagnostic[] = [];
  validateValues(values, schema, { report: (one) => found.push(one), locate: () => undefined });
  return found.map(({ message }) => message);
}

function defaultsIn(schema: Json): readonly (readonly [JsonObject, Json])[] {
  if (isJsonArray(schema)) return schema.flatMap(defaultsIn);
  if (!isJsonObject(schema)) return [];
  const { default: own, properties, items } = schema;
  const inner = isJsonObject(properties) ? Object.values(properties).flatMap(defaultsIn) : [];
  return [...(own === undefined ? [] : [[schema, own] as const]), ...inner, ...defaultsIn(items ?? null)];
}
