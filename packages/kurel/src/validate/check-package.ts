import { getOrAdd } from '../budget/index.ts';
import { escapeControls, nearest } from '../diagnostics/index.ts';
import {
  annotationsOf,
  describeObject,
  isEncryptedText,
  isSopsEncrypted,
  listAt,
  mappingAt,
  numberAt,
  pluralOf,
  textAt,
} from '../kube/index.ts';
import type { Json, KubeObject, Path } from '../model/index.ts';
import { firstHere } from './findings.ts';
import { createFindNaming } from './named-in-commands.ts';
import { createObjectTable } from './object-table.ts';
import type { PackageCheck, Subject } from './object-table.ts';
import { checkReferences } from './package-references.ts';
import { checkPolicyPorts, checkRoutes, checkServices } from './package-services.ts';

/** Checks references between objects. Returns the namespaces that the build uses but does not create, if nothing else looks wrong with them. */
export function checkPackage(
  subjects: readonly Subject[],
  options: Omit<PackageCheck, 'table' | 'findNaming'>,
): readonly string[] {
  const { dropped, inPackage } = options;
  const all = dropped.length === 0 ? subjects : [...subjects, ...dropped];
  const check = { ...options, table: createObjectTable(all), findNaming: createFindNaming(all) };
  checkIdentities(check);
  const elsewhere = checkNamespaces(subjects, check);
  checkDuplicateRoutes(subjects, check);
  checkDuplicateSecrets(subjects, check);
  for (const subject of subjects) {
    checkReferences(subject, check);
    checkServices(subject, check);
    checkPolicyPorts(subject, check);
    checkRoutes(subject, check);
    if (inPackage) checkAdvice(subject, check);
  }
  return elsewhere;
}

/** Objects with the same identity in a cluster. */
function checkIdentities({ findings, inPackage, table, dropped }: PackageCheck): void {
  for (const [subject, first] of table.duplicates) {
    if (dropped.includes(subject)) continue;
    const { object } = subject;
    const related = firstHere(first, ['metadata', 'name']);
    findings.add(object, { path: ['metadata', 'name'], related }, [
      'object-duplicate',
      { object: describeObject(object), pair: inPackage ? describePair(subject) : undefined },
    ]);
  }
}

function describePair({ gvk, namespace, name }: Subject): string {
  const where = namespace === '' ? '' : ` in namespace '${namespace}'`;
  return escapeControls(`Two ${pluralOf(gvk.kind)} named '${name}'${where}`);
}

/** Objects that a cluster accepts, but that are most likely a mistake of the package author. */
function checkAdvice(subject: Subject, check: PackageCheck): void {
  if (subject.gvk.group !== '') return;
  const { kind } = subject.gvk;
  if (kind === 'ConfigMap') checkData(subject, check, ['data', 'binaryData']);
  else if (kind === 'Secret') checkSecret(subject, check);
  else if (kind === 'Service') checkSelector(subject, check);
}

function checkSecret(subject: Subject, check: PackageCheck): void {
  const { object } = subject;
  // The token controller of the cluster fills these.
  if (object['type'] === 'kubernetes.io/service-account-token') return;
  checkData(subject, check, ['data', 'stringData']);
  if (!isFilled(subject, 'stringData')) return;
  const values = Object.values(mappingAt(object, 'stringData') ?? {});
  // SOPS leaves empty strings as they are.
  if (isSopsEncrypted(object) && values.every((value) => value === '' || isEncryptedText(value))) return;
  check.findings.add(object, { path: ['stringData'], at: 'key' }, [
    'secret-in-clear',
    { object: describeObject(object) },
  ]);
}

function checkData(subject: Subject, { findings }: PackageCheck, fields: readonly string[]): void {
  const { object } = subject;
  if (fields.some((field) => isFilled(subject, field))) return;
  findings.add(object, { path: ['metadata', 'name'] }, ['data-missing', { object: describeObject(object), fields }]);
}

function isFilled({ object }: Subject, field: string): boolean {
  return Object.keys(mappingAt(object, field) ?? {}).length > 0;
}

function checkSelector({ object }: Subject, { findings }: PackageCheck): void {
  const spec = mappingAt(object, 'spec');
  if (spec === undefined || spec['type'] === 'ExternalName') return;
  if (Object.keys(mappingAt(spec, 'selector') ?? {}).length > 0) return;
  if (findings.hasTypoOf(object, ['spec', 'selector'])) return;
  findings.add(object, { path: ['spec'], at: 'key' }, ['service-without-selector', { object: describeObject(object) }]);
}

/**
 * Reports used namespaces that are not created and look misspelled, and returns the others. A build without any Namespace object
 * is for existing namespaces. Every cluster has `default` and the `kube-` namespaces.
 */
function checkNamespaces(
  subjects: readonly Subject[],
  { store, findings, inPackage, namespacesElsewhere, dropped }: PackageCheck,
): readonly string[] {
  const created = new Set(namesCreated(subjects).concat(namesCreated(dropped)));
  if (!inPackage && created.size === 0) return [];
  const used = new Map<string, Subject[]>();
  const createUsers = (): Subject[] => [];
  const elsewhere: string[] = [];
  for (const subject of subjects) {
    const { namespace } = subject;
    if (namespace === '' || namespace === 'default' || namespace.startsWith('kube-')) continue;
    getOrAdd(used, namespace, createUsers).push(subject);
  }
  for (const [namespace, all] of used) {
    if (created.has(namespace) || namespacesElsewhere.includes(namespace)) continue;
    // `namespace-not-used` reports the namespace of a cluster-scoped object.
    const users = all.filter(({ gvk }) => store.find(gvk)?.scope !== 'Cluster');
    if (users.length === 0) continue;
    const near = nearest(namespace, [...created]);
    if (!inPackage && near === undefined) elsewhere.push(namespace);
    else {
      findings.add(users[0]!.object, { path: ['metadata', 'namespace'] }, [
        'namespace-missing',
        { namespace, count: users.length, near, inPackage },
      ]);
    }
  }
  return elsewhere;
}

