import { annotationsOf, describeObject, listAt, mappingAt, numberAt, textAt } from '../kube/index.ts';
import type { Json, KubeObject, Path } from '../model/index.ts';
import type { PackageCheck } from './object-table.ts';
import type { Subject } from './subject.ts';

/** A host and path that an object routes. */
interface Claimed {
  /** Equal for routes that match the same requests. */
  readonly key: string;
  readonly host: string;
  readonly path: string;
  /** Of the field that defines the route. */
  readonly at: Path;
}

/** Reports objects that route the same requests, because the controller decides which of them gets the requests. */
export function checkDuplicateRoutes(subjects: readonly Subject[], { findings }: PackageCheck): void {
  const seen = new Map<string, { readonly object: KubeObject; readonly at: Path }>();
  for (const subject of subjects) {
    const { object } = subject;
    for (const { key, host, path, at } of claimsOf(subject)) {
      const first = seen.get(key);
      if (first === undefined) seen.set(key, { object, at });
      else if (first.object !== object) {
        const related = [{ message: 'the first one is here', object: first.object, path: first.at }];
        findings.add(object, { path: at, related }, [
          'route-duplicate',
          { host, path, object: describeObject(first.object) },
        ]);
      }
    }
  }
}

function claimsOf(subject: Subject): Iterable<Claimed> {
  const { group, kind } = subject.gvk;
  if (group === 'networking.k8s.io' && kind === 'Ingress') return ingressClaims(subject);
  if (group === 'gateway.networking.k8s.io' && kind === 'HTTPRoute') return routeClaims(subject);
  return [];
}

const canary = 'nginx.ingress.kubernetes.io/canary';

function* ingressClaims({ object }: Subject): Generator<Claimed> {
  const annotations = annotationsOf(object);
  // A canary takes a share of the requests on purpose.
  if (annotations[canary] === 'true') return;
  const spec = mappingAt(object, 'spec');
  const owner = textAt(spec, 'ingressClassName') ?? annotations['kubernetes.io/ingress.class'] ?? '';
  for (const [index, rule] of listAt(spec, 'rules').entries()) {
    const host = textAt(rule, 'host') ?? '';
    for (const [position, entry] of listAt(mappingAt(rule, 'http'), 'paths').entries()) {
      const [path, type] = [textAt(entry, 'path') ?? '/', textAt(entry, 'pathType') ?? ''];
      const place = ['spec', 'rules', index, 'http', 'paths', position];
      const at = textAt(entry, 'path') === undefined ? place : [...place, 'path'];
      yield { key: JSON.stringify([owner, host, type, trim(path, type === 'Prefix')]), host, path, at };
    }
  }
}

/** The prefixes `/a` and `/a/` match the same paths. */
function trim(path: string, isPrefix: boolean): string {
  return isPrefix && path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

const everyHost: readonly Json[] = [''];
const everyRequest: readonly Json[] = [{}];

function* routeClaims({ object, namespace }: Subject): Generator<Claimed> {
  const spec = mappingAt(object, 'spec');
  const hosts = listAt(spec, 'hostnames');
  for (const [index, rule] of listAt(spec, 'rules').entries()) {
    const matches = listAt(rule, 'matches');
    for (const [position, match] of (matches.length === 0 ? everyRequest : matches).entries()) {
      const at = ['spec', 'rules', index, ...(matches.length === 0 ? [] : ['matches', position])];
      const asked = readMatch(match);
      for (const parent of listAt(spec, 'parentRefs')) {
        const owner = ['kind', 'name', 'sectionName'].map((field) => textAt(parent, field) ?? '');
        owner.push(textAt(parent, 'namespace') ?? namespace, String(numberAt(parent, 'port') ?? ''));
        for (const host of hosts.length === 0 ? everyHost : hosts) {
          if (typeof host !== 'string') continue;
          yield { key: JSON.stringify([owner, host, asked.key]), host, path: asked.path, at };
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
