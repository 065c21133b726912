import { describe, expect, expectTypeOf, it } from 'vitest';
import type { Diagnostic, Json, JsonObject } from '../model/index.ts';
import type { ReadingOptions } from './document-findings.ts';
import { readApplicationDocument } from './read-application-document.ts';
import type { ApplicationDocument } from './read-application-document.ts';
import { readCapabilityDefinition, renderingField } from './read-capability-definition.ts';
import type { CapabilityDefinition } from './read-capability-definition.ts';
import { splitCapabilityKey } from './read-cluster-profile.ts';
import type { ClusterProfile } from './read-cluster-profile.ts';
import { readField } from './read-field.ts';
import type { PackageDocument } from './read-document.ts';
import { readPolicyRules } from './read-policy.ts';
import type { Policy } from './read-policy.ts';

const apiVersion = 'launcher.gokure.dev/v1alpha1';
const known = { components: ['webservice'], traits: ['expose'] };

function collect(): { readonly options: ReadingOptions; readonly found: string[] } {
  const found: string[] = [];
  const report = ({ code, location }: Diagnostic): void => void found.push(`${code} ${location?.path?.join('.')}`);
  return { options: { locate: (path) => ({ file: 'app.yaml', path }), report }, found };
}

describe('documents', () => {
  it('have types', () => {
    type Component = ApplicationDocument['spec']['components'][number];
    expectTypeOf<ApplicationDocument['metadata']['namespace']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<Component['name']>().toEqualTypeOf<string>();
    expectTypeOf<Component['properties']>().toEqualTypeOf<JsonObject>();
    expectTypeOf<Component['traits'][number]['enabled']>().toEqualTypeOf<boolean>();
    expectTypeOf<PackageDocument['spec']['parameters']>().toEqualTypeOf<readonly Json[] | undefined>();
    expectTypeOf<ClusterProfile['spec']['gitopsEngine']>().toEqualTypeOf<'fluxcd' | 'argocd'>();
    expectTypeOf<ClusterProfile['spec']['capabilities'][string]['rendering']>().toEqualTypeOf<JsonObject>();
    expectTypeOf<Policy['spec']['enforced']['maxCPU']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<Policy['spec']['security']['allowWebhooks']>().toEqualTypeOf<boolean>();
    type Property = CapabilityDefinition['spec']['rendering']['properties'][string];
    expectTypeOf<Property['type']>().toEqualTypeOf<'string' | 'integer' | 'boolean' | undefined>();
  });

  it('pass properties on unchanged, however deep', () => {
    let properties: JsonObject = {};
    for (let depth = 0; depth < 10_000; depth += 1) properties = { inner: properties };
    const spec = { components: [{ name: 'web', type: 'webservice', properties }] };
    const { options, found } = collect();
    const data = { apiVersion, kind: 'Application', metadata: { name: 'a' }, spec };
    const document = readApplicationDocument(data, { ...options, known });
    expect(found).toEqual([]);
    expect(document?.spec.components[0]?.properties).toBe(properties);
  });

  it('report very many mistakes in order', { tags: 'slow' }, () => {
    const components = Array.from({ length: 5000 }, () => ({ name: 'web', type: 'webservice', x: 1 }));
    const { options, found } = collect();
    const data = { apiVersion, kind: 'Application', metadata: { name: 'a' }, spec: { components } };
    expect(readApplicationDocument(data, { ...options, known })).toBeUndefined();
    expect(found).toHaveLength(9999);
    expect(found.slice(0, 3)).toEqual([
      'field-unknown spec.components.0.x',
      'list-duplicate spec.components.1.name',
      'field-unknown spec.components.1.x',
    ]);
  });
});

describe('the rules of a policy', () => {
  it('are read from the properties of an application', () => {
    const { options, found } = collect();
    const rules = readPolicyRules({ enforced: { maxReplicas: 5 } }, { ...options, path: ['properties'] });
    expect(rules?.enforced.maxReplicas).toBe(5);
    expect(found).toEqual([]);
  });

  it('are located in the application', () => {
    const { options, found } = collect();
    const properties = { defaults: { replicas: 6 }, enforced: { maxReplicas: 5, maxCpu: 1 } };
    const path = ['spec', 'policies', 0, 'properties'];
    expect(readPolicyRules(properties, { ...options, path })).toBeUndefined();
    expect(found).toEqual([
      'policy-contradiction spec.policies.0.properties.defaults.replicas',
      'field-unknown spec.policies.0.properties.enforced.maxCpu',
    ]);
  });
});

describe('splitCapabilityKey', () => {
  it.each([
    ['expose', 'expose', undefined],
    ['expose.internal', 'expose', 'internal'],
    ['expose.internal.eu', 'expose', 'internal.eu'],
  ])('splits %s', (key, trait, scope) => {
    expect(splitCapabilityKey(key)).toEqual({ trait, scope });
  });
});

describe('renderingField', () => {
  const properties = {
    class: { type: 'string', required: true },
    size: { type: 'integer', required: true, default: 3 },
    anything: null,
  };
  const spec = { rendering: { properties } };
  const data = { apiVersion, kind: 'CapabilityDefinition', metadata: { name: 'database' }, spec };

  it.each<[rendering: Json, value: Json | undefined, found: readonly string[]]>([
    [{ class: 'a' }, { class: 'a', size: 3 }, []],
    [{ class: 'a', size: 1, anything: [1] }, { class: 'a', size: 1, anything: [1] }, []],
    [{ size: 'x', clas: 1 }, undefined, ['field-type size', 'field-unknown clas']],
  ])('checks %j', (rendering, value, expected) => {
    const { options, found } = collect();
    const definition = readCapabilityDefinition(data, options)!;
    expect(readField(renderingField(definition), rendering, options)).toEqual(value);
    expect(found).toEqual(expected);
  });
});
