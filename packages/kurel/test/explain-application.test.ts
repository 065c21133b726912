import { describe, expect, it } from 'vitest';
import { build, formatField, formatObject, locateInYaml, readValues } from '../src/index.ts';
import { explain } from './explain.ts';
import type { FieldTrace, Location, ParameterLayer, TraceStep } from '../src/index.ts';
import { isJsonArray, isJsonObject } from '../src/model/index.ts';
import type { FileSystem, Json, SourceFile } from '../src/model/index.ts';
import { readYaml } from '../src/yaml/index.ts';
import { applicationCases, requestOfCase } from './application-case.ts';

// kurel explains applications by experiment, so the values that it names do decide the field. This test checks the positions:
// each one points to the value that the step names, or to the reference to it.

const cases = applicationCases.filter(({ isBuilt }) => isBuilt);

describe('what is explained of an application', () => {
  it.each(cases)('$name', async ({ files }) => {
    const { result, sources, traceOf } = await explain(requestOfCase(files));
    expect(result.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    for (const object of result.objects) {
      const traces = traceOf(object).filter(({ value }) => value !== undefined);
      const wrong = traces.flatMap((trace) =>
        wrongSteps(trace, sources).map((text) => `${formatField(trace.path, object)}: ${text}`),
      );
      expect(wrong, formatObject(object)).toEqual([]);
    }
  });
});

// The same from outside: the very word in the file is changed, and everything that is said to come from it is another or gone.
describe('a word that an explanation points to', () => {
  const whole = cases.filter(({ name }) => /\/(?:minimal|full|seed-[a-z-]+)$/.test(name));

  it.each(whole)('decides what it is said to decide: $name', async ({ files }) => {
    const request = requestOfCase(files);
    const { result, sources, traceOf } = await explain({ ...request, validation: undefined });
    const claims = new Map<string, { readonly location: Location; readonly fields: string[] }>();
    for (const [index, object] of result.objects.entries()) {
      for (const { path, steps } of traceOf(object)) {
        for (const { location, kind } of steps) {
          if (location === undefined || kind === 'patch') continue;
          const claim = claims.get(JSON.stringify(location)) ?? { location, fields: [] };
          claim.fields.push(JSON.stringify([index, ...path]));
          claims.set(JSON.stringify(location), claim);
        }
      }
    }
    for (const { location, fields } of claims.values()) {
      let still: readonly string[] = fields;
      for (const text of textsWith(location, sources)) {
        const changed = await build({
          ...request,
          validation: undefined,
          fileSystem: withText(request.fileSystem, location.file, text),
          package: {
            layers: (request.package?.layers ?? []).map((layer) => withLayerText(layer, location.file, text)),
          },
        });
        // A value that does not fit is felt by everything.
        still = changed.ok ? still.filter((field) => isSameAt(JSON.parse(field), result.objects, changed.objects)) : [];
        if (still.length === 0) break;
      }
      expect(still, `${location.file} ${JSON.stringify(location.path)}`).toEqual([]);
    }
  });
});

/** The text with other words in the place of one. */
function textsWith(location: Location, sources: readonly SourceFile[]): readonly string[] {
  const source = sources.find(({ path }) => path === location.file);
  const range = source === undefined ? undefined : locateInYaml(source, location);
  if (source === undefined || range === undefined) return [];
  const word = source.text.slice(range.start, range.end);
  const numbers = [1, -1].map((step) => word.replace(/\d+(?!.*\d)/s, (digits) => String(Number(digits) + step)));
  const flags = /^(?:true|false)$/.test(word) ? [String(word !== 'true')] : [];
  const letters = word.replace(/[a-z](?!.*[a-z])/is, (letter) => `${letter}x`);
  // A path of nothing but "/", an empty text.
  const signs = /^["']/.test(word) ? `"x"` : `${word}x`;
  return [...flags, ...numbers, letters === word ? signs : letters]
    .filter((other) => other !== word)
    .map((other) => source.text.slice(0, range.start) + other + source.text.slice(range.end));
}

function withText(fileSystem: FileSystem, file: string, text: string): FileSystem {
  return { ...fileSystem, readText: (path) => (path.replace(/^\.\//, '') === file ? text : fileSystem.readText(path)) };
}

function withLayerText(layer: ParameterLayer, file: string, text: string): ParameterLayer {
  if (layer.source.path !== file) return layer;
  const source = { path: file, text };
  return { ...layer, source, data: readValues(source, () => undefined, { words: 'core' }) ?? {} };
}

function isSameAt(path: readonly (string | number)[], before: readonly Json[], after: readonly Json[]): boolean {
  const at = (data: Json): string | undefined => {
    let value: Json | undefined = data;
    for (const step of path)
      value = isJsonArray(value) ? value[Number(step)] : isJsonObject(value) ? value[step] : undefined;
    return JSON.stringify(value);
  };
  return at(before) === at(after);
}

function wrongSteps({ steps }: FieldTrace, sources: readonly SourceFile[]): readonly string[] {
  if (steps.length === 0) return ['nothing is said about it'];
  return steps.flatMap((step) => {
    if (step.kind === 'default' || step.kind === 'flag' || step.kind === 'patch') return [];
    const found = step.location === undefined ? undefined : valueAt(step.location, sources);
    return found !== undefined && isMeant(found, step)
      ? []
      : [`${step.kind} at ${JSON.stringify(step.location)} is ${JSON.stringify(found)}`];
  });
}

function isMeant(found: Json, { after, parameters }: TraceStep): boolean {
  if (parameters.length > 0) return typeof found === 'string' && found.includes('${');
  // What was put together of several values is not any one of them.
  return typeof found !== 'object' || found === null || isSame(found, after);
}

function isSame(found: Json, after: Json | undefined): boolean {
  return (
    JSON.stringify(found) === JSON.stringify(after) ||
    (isJsonArray(found) ? found.length === 0 : Object.keys(found as object).length === 0)
  );
}

function valueAt({ file, document = 0, path = [], at }: Location, sources: readonly SourceFile[]): Json | undefined {
  const source = sources.find((one) => one.path === file);
  let value: Json | undefined =
    source === undefined ? undefined : readYaml(source, { words: 'core' }).documents[document]?.data;
  for (const step of path) {
    if (isJsonArray(value)) value = value[Number(step)];
    else value = isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  }
  return at === 'key' && value !== undefined ? String(path.at(-1)) : value;
}
