import { has, listAt, mappingAt, textAt } from '../../../kube/index.ts';
import type { Json, JsonObject, Path } from '../../../model/index.ts';
import type { LoweredTrait, ReportAt, TraitInput } from '../catalog/define.ts';
import { defined, pickFields } from '../catalog/present-fields.ts';
import { secureRoutes } from './create-tls.ts';
import { exposeProblems } from './expose-problems.ts';
import { checkRoutedHosts, listHostRoutes, nameRoute, placeHosts, readForm, refuseWildcards } from './host-routes.ts';
import type { HostPath, HostRoute } from './host-routes.ts';
import { routingProblems } from './problems.ts';
import { aliases, inspectAnnotations, issuers, nginx } from './reserved-annotations.ts';
import type { ReservedAnnotations } from './reserved-annotations.ts';
import { loweredProperties } from './routing-properties.ts';
import type { ExposeProperties } from './routing-properties.ts';

type Input = TraitInput<ExposeProperties>;
type Rule = NonNullable<ExposeProperties['rules']>[number];

type Refuse = (what: string, path: Path) => void;

/** Converts Gateway API rules as far as an Ingress supports them: paths with one Service each. */
function translateMatches({ properties, namespace, report }: Input): readonly HostRoute[] {
  const { rules = [], hostnames } = properties;
  const hosts = placeHosts(hostnames);
  if (hosts.length === 0) {
    report(exposeProblems.create('expose-host-missing', { controller: 'ingress' }), ['rules', 0]);
  }
  refuseWildcards(hosts, 'ingress', report);
  const refuse: Refuse = (what, path) => {
    const args = { what, controller: 'ingress', advice: undefined } as const;
    report(exposeProblems.create('expose-not-expressible', args), path, 'key');
  };
  const paths = rules.flatMap((rule, index) => translateRule(rule, ['rules', index], { namespace, refuse }));
  return hosts.map(({ host, at }) => ({ host, at, rule: 0, paths }));
}

const matchAll: readonly Json[] = [{}];

interface TranslateOptions {
  /** Namespace of the application: backends in it need no namespace. */
  readonly namespace: string;
  readonly refuse: Refuse;
}

function translateRule(rule: Rule, at: Path, options: TranslateOptions): readonly HostPath[] {
  const { refuse } = options;
  for (const key of ['name', 'filters', 'timeouts', 'retry'] as const) {
    if (rule[key] !== undefined) refuse(`"${key}"`, [...at, key]);
  }
  const paths = (rule.matches ?? matchAll).map((match, index) =>
    translateMatch(match, rule.matches === undefined ? at : [...at, 'matches', index], refuse),
  );
  const backend = translateBackend(rule, [...at, 'backendRefs'], options);
  const backendAt = [...at, 'backendRefs', 0];
  return paths.map((path) => {
    const placeOf = (key: string): Path => {
      if (key === 'path') return [...path.at, 'path', 'value'];
      return ofBackends.has(key) ? [...backendAt, key === 'backend' ? 'name' : key] : [...path.at, key];
    };
    return Object.assign({}, path, backend, { placeOf });
  });
}

function translateMatch(match: Json, at: Path, refuse: Refuse): Pick<HostPath, 'path' | 'pathType' | 'at'> {
  for (const key of ['method', 'headers', 'queryParams']) {
    const isThere = key === 'method' ? has(match, key) : listAt(match, key).length > 0;
    if (isThere) refuse(`"${key}"`, [...at, key]);
  }
  const path = mappingAt(match, 'path');
  const type = textAt(path, 'type');
  if (type === 'RegularExpression') refuse('a path of type RegularExpression', [...at, 'path', 'type']);
  return { path: textAt(path, 'value') ?? '/', pathType: type === 'Exact' ? 'Exact' : 'Prefix', at };
}

const ofBackends: ReadonlySet<string> = new Set(['backend', 'port', 'portName', 'backendSelector']);

type OfBackend = Pick<HostPath, 'backend' | 'port' | 'portName' | 'backendSelector'>;

function translateBackend({ backendRefs }: Rule, at: Path, { namespace, refuse }: TranslateOptions): OfBackend {
  if (backendRefs?.length === 0) refuse('a rule without backends', at);
  if (backendRefs !== undefined && backendRefs.length > 1) refuse('a rule with several backends', at);
  const [backend = {}] = backendRefs ?? [];
  const { name, port, portName, backendSelector, group = '', kind = 'Service' } = backend;
  const place = [...at, 0];
  for (const key of ['weight', 'filters'] as const) {
    if (backend[key] !== undefined) refuse(`"${key}"`, [...place, key]);
  }
  if ((backend.namespace ?? namespace) !== namespace)
    refuse('a backend in another "namespace"', [...place, 'namespace']);
  if (group !== '' || kind !== 'Service') {
    refuse('a backend that is not a Service', [...place, kind === 'Service' ? 'group' : 'kind']);
  }
  return defined({ backend: name, port, portName, backendSelector });
}

