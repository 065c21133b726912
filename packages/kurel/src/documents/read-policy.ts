import { quote } from '../diagnostics/index.ts';
import { compareQuantities, parseQuantity, rulesOfLevel, volumeSources } from '../kube/index.ts';
import type { Quantity } from '../kube/index.ts';
import { isJsonObject, isNumber, valueAt } from '../model/index.ts';
import type { Json, Path } from '../model/index.ts';
import { namedMetadata } from './define-fields.ts';
import type { Field, Fields, ValueOf } from './field.ts';
import { createDocumentFindings } from './document-findings.ts';
import type { DocumentFindings } from './document-findings.ts';
import { itemsAt } from './located-data.ts';
import { policyFields } from './policy-fields.ts';
import { documentProblems } from './problems.ts';
import { createTypeCheck } from './read-application-document.ts';
import type { PlatformOptions } from './read-application-document.ts';
import { readDocument } from './read-document.ts';
import type { Document } from './read-document.ts';
import { collectField } from './read-field.ts';

const metadata = namedMetadata('policy');

const { security } = policyFields;

/** Rules that a platform policy denies at every level of the Pod Security Standards. */
const denied = [
  'allowWildcardRoles',
  'allowEscalatingVerbs',
  'allowClusterAdmin',
  'allowForeignBindings',
  'allowWebhooks',
] as const satisfies readonly (keyof typeof security.properties)[];

type Denied = {
  readonly [Key in (typeof denied)[number]]: (typeof security.properties)[Key] & { readonly default: false };
};

/** A platform policy denies everything that it does not allow. */
const permissions = {
  ...security.properties,
  ...(Object.fromEntries(denied.map((key) => [key, { ...security.properties[key], default: false }])) as Denied),
  level: { ...security.properties.level, default: 'baseline' },
} as const satisfies Fields;

const rules = {
  type: 'object',
  default: {},
  properties: { ...policyFields, security: { ...security, properties: permissions } },
} as const satisfies Field;

export type PolicyRules = ValueOf<typeof rules>;

const ownRules = { type: 'object', properties: policyFields } as const satisfies Field;

/** Rules of an application for itself: they deny only what they mention. */
export type OwnRules = ValueOf<typeof ownRules>;

export const policyTables = { kind: 'Policy', metadata, spec: rules } as const;

export type Policy = Document<typeof metadata, typeof rules>;

/** Reads a Policy document. */
export function readPolicy(data: Json | undefined, options: PlatformOptions): Policy | undefined {
  function check(document: Json, findings: DocumentFindings): void {
    checkRules(document, { path: ['spec'], options, findings });
  }
  const policy = readDocument(data, { ...policyTables, check }, options);
  return policy && { ...policy, spec: { ...policy.spec, security: applyLevel(policy.spec.security) } };
}

/** Adds the rules of the Pod Security level, which those in the policy override. */
function applyLevel<Rules extends OwnRules['security']>(written: Rules): Rules {
  return written.level === undefined ? written : { ...rulesOfLevel(written.level), ...written };
}

interface RulesOptions extends PlatformOptions {
  /** Path of the entry's properties in the document. */
  readonly path: Path;
}

/** Reads the properties of an `env-policy` of an application, which has the same rules as a Policy. */
export function readPolicyRules(properties: Json, { path, ...options }: RulesOptions): OwnRules | undefined {
  const findings = createDocumentFindings({
    ...options,
    locate: (inner) => options.locate([...path, ...inner]),
    referencesAt: (inner) => options.referencesAt?.([...path, ...inner]) ?? [],
  });
  const value = collectField(ownRules, properties, { path: [], findings });
  checkRules(properties, { path: [], options, findings });
  const isRead = findings.reportAll(() => properties);
  return isRead && value !== undefined ? { ...value, security: applyLevel(value.security) } : undefined;
}

interface RulesPlace {
  readonly path: readonly string[];
  readonly options: PlatformOptions;
  readonly findings: DocumentFindings;
}

