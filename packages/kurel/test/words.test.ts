import { describe, expect, it } from 'vitest';
import { build, memoryFileSystem, readValues } from '../src/index.ts';
import type { BuildRequest, ParameterLayer } from '../src/index.ts';
import type { Json } from '../src/model/index.ts';
import { createCatalog } from '../src/forms/application/catalog/catalog.ts';
import { checkDocument } from '../src/forms/application/check-document.ts';
import { locateInYaml } from '../src/yaml/index.ts';

const words: Readonly<Record<string, boolean>> = {
  ...Object.fromEntries(['y', 'Y', 'yes', 'Yes', 'YES', 'on', 'On', 'ON'].map((word) => [word, true])),
  ...Object.fromEntries(['n', 'N', 'no', 'No', 'NO', 'off', 'Off', 'OFF'].map((word) => [word, false])),
};

const header = 'apiVersion: launcher.gokure.dev/v1alpha1';

/** An object that may hold anything, with the word at `spec.word` and as a key beside it. */
function widget(word: string, indent = ''): string {
  const lines = ['apiVersion: example.com/v1', 'kind: Widget', 'metadata: {name: widget, namespace: shop}'];
  return [...lines, `spec: {word: ${word}, keys: {${word}: 1}}`].map((line) => `${indent}${line}\n`).join('');
}

function application(component: string): string {
  return `${header}\nkind: Application\nmetadata: {name: shop}\nspec:\n  components:\n  - name: widget\n${component}`;
}

const passthrough = (spec: string): string =>
  application(
    `    type: passthrough\n    properties:\n      object:\n        apiVersion: example.com/v1\n` +
      `        kind: Widget\n        spec: ${spec}\n`,
  );

function declare(parameter: string): string {
  return `${header}\nkind: Package\nmetadata: {name: shop}\nspec:\n  parameters:\n  - ${parameter}\n`;
}

interface Kind {
  readonly files: (word: string) => Readonly<Record<string, string>>;
  readonly values?: (word: string) => string;
  readonly path?: string;
  readonly reads: 'texts' | 'booleans';
}

const kinds: Readonly<Record<string, Kind>> = {
  'an object in app.yaml': {
    files: (word) => ({ 'app.yaml': passthrough(`{word: ${word}, keys: {${word}: 1}}`) }),
    reads: 'texts',
  },
  'a default in kurel.yaml': {
    files: (word) => ({
      'app.yaml': passthrough('"${spec}"'),
      'kurel.yaml': declare(`{name: spec, type: object, default: {word: ${word}, keys: {${word}: 1}}}`),
    }),
    reads: 'texts',
  },
  'values of an application': {
    files: () => ({
      'app.yaml': passthrough('"${spec}"'),
      'kurel.yaml': declare('{name: spec, type: object, required: true}'),
    }),
    values: (word) => `spec: {word: ${word}, keys: {${word}: 1}}\n`,
    reads: 'texts',
  },
  'manifests in a text of app.yaml': {
    files: (word) => ({
      'app.yaml': application(`    type: manifests\n    properties:\n      inline: |\n${widget(word, '        ')}`),
    }),
    reads: 'booleans',
  },
  'manifests in a file that app.yaml names': {
    files: (word) => ({
      'app.yaml': application('    type: manifests\n    properties: {file: widget.yaml}\n'),
      'widget.yaml': widget(word),
    }),
    reads: 'booleans',
  },
  manifests: { files: (word) => ({ 'widget.yaml': widget(word) }), path: 'widget.yaml', reads: 'booleans' },
  'resources of a patch package': {
    files: (word) => ({
      'parameters.yaml': 'kurel: {name: shop, version: 1.0.0, appVersion: "1"}\n',
      'resources/widget.yaml': widget(word),
    }),
    reads: 'booleans',
  },
  'parameters.yaml of a patch package': {
    files: (word) => ({
      'parameters.yaml': `kurel: {name: shop, version: 1.0.0, appVersion: "1"}\nspec: {word: ${word}, keys: {${word}: 1}}\n`,
      'resources/widget.yaml': widget('x').replace(/spec: .*/, 'spec: ${spec}'),
    }),
    reads: 'texts',
  },
};

async function render({ files, values, path = '.' }: Kind, word: string): Promise<Json | undefined> {
  const text = values?.(word);
  const source = { path: 'values.yaml', text: text ?? '' };
  const data = readValues(source, ({ message }) => expect.unreachable(message), { words: 'core' }) ?? {};
  const layers: readonly ParameterLayer[] = text === undefined ? [] : [{ kind: 'values', source, data }];
  const request: Omit<BuildRequest, 'transformers'> = {
    path,
    fileSystem: memoryFileSystem(files(word)),
    application: { profile: false },
    package: { layers },
  };
  const { objects, diagnostics } = await build(request);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(objects).toHaveLength(1);
  return objects[0]!['spec'];
}

describe.each(Object.entries(kinds))('%s', (_, kind) => {
  it.each(Object.entries(words))('reads %s', async (word, boolean) => {
    const isText = kind.reads === 'texts';
    expect(await render(kind, word)).toEqual({
      word: isText ? word : boolean,
      keys: { [isText ? word : String(boolean)]: 1 },
    });
  });

  it.each(['true', 'True', 'FALSE'])('reads %s as a boolean', async (word) => {
    const boolean = word.toLowerCase() === 'true';
    expect(await render(kind, word)).toEqual({ word: boolean, keys: { [String(boolean)]: 1 } });
  });
});

describe.each(['ClusterProfile', 'Policy', 'CapabilityDefinition', 'Package'])('a %s', (kind) => {
  function check(name: string) {
    const source = { path: 'document.yaml', text: `${header}\nkind: ${kind}\nmetadata: {name: ${name}}\n` };
    const codes: string[] = [];
    const report = ({ code, location }: { readonly code: string; readonly location?: unknown }): void => {
      codes.push(code);
      const { start, end } = locateInYaml(source, location as Parameters<typeof locateInYaml>[1])!;
      expect(source.text.slice(start, end)).toBe(name);
    };
    return { kind: checkDocument(source, { catalog: createCatalog(), report }), codes };
  }

  it.each(Object.keys(words).filter((word) => word === word.toLowerCase()))('may be called %s', (word) => {
    expect(check(word)).toEqual({ kind, codes: [] });
  });

  it.each(['true', 'False'])('may not be called %s', (word) => {
    expect(check(word)).toEqual({ kind, codes: ['field-type'] });
  });
});
