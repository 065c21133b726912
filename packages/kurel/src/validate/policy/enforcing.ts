import { getOrAdd } from '../../budget/index.ts';
import type { OwnRules } from '../../documents/index.ts';
import {
  compareQuantities,
  describeObject,
  eachMapping,
  gvkOf,
  mappingAt,
  nameOf,
  namespaceOf,
  objectNameOf,
  parseQuantity,
  pathTo,
  textAt,
} from '../../kube/index.ts';
import { isJsonArray, valueAt } from '../../model/index.ts';
import type { Diagnostic, GroupVersionKind, Json, JsonObject, KubeObject, Path } from '../../model/index.ts';
import { isFromRegistry, isListed, isUrlFromRegistry } from './match-registry.ts';
import { policyProblems } from './problems.ts';
import { isInForce, noPolicy, sourcesAllowedBy, tightestLayer } from './rules.ts';
import type { AmountLimit, RuleLayer } from './rules.ts';

/** One object and the policies to check it against. */
export interface Enforcing {
  readonly object: KubeObject;
  /** As messages name it: `apps/v1 Deployment "web"`. */
  readonly subject: () => string;
  readonly layers: readonly RuleLayer[];
  /** Whether ports and paths of the node are reported without a policy. */
  readonly isWarnedOfAll: boolean;
  readonly reportFinding: (diagnostic: Diagnostic, path: Path, rule?: Rule) => void;
}

interface Rule {
  readonly layer: RuleLayer;
  readonly path: Path;
}

interface Limit {
  readonly path: Path;
  readonly limit: AmountLimit;
  /** `the cpu request` */
  readonly what: string;
  /** Defaults to the object. */
  readonly subject?: string | undefined;
}

export function checkLimit(enforcing: Enforcing, { path, limit, what, subject = enforcing.subject() }: Limit): void {
  const layer = tightestLayer(enforcing.layers, limit);
  const most = layer?.enforced[limit];
  const value = valueAt(enforcing.object, path);
  if (layer === undefined || most === undefined || value === undefined || typeof value === 'object') return;
  if (`${value}` === '') return;
  const [quantity, bound] = [parseQuantity(`${value}`), parseQuantity(`${most}`)];
  if (quantity === undefined || bound === undefined) {
    reportUnchecked(enforcing, path, `it is not a number that can be compared with enforced.${limit}`);
    return;
  }
  if (compareQuantities(quantity, bound) <= 0) return;
  const args = { what, amount: `${value}`, limit: `${most}`, rule: `enforced.${limit}`, of: layer.of, subject };
  enforcing.reportFinding(policyProblems.create('policy-limit', args), path, { layer, path: ['enforced', limit] });
}

interface Exceeded extends Limit {
  /** `undefined` for no limit, which the object may set with 0. */
  readonly amount: number | undefined;
  /** Whether the object sets the amount, and not a default. */
  readonly isSet?: boolean;
}

/** Whether an amount is 0, in any notation. */
export function isZeroAmount(value: Json | undefined): boolean {
  if (value === undefined || value === null || typeof value === 'object') return false;
  return parseQuantity(`${value}`)?.nanos === 0n;
}

/** Reports an amount that no single field has. */
export function reportExceeded(
  enforcing: Enforcing,
  { path, limit, what, amount, isSet = false, subject = enforcing.subject() }: Exceeded,
): void {
  const layer = tightestLayer(enforcing.layers, limit);
  const most = layer?.enforced[limit];
  if (layer === undefined || most === undefined || (amount !== undefined && amount <= Number(most))) return;
  const limitless = isSet ? '0, which means no limit' : 'no limit';
  const isEndless = amount === undefined;
  const shown = isEndless ? limitless : `${amount}${isSet ? '' : ' by default'}`;
  const args = { what, amount: shown, isEndless, limit: `${most}`, rule: `enforced.${limit}`, of: layer.of, subject };
  enforcing.reportFinding(policyProblems.create('policy-limit', args), path, { layer, path: ['enforced', limit] });
}

/** Reports that nothing in the build enforces a limit. */
export function reportMissingLimit(
  enforcing: Enforcing,
  { path, limit, what, subject = enforcing.subject() }: Limit,
): void {
  const layer = tightestLayer(enforcing.layers, limit);
  const most = layer?.enforced[limit];
  if (layer === undefined || most === undefined) return;
  const args = { what, limit: `${most}`, rule: `enforced.${limit}`, subject };
  const place = { layer, path: ['enforced', limit] };
  enforcing.reportFinding(policyProblems.create('policy-limit-missing', args), path, place);
}

/** Reports a field that no check covers. */
export function reportUnchecked(enforcing: Enforcing, path: Path, reason: string): void {
  if (!isInForce(enforcing.layers)) return;
  const field = path.map((step, index) =>
    typeof step === 'number' ? `[${step}]` : `${index === 0 ? '' : '.'}${step}`,
  );
  const args = { field: field.join(''), subject: enforcing.subject(), reason };
  enforcing.reportFinding(policyProblems.create('policy-not-checked', args), path);
}