function checkRules(document: Json, { path, options, findings }: RulesPlace): void {
  const { known: types } = options;
  const checkTrait = createTypeCheck(types?.traits, findings, 'policy-trait-unknown');
  const checkComponent = createTypeCheck(types?.components, findings, 'policy-component-unknown');
  const checkList = (check: typeof checkTrait, list: Path): void => {
    for (const [index, type] of itemsAt(document, list).entries()) {
      if (typeof type === 'string') check(type, [...list, index]);
    }
  };
  const checkVolume = createTypeCheck(volumeSources, findings, 'policy-volume-type-unknown');
  checkList(checkVolume, [...path, 'security', 'allowedVolumeTypes']);
  for (const list of ['allowed', 'forbidden']) checkList(checkComponent, [...path, 'components', list]);
  for (const list of ['allowed', 'forbidden', 'required']) checkList(checkTrait, [...path, 'capabilities', list]);
  const placement = [...path, 'placement'];
  if (isJsonObject(valueAt(document, placement))) {
    findings.add(placement, documentProblems.create('policy-placement', {}), 'key');
  }
  checkContradictions(document, path, findings);
}

// The first of each pair must not exceed the second: a policy must not set a default that it rejects.
const amounts = [
  ['defaults.replicas', 'enforced.maxReplicas'],
  ['defaults.scalerMinReplicas', 'defaults.scalerMaxReplicas'],
  ['defaults.scalerMinReplicas', 'enforced.maxReplicas'],
  ['defaults.scalerMaxReplicas', 'enforced.maxReplicas'],
  ['defaults.cpuRequest', 'defaults.cpuLimit'],
  ['defaults.cpuRequest', 'enforced.maxCPU'],
  ['defaults.cpuLimit', 'enforced.maxCPU'],
  ['defaults.memoryRequest', 'defaults.memoryLimit'],
  ['defaults.memoryRequest', 'enforced.maxMemory'],
  ['defaults.memoryLimit', 'enforced.maxMemory'],
  ['defaults.storageSize', 'enforced.maxStorageSize'],
] as const;

// No name can be in both lists.
const exclusive = [
  ['components.allowed', 'allowed', 'components.forbidden'],
  ['capabilities.allowed', 'allowed', 'capabilities.forbidden'],
  ['capabilities.required', 'required', 'capabilities.forbidden'],
  ['objects.allowedKinds', 'allowed', 'objects.forbiddenKinds'],
  ['objects.allowedGroups', 'allowed', 'objects.forbiddenGroups'],
] as const;

/** Finds rules of a policy that no application can satisfy together. */
function checkContradictions(document: Json, path: Path, findings: DocumentFindings): void {
  const pathOf = (rule: string): Path => [...path, ...rule.split('.')];
  const refuse = (reason: string, place: Path, other: Path): void => {
    const related = [{ message: 'the other rule is here', location: findings.options.locate(other) }];
    findings.add(place, documentProblems.create('policy-contradiction', { reason }, { related }));
  };
  const read = (rule: string): WrittenAmount | undefined =>
    findings.has(pathOf(rule)) ? undefined : readAmount(valueAt(document, pathOf(rule)));
  // Read all amounts first: a rejected one would not be read again for its other pairs.
  const pairs = amounts.map(([lesser, greater]) => ({ lesser, greater, less: read(lesser), more: read(greater) }));
  for (const { lesser, greater, less, more } of pairs) {
    if (less === undefined || more === undefined || compareQuantities(less.quantity, more.quantity) <= 0) continue;
    const reason = `${quote(lesser)} must be at most ${quote(greater)} ${more.text}, got ${less.text}`;
    refuse(reason, pathOf(lesser), pathOf(greater));
  }
  const placesIn = (rule: string): ReadonlyMap<Json, Path> =>
    new Map(itemsAt(document, pathOf(rule)).map((item, index) => [item, [...pathOf(rule), index]]));
  for (const [list, word, other] of exclusive) {
    const forbidden = placesIn(other);
    for (const [name, place] of placesIn(list)) {
      if (typeof name !== 'string' || !forbidden.has(name)) continue;
      refuse(`${quote(name)} is both ${word} and forbidden`, place, forbidden.get(name)!);
    }
  }
  const [allowed, forbidden] = [placesIn('capabilities.allowed'), placesIn('capabilities.forbidden')];
  for (const [trait, place] of allowed.size === 0 ? [] : placesIn('capabilities.required')) {
    if (allowed.has(trait) || forbidden.has(trait) || typeof trait !== 'string') continue;
    refuse(`${quote(trait)} is required but not allowed`, place, pathOf('capabilities.allowed'));
  }
}

interface WrittenAmount {
  readonly text: string;
  readonly quantity: Quantity;
}

function readAmount(value: Json | undefined): WrittenAmount | undefined {
  if (typeof value !== 'string' && !isNumber(value)) return undefined;
  const quantity = parseQuantity(String(value));
  return quantity === undefined ? undefined : { text: String(value), quantity };
}
