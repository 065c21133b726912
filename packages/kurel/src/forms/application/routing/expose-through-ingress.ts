import { quote } from '../../../diagnostics/index.ts';
import { has, listAt, mappingAt, textAt } from '../../../kube/index.ts';
import type { Json, JsonObject, Path } from '../../../model/index.ts';
import { textFormats, valueProblems } from '../../../schema/index.ts';
import type { ReportAt, TraitInput, TraitResult } from '../catalog/define.ts';
import { defined } from '../catalog/present-fields.ts';
import type { PlacedBackend } from './create-backends.ts';
import { createIngress } from './create-ingress.ts';
import { secureRoutes } from './create-tls.ts';
import { exposeProblems } from './expose-problems.ts';
import {
  checkRoutedHosts,
  joinRoutes,
  listHostRoutes,
  nameRoute,
  placeHosts,
  readForm,
  refuseWildcards,
} from './host-routes.ts';
import type { HostPath, HostRoute } from './host-routes.ts';
import { routingProblems } from './problems.ts';
import { aliases, inspectAnnotations, issuers, nginx } from './reserved-annotations.ts';
import type { ReservedAnnotations } from './reserved-annotations.ts';
import { paths as pathsProperty } from './routing-properties.ts';
import type { ExposeProperties } from './routing-properties.ts';

type Input = TraitInput<ExposeProperties>;
type Rule = NonNullable<ExposeProperties['rules']>[number];

const matchAll: readonly Json[] = [{}];

/** Converts Gateway API rules as far as an Ingress supports them: paths with one Service each. */
function translateMatches({ properties, namespace, report }: Input): readonly HostRoute[] {
  const { rules = [], hostnames } = properties;
  const hosts = placeHosts(hostnames);
  if (hosts.length === 0) {
    report(exposeProblems.create('expose-host-missing', { controller: 'ingress' }), ['rules', 0]);
  }
  refuseWildcards(hosts, 'ingress', report);
  const paths = rules.flatMap((rule, index) => translateRule(rule, ['rules', index]));
  return hosts.map(({ host, at }) => ({ host, at, rule: 0, paths }));

  function translateRule(rule: Rule, at: Path): readonly HostPath[] {
    for (const key of ['name', 'filters', 'timeouts', 'retry'] as const) {
      if (rule[key] !== undefined) refuse(`"${key}"`, [...at, key]);
    }
    const ofRule = (rule.matches ?? matchAll).map((match, index) =>
      translateMatch(match, rule.matches === undefined ? at : [...at, 'matches', index]),
    );
    const backend = translateBackend(rule, [...at, 'backendRefs']);
    return ofRule.map((path) => Object.assign({}, path, backend));
  }

  function translateMatch(match: Json, at: Path) {
    for (const key of ['method', 'headers', 'queryParams']) {
      const isThere = key === 'method' ? has(match, key) : listAt(match, key).length > 0;
      if (isThere) refuse(`"${key}"`, [...at, key]);
    }
    const path = mappingAt(match, 'path');
    const type = textAt(path, 'type');
    const valueAt = [...at, 'path', 'value'];
    if (type === 'RegularExpression') refuse('a path of type RegularExpression', [...at, 'path', 'type']);
    // A parameter can omit the path with an empty string.
    const value = textAt(path, 'value') || '/';
    checkText('path', value, valueAt);
    return { path: value, pathType: type === 'Exact' ? 'Exact' : 'Prefix', at, valueAt } as const;
  }

  function translateBackend({ backendRefs }: Rule, at: Path) {
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
    checkText('backend', name, [...place, 'name']);
    const backendAt: PlacedBackend = { path: place, key: 'name' };
    return { ...defined({ backend: name, port, portName, backendSelector }), backendAt };
  }

  /** Reports what an Ingress does not support. */
  function refuse(what: string, path: Path): void {
    const args = { what, controller: 'ingress', advice: undefined } as const;
    report(exposeProblems.create('expose-not-expressible', args), path, 'key');
  }

  /** Checks a string, for which Gateway API has weaker rules. */
  function checkText(field: 'path' | 'backend', text: string | undefined, path: Path): void {
    const demand = text === undefined ? undefined : textFormats[pathsProperty.items.properties[field].format](text);
    if (demand === undefined) return;
    report(valueProblems.create('field-format', { field, demand, found: quote(text!) }), path);
  }
}

/** Exposes a component with an Ingress, or two if only some of its hosts have their own certificate. */
export function exposeThroughIngress(input: Input): TraitResult {
  const { component, properties, authored, report } = input;
  const form = readForm(properties, report);
  if (form === undefined) return {};
  const routes = form === 'matches' ? translateMatches(input) : listHostRoutes(properties, 'ingress', report);
  if (routes.length === 0) return {};
  checkRoutedHosts(routes, properties, report);
  if (textAt(authored, 'authSigninURL') && properties.allowedGroups === undefined) {
    report(exposeProblems.create('expose-sign-in-open', {}), ['authSigninURL'], 'key');
  }
  const groups = secureRoutes(routes, input);
  const annotations = createAnnotations(properties, report);
  // With the annotation, cert-manager would create a second certificate in addition to that of the component.
  const reserved = reservedOf(properties, annotations);
  checkReservedAnnotations(properties, reserved, report);
  const { name: written, scope } = properties;
  const own = nameRoute({ component: component.name, kind: 'ingress', name: written, scope });
  const ingresses = groups.map(({ routes: ofGroup, tls, isIssued }) => {
    const name = groups.length === 1 || isIssued ? own : `${own}-certificate`;
    const isPlain = !isIssued && properties.certManagerClusterIssuer !== undefined;
    const withoutIssuer = isPlain ? defined({ ...annotations, [issuers.cluster]: undefined }) : annotations;
    const ofIngress = { ...properties, name, tls, annotations: withoutIssuer };
    return createIngress(ofGroup, { component, properties: ofIngress, serviceOf: input.serviceOf, report });
  });
  return { ...joinRoutes(ingresses), inspectOwn: inspectAnnotations(reserved) };
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

const ofRedirect = `${nginx}/ssl-redirect`;
const ofForcedRedirect = `${nginx}/force-ssl-redirect`;

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
    [ofRedirect]: sslRedirect?.toString() ?? annotations[ofRedirect],
    [ofForcedRedirect]: forceSslRedirect?.toString() ?? annotations[ofForcedRedirect],
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