interface ImageWords {
  /** Defaults to the object. */
  readonly subject?: string | undefined;
  /** Defaults to the value at the path. */
  readonly image?: string | undefined;
}

export function checkImage(
  enforcing: Enforcing,
  path: Path,
  { subject = enforcing.subject(), image }: ImageWords = {},
): void {
  const source = image ?? valueAt(enforcing.object, path);
  if (typeof source !== 'string' || source === '') return;
  const layer = layerAgainst(enforcing, source);
  if (layer === undefined) return;
  const { allowedRegistries: allowed = [] } = layer.enforced;
  const diagnostic = policyProblems.create('policy-registry', { source, subject, allowed, what: 'image' as const });
  enforcing.reportFinding(diagnostic, path, { layer, path: ['enforced', 'allowedRegistries'] });
}

export function isImageAllowed(enforcing: Enforcing, image: string): boolean {
  return layerAgainst(enforcing, image) === undefined;
}

function layerAgainst({ layers }: Enforcing, image: string): RuleLayer | undefined {
  return layers.find(({ enforced: { allowedRegistries: allowed } }) => {
    return allowed !== undefined && !isFromRegistry(image, allowed);
  });
}

/** Whether all policies allow a source; `refuse` is called with the first rule that does not. */
export function isSourceAllowed(
  source: string,
  layers: readonly RuleLayer[],
  refuse: (allowed: readonly string[], rule: Rule) => void,
): boolean {
  for (const layer of layers) {
    const rule = sourcesAllowedBy(layer);
    if (rule === undefined || isUrlFromRegistry(source, rule.allowed)) continue;
    refuse(rule.allowed, { layer, path: rule.path });
    return false;
  }
  return true;
}

/** A rule that a policy sets to true or false. */
export type Permission = {
  [Key in keyof OwnRules['security']]-?: OwnRules['security'][Key] extends boolean | undefined ? Key : never;
}[keyof OwnRules['security']];

interface Refusal {
  /** `"privileged"` */
  readonly what: string;
  readonly path: Path;
  readonly rule: Permission;
  readonly subject?: string | undefined;
  /** Of a setting that is required: `be true`. */
  readonly must?: string | undefined;
  /** So common in manifests that only application packages get a finding without a policy. */
  readonly isCommon?: boolean | undefined;
}

/** Reports the first policy that denies something. */
export function refuse(enforcing: Enforcing, { path, rule, isCommon, ...words }: Refusal): void {
  const layer = denyingLayer(enforcing.layers, ({ security }) => security[rule] === false);
  if (layer === undefined) return;
  const args = { ...words, subject: words.subject ?? enforcing.subject(), rule: `security.${rule}` };
  if (layer === noPolicy) {
    if (isCommon === true && !enforcing.isWarnedOfAll) return;
    enforcing.reportFinding(policyProblems.create('policy-security-unsaid', args), path);
    return;
  }
  const { isWritten, ...place } = placeOf(layer, rule);
  enforcing.reportFinding(policyProblems.create('policy-security', { ...args, of: layer.of, isWritten }), path, place);
}

/** Where a policy sets a rule: itself, or by its level. */
function placeOf(layer: RuleLayer, rule: keyof OwnRules['security']): Rule & { readonly isWritten: boolean } {
  const isWritten = layer.locate(['security', rule]) !== undefined;
  return { layer, path: ['security', isWritten ? rule : 'level'], isWritten };
}

/** Whether some policy denies something. */
export function isDenied(layers: readonly RuleLayer[], rule: Permission): boolean {
  return denyingLayer(layers, ({ security }) => security[rule] === false) !== undefined;
}

/** Prefers a written policy over the default. */
function denyingLayer(layers: readonly RuleLayer[], denies: (layer: RuleLayer) => boolean): RuleLayer | undefined {
  const denying = layers.filter(denies);
  return denying.find((layer) => layer !== noPolicy) ?? denying[0];
}

const capabilities = new WeakMap<readonly string[], ReadonlySet<string>>();

export function checkCapability(enforcing: Enforcing, capability: string, path: Path, subject: string): void {
  const name = canonicalCapability(capability);
  const layer = denyingLayer(enforcing.layers, ({ security: { allowedCapabilities } }) => {
    if (allowedCapabilities === undefined) return false;
    const names = getOrAdd(
      capabilities,
      allowedCapabilities,
      () => new Set(allowedCapabilities.map(canonicalCapability)),
    );
    return !names.has(name) && !names.has('ALL');
  });
  if (layer === undefined) return;
  if (layer === noPolicy) {
    const args = { what: `capability "${capability}"`, subject, rule: 'security.allowedCapabilities', capability };
    enforcing.reportFinding(policyProblems.create('policy-security-unsaid', args), path);
    return;
  }
  const { allowedCapabilities: allowed = [] } = layer.security;
  const { isWritten, ...place } = placeOf(layer, 'allowedCapabilities');
  const args = { capability, subject, allowed, isWritten };
  enforcing.reportFinding(policyProblems.create('policy-capability', args), path, place);
}

