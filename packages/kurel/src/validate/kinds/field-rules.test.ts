import { expect, it } from 'vitest';
import { bundledSchemas } from '../../host/disk-file-system.ts';
import { podPathsOf } from '../../kube/index.ts';
import type { Json, KubeObject, Path } from '../../model/index.ts';
import { createSchemaStore, shippedKubernetesVersions } from '../../schema/index.ts';
import type { SchemaNode } from '../../schema/index.ts';
import { kindRules } from './check-by-kind.ts';
import { podRules } from './check-pods.ts';
import type { FieldRule } from './field-rules.ts';
import { severityOfServer } from './lenient-fields.ts';

/** A field of a kind in a Kubernetes version. */
interface Field {
  readonly kind: string;
  readonly minor: number;
  readonly path: Path;
  readonly node: SchemaNode;
}

type Visit = (rule: FieldRule, field: Field) => void;

/** Calls `visit` for each rule of a shipped kind, with the schema of its field. */
function visitRules(visit: Visit): void {
  const files = bundledSchemas();
  for (const kubernetesVersion of shippedKubernetesVersions(files)) {
    const store = createSchemaStore({ files, kubernetesVersion });
    const minor = Number(kubernetesVersion.split('.')[1]);
    for (const [kind, [group, rule]] of kindRules) {
      for (const version of store.versionsOf({ group, kind })) {
        const node = store.find({ group, version, kind })!.schema;
        walk(rule, { kind, minor, path: [], node }, visit);
        const path = podPathsOf({ group, kind })?.spec;
        const spec = path?.reduce<SchemaNode | undefined>((above, step) => above?.property(step), node);
        if (spec !== undefined) walk(podRules, { kind, minor, path: path!, node: spec }, visit);
      }
    }
  }
}

function walk(rule: FieldRule, field: Field, visit: Visit): void {
  const { path, node, minor } = field;
  // The API server drops the field.
  if ((rule.since ?? 0) > minor) return;
  visit(rule, field);
  for (const [name, inner] of Object.entries(rule.fields ?? {})) {
    const child = node.property(name);
    if (child !== undefined) walk(inner, { ...field, path: [...path, name], node: child }, visit);
  }
  if (rule.items !== undefined && node.items !== undefined)
    walk(rule.items, { ...field, path: [...path, 0], node: node.items }, visit);
}

/** Whether the schema refuses every string that the words refuse. */
function isInSchema({ words = [], emptyIsValue }: FieldRule, { kind, path, node }: Field): boolean {
  const choices = node.enum;
  if (choices === undefined || choices.some((choice) => choice !== '' && !words.includes(choice as string)))
    return false;
  if (emptyIsValue !== true || words.includes('')) return true;
  const value = path.reduceRight<Json>((inner, step) => (typeof step === 'number' ? [inner] : { [step]: inner }), '');
  const object = { apiVersion: 'v1', ...(value as object), kind } as KubeObject;
  return !choices.includes('') && severityOfServer(object, 'field-enum', path) === undefined;
}

it('do not repeat what the schemas of all shipped versions say about words', () => {
  const needed = new Set<FieldRule>();
  const fields = new Map<FieldRule, string>();
  visitRules((rule, field) => {
    if (rule.words === undefined) return;
    if (!isInSchema(rule, field)) needed.add(rule);
    fields.set(rule, `${field.kind} ${field.path.join('.')}`);
  });
  expect(fields.size).toBeGreaterThan(30);
  expect([...fields].filter(([rule]) => !needed.has(rule)).map(([, field]) => field)).toEqual([]);
});
