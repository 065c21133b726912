import { has, listAt, mappingAt, textAt } from '../../../kube/index.ts';
import type { Json, Path } from '../../../model/index.ts';
import type { ReportAt } from '../catalog/define.ts';
import { exposeProblems } from './expose-problems.ts';
import type { ExposeProperties } from './expose-properties.ts';
import type { HostPath, HostRoute } from './host-routes.ts';

type Rule = NonNullable<ExposeProperties['rules']>[number];

interface TranslateOptions {
  /** Of the application: a backend there needs no namespace. */
  readonly namespace: string;
  readonly report: ReportAt;
}

/** Rules as Gateway API has them, as far as an Ingress can do the same: paths, and one Service for each. */
export function translateMatches(
  { rules = [], hostnames = [] }: ExposeProperties,
  options: TranslateOptions,
): readonly HostRoute[] {
  const { report } = options;
  if (hostnames.length === 0) {
    report(exposeProblems.create('expose-host-missing', { controller: 'ingress' }), ['rules', 0]);
  }
  for (const [index, host] of hostnames.entries()) {
    if (!host.startsWith('*.')) continue;
    report(exposeProblems.create('expose-wildcard-host', { host, controller: 'ingress' }), ['hostnames', index]);
  }
  const paths = rules.flatMap((rule, index) => translateRule(rule, ['rules', index], options));
  return hostnames.map((host, index) => ({ host, at: ['hostnames', index], rule: 0, paths }));
}

const matchAll: readonly Json[] = [{}];

function translateRule(rule: Rule, at: Path, options: TranslateOptions): readonly HostPath[] {
  const refuse = createRefusal(options.report);
  for (const key of ['name', 'filters', 'timeouts', 'retry'] as const) {
    if (rule[key] !== undefined) refuse(`"${key}"`, [...at, key]);
  }
  const paths = (rule.matches ?? matchAll).map((match, index) =>
    translateMatch(match, rule.matches === undefined ? at : [...at, 'matches', index], refuse),
  );
  const backend = translateBackend(rule, [...at, 'backendRefs'], options);
  return paths.map((path) => Object.assign({}, path, backend));
}

type Refuse = (what: string, path: Path) => void;

function createRefusal(report: ReportAt): Refuse {
  return (what, path) => {
    const args = { what, controller: 'ingress', advice: undefined } as const;
    report(exposeProblems.create('expose-not-expressible', args), path, 'key');
  };
}

function translateMatch(match: Json, at: Path, refuse: Refuse): Omit<HostPath, keyof OfBackend> {
  for (const key of ['method', 'headers', 'queryParams']) {
    const isThere = key === 'method' ? has(match, key) : listAt(match, key).length > 0;
    if (isThere) refuse(`"${key}"`, [...at, key]);
  }
  const path = mappingAt(match, 'path');
  const type = textAt(path, 'type');
  if (type === 'RegularExpression') refuse('a path of type RegularExpression', [...at, 'path', 'type']);
  return {
    path: textAt(path, 'value') ?? '/',
    pathType: type === 'Exact' ? 'Exact' : 'Prefix',
    at,
    pathAt: [...at, 'path', 'value'],
  };
}

type OfBackend = Pick<HostPath, 'backend' | 'port' | 'backendSelector' | 'backendAt' | 'nameAt'>;

function translateBackend({ backendRefs }: Rule, at: Path, { namespace, report }: TranslateOptions): OfBackend {
  const refuse = createRefusal(report);
  if (backendRefs?.length === 0) refuse('a rule without backends', at);
  if (backendRefs !== undefined && backendRefs.length > 1) refuse('a rule with several backends', at);
  const [backend = {}] = backendRefs ?? [];
  const { name, port, backendSelector, group = '', kind = 'Service' } = backend;
  const place = [...at, 0];
  for (const key of ['weight', 'filters'] as const) {
    if (backend[key] !== undefined) refuse(`"${key}"`, [...place, key]);
  }
  if ((backend.namespace ?? namespace) !== namespace) refuse('another "namespace"', [...place, 'namespace']);
  if (group !== '' || kind !== 'Service') {
    refuse('a backend that is no Service', [...place, kind === 'Service' ? 'group' : 'kind']);
  }
  return {
    ...(name === undefined ? {} : { backend: name }),
    ...(port === undefined ? {} : { port }),
    ...(backendSelector === undefined ? {} : { backendSelector }),
    backendAt: place,
    nameAt: [...place, 'name'],
  };
}