/** Some runtimes also accept lower case and the prefix CAP_ of the kernel. */
function canonicalCapability(name: string): string {
  return name.toUpperCase().replace(/^CAP_/, '');
}

interface Listed {
  readonly path: Path;
  readonly rule: 'allowedSysctls' | 'allowedVolumeTypes';
  readonly value: string;
  /** `sysctl "kernel.msgmax"` */
  readonly what: string;
  readonly subject: string;
}

/** Checks a value against the list of allowed ones. */
export function checkListed(enforcing: Enforcing, { path, rule, value, ...words }: Listed): void {
  const layer = enforcing.layers.find(({ security }) => {
    const allowed = security[rule];
    return allowed !== undefined && !isListed(allowed, value);
  });
  if (layer === undefined) return;
  const { isWritten, ...place } = placeOf(layer, rule);
  const args = { ...words, rule: `security.${rule}`, of: layer.of, isWritten, value };
  enforcing.reportFinding(policyProblems.create('policy-security', args), path, place);
}

const fluxFields: Readonly<Record<string, string>> = {
  HelmRepository: 'url',
  OCIRepository: 'url',
  GitRepository: 'url',
  Bucket: 'endpoint',
};

/** Checks the URLs from which Flux and Argo CD objects fetch sources. */
export function checkSources(enforcing: Enforcing, { group, kind }: GroupVersionKind): void {
  const { object } = enforcing;
  if (group === 'source.toolkit.fluxcd.io') {
    const field = Object.hasOwn(fluxFields, kind) ? fluxFields[kind]! : 'url';
    const spec = mappingAt(object, 'spec');
    check(spec?.[field], ['spec', field]);
    // The endpoint that issues credentials for a Bucket.
    check(mappingAt(spec, 'sts')?.['endpoint'], ['spec', 'sts', 'endpoint']);
  }
  if (group !== 'argoproj.io') return;
  eachMapping(object, ({ repoURL, sourceRepos }, place) => {
    if (repoURL !== undefined) check(repoURL, [...pathTo(place), 'repoURL']);
    if (!isJsonArray(sourceRepos)) return;
    for (const [index, source] of sourceRepos.entries()) {
      const isExcluded = typeof source === 'string' && source.startsWith('!');
      if (!isExcluded) check(source, [...pathTo(place), 'sourceRepos', index]);
    }
  });

  function check(source: Json | undefined, path: Path): void {
    if (typeof source !== 'string') return;
    isSourceAllowed(source, enforcing.layers, (allowed, rule) => {
      const args = { what: 'URL' as const, source, subject: enforcing.subject(), allowed };
      enforcing.reportFinding(policyProblems.create('policy-registry', args), path, rule);
    });
  }
}

/** Paths of source references in Flux objects. */
const references: readonly (readonly string[])[] = [
  ['spec', 'chart', 'spec', 'sourceRef'],
  ['spec', 'chartRef'],
  ['spec', 'sourceRef'],
];

interface UnknownSource {
  readonly object: KubeObject;
  readonly path: Path;
  readonly diagnostic: Diagnostic;
}

/** Finds references to sources that are not part of the build, so that their hosts cannot be checked. */
export function findUnknownSources(
  objects: readonly KubeObject[],
  layers: readonly RuleLayer[],
): readonly UnknownSource[] {
  const layer = layers.find((rules) => sourcesAllowedBy(rules) !== undefined);
  if (layer === undefined) return [];
  const { allowed, path: rule } = sourcesAllowedBy(layer)!;
  const identities = new Set(objects.map((object) => identify(object.kind, namespaceOf(object), nameOf(object))));
  const location = layer.locate(rule);
  const related = location === undefined ? [] : [{ message: 'the rule is here', location }];
  const findings: UnknownSource[] = [];
  for (const object of objects) {
    if (gvkOf(object)?.group.endsWith('.toolkit.fluxcd.io') !== true) continue;
    for (const path of references) {
      const reference = path.reduce<JsonObject | undefined>(mappingAt, object);
      const [kind, name] = [textAt(reference, 'kind') ?? '', textAt(reference, 'name')];
      const namespace = textAt(reference, 'namespace') ?? namespaceOf(object);
      const isSource = Object.hasOwn(fluxFields, kind);
      if (name === undefined || !isSource || identities.has(identify(kind, namespace, name))) continue;
      const args = { kind, name, subject: describeObject(object), allowed };
      const problem = policyProblems.create('policy-source-unknown', args, { related });
      const diagnostic = { ...problem, object: objectNameOf(object) };
      findings.push({ object, path: [...path, 'name'], diagnostic });
    }
  }
  return findings;
}

function identify(...parts: readonly string[]): string {
  return JSON.stringify(parts);
}
