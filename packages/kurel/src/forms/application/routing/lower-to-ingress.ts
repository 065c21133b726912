import { has, listAt, mappingAt, textAt } from '../../../kube/index.ts';
import type { Json, JsonObject, Path } from '../../../model/index.ts';
import type { LoweredTrait, ReportAt, TraitInput } from '../catalog/define.ts';
import { defined } from '../catalog/defined.ts';
import { checkHosts, nameRoute } from './check-hosts.ts';
import { secureRoutes } from './create-tls.ts';
import { exposeProblems } from './expose-problems.ts';
import type { ExposeProperties } from './expose-properties.ts';
import { createPathMap, listHostRoutes, listHosts, readForm, warnAboutUnrouted } from './host-routes.ts';
import type { HostPath, HostRoute } from './host-routes.ts';
import { routingProblems } from './problems.ts';
import { aliases, inspectAnnotations, issuers, nginx } from './reserved-annotations.ts';
import type { ReservedAnnotations } from './reserved-annotations.ts';

type Rule = NonNullable<ExposeProperties['rules']>[number];

interface TranslateOptions {
  /** Namespace of the application: backends in it need no namespace. */
  readonly namespace: string;
  readonly report: ReportAt;
}

/** Converts Gateway API rules as far as an Ingress supports them: paths with one Service each. */
function translateMatches(
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

type OfBackend = Pick<HostPath, 'backend' | 'port' | 'portName' | 'backendSelector' | 'backendAt' | 'nameAt'>;

function translateBackend({ backendRefs }: Rule, at: Path, { namespace, report }: TranslateOptions): OfBackend {
  const refuse = createRefusal(report);
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
  return {
    ...(name === undefined ? {} : { backend: name }),
    ...(port === undefined ? {} : { port }),
    ...(portName === undefined ? {} : { portName }),
    ...(backendSelector === undefined ? {} : { backendSelector }),
    backendAt: place,
    nameAt: [...place, 'name'],
  };
}

/** Converts an `expose` trait to `ingress` traits. */
export function lowerToIngress(input: TraitInput<ExposeProperties>): readonly LoweredTrait[] {
  const { component, namespace, properties, authored, report } = input;
  const form = readForm(properties, report);
  if (form === undefined) return [];
  const routes =
    form === 'matches'
      ? translateMatches(properties, { namespace, report })
      : listHostRoutes(properties, { controller: 'ingress', report });
  if (routes.length === 0) return [];
  warnAboutUnrouted(routes, properties, report);
  checkHosts(listHosts(routes, properties), { allowed: properties.allowedHostnameWildcard, report });
  if (textAt(authored, 'authSigninURL') && properties.allowedGroups === undefined) {
    report(exposeProblems.create('expose-sign-in-open', {}), ['authSigninURL'], 'key');
  }
  const { ingressClassName, servicePort, serviceName, portName, scope, networkPolicy } = properties;
  const groups = secureRoutes(routes, input);
  const annotations = createAnnotations(properties, report);
  const reserved = reservedOf(properties, annotations);
  checkReservedAnnotations(properties, reserved, report);
  return groups.map(({ routes: ofGroup, tls, isIssued }) => {
    const own = nameRoute({ ...properties, component: component.name, kind: 'ingress' });
    const lowered = defined({
      name: groups.length === 1 || isIssued ? properties.name : `${own}-certificate`,
      scope,
      rules: ofGroup.map(createRule),
      ingressClassName,
      tls,
      annotations: isIssued ? annotations : withoutIssuer(annotations, properties),
      servicePort,
      serviceName,
      portName,
      networkPolicy,
    });
    const pathOf = createPathMap(ofGroup.flatMap(placesOf));
    return { type: 'ingress', properties: lowered, pathOf, inspectOwn: inspectAnnotations(reserved) };
  });
}

/** With the annotation, cert-manager would create a second certificate in addition to that of the component. */
function withoutIssuer(annotations: JsonObject, { certManagerClusterIssuer: issuer }: ExposeProperties): JsonObject {
  if (issuer === undefined) return annotations;
  return defined({ ...annotations, [issuers.cluster]: undefined });
}

function createRule({ host, paths }: HostRoute): JsonObject {
  return {
    host,
    paths: paths.map(({ path, pathType, backend, port, portName, backendSelector }) =>
      defined({ path, pathType, backend, port, portName, backendSelector }),
    ),
  };
}

/** Paths of ingress properties and of the properties they come from. */
function placesOf({ at, paths }: HostRoute, index: number): readonly (readonly [Path, Path])[] {
  const rule = ['rules', index];
  return [
    [[...rule, 'host'], at],
    ...paths.flatMap((path, position): readonly (readonly [Path, Path])[] => {
      const place = [...rule, 'paths', position];
      return [
        [place, path.at],
        [[...place, 'path'], path.pathAt],
        [[...place, 'backend'], path.nameAt],
        [
          [...place, 'port'],
          [...path.backendAt, 'port'],
        ],
        [
          [...place, 'portName'],
          [...path.backendAt, 'portName'],
        ],
        [
          [...place, 'backendSelector'],
          [...path.backendAt, 'backendSelector'],
        ],
      ];
    }),
  ];
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
function createAuthAnnotations(properties: ExposeProperties, report: ReportAt): Readonly<Record<string, string>> {
  const { allowedGroups, authURL, authSigninURL, authResponseHeaders } = properties;
  if (allowedGroups === undefined) return {};
  if (authURL === undefined) {
    report(exposeProblems.create('expose-groups-unknown', {}), ['allowedGroups'], 'key');
    return {};
  }
  return {
    [`${nginx}/auth-url`]: `${authURL}?allowed_groups=${allowedGroups.map(encodeGroup).join(',')}`,
    ...(authSigninURL === undefined ? {} : { [`${nginx}/auth-signin`]: authSigninURL }),
    ...(authResponseHeaders === undefined ? {} : { [`${nginx}/auth-response-headers`]: authResponseHeaders }),
  };
}

/** Escapes characters that would end the query parameter, and keeps harmless ones readable. */
function encodeGroup(group: string): string {
  return encodeURIComponent(group).replaceAll(/%(?:3A|2F|40)/g, decodeURIComponent);
}