function namesCreated(subjects: readonly Subject[]): readonly string[] {
  return subjects.flatMap(({ gvk, name }) => (gvk.kind === 'Namespace' && gvk.group === '' ? [name] : []));
}

/** A host and path that an object routes. */
interface Claimed {
  /** Equal for routes that match the same requests. */
  readonly key: string;
  readonly host: string;
  readonly path: string;
  /** Of the field that defines the route; built only for findings. */
  readonly at: () => Path;
}

/** Reports objects that route the same requests, because the controller decides which of them gets the requests. */
function checkDuplicateRoutes(subjects: readonly Subject[], { findings }: PackageCheck): void {
  const seen = new Map<string, Pick<Claimed, 'at'> & { readonly object: KubeObject }>();
  for (const subject of subjects) {
    const { object } = subject;
    eachClaim(subject, ({ key, host, path, at }) => {
      const first = seen.get(key);
      if (first === undefined) seen.set(key, { object, at });
      else if (first.object !== object) {
        const related = firstHere(first.object, first.at());
        const args = { host, path, object: describeObject(first.object) };
        findings.add(object, { path: at(), related }, ['route-duplicate', args]);
      }
    });
  }
}

type VisitClaim = (claim: Claimed) => void;

function eachClaim(subject: Subject, visit: VisitClaim): void {
  const { group, kind } = subject.gvk;
  if (group === 'networking.k8s.io' && kind === 'Ingress') eachIngressClaim(subject, visit);
  if (group === 'gateway.networking.k8s.io' && kind === 'HTTPRoute') eachRouteClaim(subject, visit);
}

const canary = 'nginx.ingress.kubernetes.io/canary';

function eachIngressClaim({ object }: Subject, visit: VisitClaim): void {
  const annotations = annotationsOf(object);
  // A canary takes a share of the requests on purpose.
  if (annotations[canary] === 'true') return;
  const spec = mappingAt(object, 'spec');
  const owner = textAt(spec, 'ingressClassName') ?? annotations['kubernetes.io/ingress.class'] ?? '';
  listAt(spec, 'rules').forEach((rule, index) => {
    const host = textAt(rule, 'host') ?? '';
    listAt(mappingAt(rule, 'http'), 'paths').forEach((entry, position) => {
      const written = textAt(entry, 'path');
      const [path, type] = [written ?? '/', textAt(entry, 'pathType') ?? ''];
      const at = (): Path => {
        const place = ['spec', 'rules', index, 'http', 'paths', position];
        return written === undefined ? place : [...place, 'path'];
      };
      visit({ key: JSON.stringify([owner, host, type, trim(path, type === 'Prefix')]), host, path, at });
    });
  });
}

/** The prefixes `/a` and `/a/` match the same paths. */
function trim(path: string, isPrefix: boolean): string {
  return isPrefix && path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

const everyHost: readonly Json[] = [''];
const everyRequest: readonly Json[] = [{}];

function eachRouteClaim({ object, namespace }: Subject, visit: VisitClaim): void {
  const spec = mappingAt(object, 'spec');
  const hosts = listAt(spec, 'hostnames');
  for (const [index, rule] of listAt(spec, 'rules').entries()) {
    const matches = listAt(rule, 'matches');
    for (const [position, match] of (matches.length === 0 ? everyRequest : matches).entries()) {
      const at = (): Path => ['spec', 'rules', index, ...(matches.length === 0 ? [] : ['matches', position])];
      const asked = readMatch(match);
      for (const parent of listAt(spec, 'parentRefs')) {
        const owner = ['kind', 'name', 'sectionName'].map((field) => textAt(parent, field) ?? '');
        owner.push(textAt(parent, 'namespace') ?? namespace, String(numberAt(parent, 'port') ?? ''));
        for (const host of hosts.length === 0 ? everyHost : hosts) {
          if (typeof host !== 'string') continue;
          visit({ key: JSON.stringify([owner, host, asked.key]), host, path: asked.path, at });
        }
      }
    }
  }
}

function readMatch(match: Json): { readonly path: string; readonly key: readonly Json[] } {
  const path = mappingAt(match, 'path');
  const [type, value] = [textAt(path, 'type') ?? 'PathPrefix', textAt(path, 'value') ?? '/'];
  const others = [textAt(match, 'method') ?? '', listAt(match, 'headers'), listAt(match, 'queryParams')];
  return { path: value, key: [type, trim(value, type === 'PathPrefix'), ...others] };
}

const secretPath = ['spec', 'secretName'];

/** Reports Certificates with the same Secret, because cert-manager issues only one of them. */
function checkDuplicateSecrets(subjects: readonly Subject[], { findings }: PackageCheck): void {
  const seen = new Map<string, Subject>();
  for (const subject of subjects) {
    const { object, gvk, namespace, name } = subject;
    if (gvk.group !== 'cert-manager.io' || gvk.kind !== 'Certificate') continue;
    const secret = textAt(mappingAt(object, 'spec'), 'secretName');
    if (secret === undefined) continue;
    const key = `${namespace}/${secret}`;
    const first = seen.get(key);
    if (first === undefined) seen.set(key, subject);
    // The same Certificate twice is another finding.
    else if (first.name !== name) {
      const related = firstHere(first.object, secretPath);
      const args = { secret, object: describeObject(first.object) };
      findings.add(object, { path: secretPath, related }, ['certificate-secret-duplicate', args]);
    }
  }
}
