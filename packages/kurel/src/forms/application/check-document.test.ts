import { describe, expect, it } from 'vitest';

import type { Diagnostic } from '../../model/index.ts';
import { createCatalog } from './catalog/catalog.ts';
import { checkDocument } from './check-document.ts';

const header = 'apiVersion: launcher.gokure.dev/v1alpha1';

function check(text: string, definitions: readonly string[] = []) {
  const found: Diagnostic[] = [];
  const kind = checkDocument(
    { path: 'document.yaml', text },
    {
      catalog: createCatalog(),
      definitions: definitions.map((one, index) => ({ path: `definition-${index}.yaml`, text: one })),
      report: (diagnostic) => void found.push(diagnostic),
    },
  );
  return { kind, codes: found.map(({ code }) => code) };
}

describe('a document by itself', () => {
  it.each([
    ['a profile', 'kind: ClusterProfile\nmetadata: {name: dev}', 'ClusterProfile', []],
    ['a policy', 'kind: Policy\nmetadata: {name: dev}', 'Policy', []],
    ['a definition', 'kind: CapabilityDefinition\nmetadata: {name: dashboard}', 'CapabilityDefinition', []],
    ['a fleet', 'kind: Fleet\nspec: {}', 'Fleet', []],
    ['a fleet with an unknown key', 'kind: Fleet\nspec: {target: []}', 'Fleet', ['field-unknown']],
    ['a function', 'kind: KurelBuild\nspec: {package: shop}', 'KurelBuild', []],
    ['a function without a package', 'kind: KurelBuild\nspec: {}', 'KurelBuild', ['field-required']],
    ['a function that validates', 'kind: KurelValidate', 'KurelValidate', []],
    ['a package', 'kind: Package\nmetadata: {name: shop}', 'Package', []],
    ['a profile without a name', 'kind: ClusterProfile\nspec: {}', 'ClusterProfile', ['field-required']],
    ['a misspelled kind', 'kind: Polcy\nmetadata: {name: dev}', 'Policy', ['document-kind']],
    [
      'a definition of a built-in trait',
      'kind: CapabilityDefinition\nmetadata: {name: expose}',
      'CapabilityDefinition',
      ['definition-unused'],
    ],
    [
      'an invalid default, and one that depends on a value',
      'kind: Package\nmetadata: {name: shop}\nspec:\n  parameters:\n' +
        '  - {name: a, type: string}\n  - {name: b, type: string, default: "${a}"}\n' +
        '  - {name: c, type: string, default: "${b}"}\n  - {name: d, type: integer, default: "${name}"}',
      'Package',
      ['field-type'],
    ],
    ['an application', 'kind: Application\nmetadata: {name: shop}', undefined, []],
    ['a misspelled application', 'kind: Aplication\nmetadata: {name: shop}', undefined, []],
    ['a lock', 'kind: Lock\nspec: {sources: []}', undefined, []],
    ['no kind', 'metadata: {name: shop}', undefined, []],
    ['a kind that is a property of every JavaScript object', 'kind: constructor', undefined, []],
  ])('%s', (_, text, kind, codes) => {
    expect(check(`${header}\n${text}\n`)).toEqual({ kind, codes });
  });

  it.each([
    ['of another group', 'apiVersion: v1\nkind: Policy\n'],
    ['empty', ''],
    ['a string', 'launcher.gokure.dev/v1alpha1\n'],
    ['a list', `- ${header}\n  kind: Policy\n`],
  ])('that is %s is not a kurel document', (_, text) => {
    expect(check(text)).toEqual({ kind: undefined, codes: [] });
  });

  it('knows the traits of definitions and their properties', () => {
    const definition = `${header}\nkind: CapabilityDefinition\nmetadata: {name: dashboard}\nspec:\n  rendering: {properties: {folder: {type: string}}}\n`;
    const profile = (folder: string): string =>
      `${header}\nkind: ClusterProfile\nmetadata: {name: dev}\nspec:\n  capabilities: {dashboard: {rendering: {folder: ${folder}}}}\n`;
    const policy = `${header}\nkind: Policy\nmetadata: {name: dev}\nspec: {capabilities: {required: [dashboard]}}\n`;
    expect(check(profile('a'), [definition]).codes).toEqual([]);
    expect(check(profile('3'), [definition]).codes).toEqual(['field-type']);
    expect(check(profile('3')).codes).toEqual(['capability-trait-unknown']);
    expect(check(policy, [definition]).codes).toEqual([]);
    expect(check(policy).codes).toEqual(['policy-trait-unknown']);
  });
});
