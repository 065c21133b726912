import {
  describeObject,
  eachMapping,
  gvkOf,
  mappingAt,
  nameOf,
  namespaceOf,
  objectNameOf,
  pathTo,
  textAt,
} from '../../kube/index.ts';
import { isJsonArray } from '../../model/index.ts';
import type { Diagnostic, GroupVersionKind, Json, JsonObject, KubeObject, Path } from '../../model/index.ts';
import { isSourceAllowed } from './enforcing.ts';
import type { Enforcing } from './enforcing.ts';
import { policyProblems } from './problems.ts';
import { sourcesAllowedBy } from './rules.ts';
import type { RuleLayer } from './rules.ts';

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
      const args = { what: 'URL' as const, source, subject: enforcing.subject, allowed };
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