/** Converts an `expose` trait to `ingress` traits. */
export function lowerToIngress(input: Input): readonly LoweredTrait[] {
  const { component, properties, authored, report } = input;
  const form = readForm(properties, report);
  if (form === undefined) return [];
  const routes = form === 'matches' ? translateMatches(input) : listHostRoutes(properties, 'ingress', report);
  if (routes.length === 0) return [];
  checkRoutedHosts(routes, properties, report);
  if (textAt(authored, 'authSigninURL') && properties.allowedGroups === undefined) {
    report(exposeProblems.create('expose-sign-in-open', {}), ['authSigninURL'], 'key');
  }
  const groups = secureRoutes(routes, input);
  const annotations = createAnnotations(properties, report);
  // With the annotation, cert-manager would create a second certificate in addition to that of the component.
  const withoutIssuer = defined({ ...annotations, [issuers.cluster]: undefined });
  const reserved = reservedOf(properties, annotations);
  checkReservedAnnotations(properties, reserved, report);
  return groups.map(({ routes: ofGroup, tls, isIssued }) => {
    const own = nameRoute({ ...properties, component: component.name, kind: 'ingress' });
    const lowered = defined({
      ...pickFields(loweredProperties, properties),
      name: groups.length === 1 || isIssued ? properties.name : `${own}-certificate`,
      rules: ofGroup.map(createRule),
      ingressClassName: properties.ingressClassName,
      tls,
      annotations: isIssued || properties.certManagerClusterIssuer === undefined ? annotations : withoutIssuer,
    });
    const pathOf = (path: Path): Path => placeOf(path, ofGroup);
    return { type: 'ingress', properties: lowered, pathOf, inspectOwn: inspectAnnotations(reserved) };
  });
}

function createRule({ host, paths }: HostRoute): JsonObject {
  return {
    host,
    paths: paths.map(({ path, pathType, backend, port, portName, backendSelector }) =>
      defined({ path, pathType, backend, port, portName, backendSelector }),
    ),
  };
}

/** The path of the property that an ingress property comes from. */
function placeOf(path: Path, routes: readonly HostRoute[]): Path {
  const [list, index, part, position, key, ...rest] = path;
  const route = list === 'rules' ? routes[Number(index)] : undefined;
  if (part === 'host') return route?.at ?? path;
  const ofHost = part === 'paths' ? route?.paths[Number(position)] : undefined;
  if (ofHost === undefined) return path;
  return key === undefined ? ofHost.at : [...ofHost.placeOf(String(key)), ...rest];
}

const ofAuth = ['auth-url', 'auth-signin', 'auth-response-headers'].map((name) => `${nginx}/${name}`);

const otherIssuer = [issuers.namespaced, undefined] as const;

/** Annotations for hosts, access and certificates, which only the platform controls. */
function reservedOf(properties: ExposeProperties, lowered: JsonObject): ReservedAnnotations {
  const { allowedHostnameWildcard, authURL, certManagerClusterIssuer: issuer } = properties;
  return [
    ...(allowedHostnameWildcard === undefined ? [] : aliases),
    ...(authURL === undefined ? [] : ofAuth.map((key) => [key, textAt(lowered, key)] as const)),
    ...(issuer === undefined ? [] : [[issuers.cluster, issuer] as const, otherIssuer]),
  ];
}

function checkReservedAnnotations({ annotations }: ExposeProperties, reserved: ReservedAnnotations, report: ReportAt) {
  for (const [annotation] of reserved) {
    const isOfIssuer = annotation === issuers.cluster || annotation === issuers.namespaced;
    if (isOfIssuer || !Object.hasOwn(annotations, annotation)) continue;
    const path = ['annotations', annotation];
    report(routingProblems.create('route-annotation-reserved', { annotation }), path, 'key');
  }
}

/** Annotations of the author, overridden by those that configure the controllers of the platform. */
function createAnnotations(properties: ExposeProperties, report: ReportAt): JsonObject {
  const { annotations, certManagerClusterIssuer: issuer, sslRedirect, forceSslRedirect } = properties;
  if (issuer !== undefined) {
    for (const key of [issuers.cluster, issuers.namespaced]) {
      const written = annotations[key];
      if (written === undefined || (key === issuers.cluster && written === issuer)) continue;
      const args = { issuer, annotation: key, written };
      report(exposeProblems.create('expose-issuer-differs', args), ['annotations', key]);
    }
  }
  return defined({
    ...annotations,
    [issuers.cluster]: issuer ?? annotations[issuers.cluster],
    [`${nginx}/ssl-redirect`]: sslRedirect?.toString() ?? annotations[`${nginx}/ssl-redirect`],
    [`${nginx}/force-ssl-redirect`]: forceSslRedirect?.toString() ?? annotations[`${nginx}/force-ssl-redirect`],
    ...createAuthAnnotations(properties, report),
  });
}

/** Restricts access to the allowed groups; without groups the auth settings of the platform are not used. */
function createAuthAnnotations(properties: ExposeProperties, report: ReportAt): JsonObject {
  const { allowedGroups, authURL, authSigninURL, authResponseHeaders } = properties;
  if (allowedGroups === undefined) return {};
  if (authURL === undefined) {
    report(exposeProblems.create('expose-groups-unknown', {}), ['allowedGroups'], 'key');
    return {};
  }
  return defined({
    [`${nginx}/auth-url`]: `${authURL}?allowed_groups=${allowedGroups.map(encodeGroup).join(',')}`,
    [`${nginx}/auth-signin`]: authSigninURL,
    [`${nginx}/auth-response-headers`]: authResponseHeaders,
  });
}

/** Escapes characters that would end the query parameter, and keeps harmless ones readable. */
function encodeGroup(group: string): string {
  return encodeURIComponent(group).replaceAll(/%(?:3A|2F|40)/g, decodeURIComponent);
}
