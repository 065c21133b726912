import { quote } from '../../../diagnostics/index.ts';
import { listAt, textAt } from '../../../kube/index.ts';
import type { Json, JsonObject } from '../../../model/index.ts';
import { groupBy } from '../../../provenance/index.ts';
import type { ReportAt, TraitInput } from '../catalog/define.ts';
import { checkHosts, isAllowedHost } from './host-routes.ts';
import type { PlacedHost } from './host-routes.ts';
import { exposeProblems } from './expose-problems.ts';
import type { ExposeProperties } from './routing-properties.ts';
import type { HostRoute } from './host-routes.ts';

/** Routes of one Ingress and the certificates of their hosts. */
interface SecuredRoutes {
  readonly routes: readonly HostRoute[];
  readonly tls: readonly Json[] | undefined;
  /** cert-manager creates the certificates with the issuer of the platform. */
  readonly isIssued: boolean;
}

/** A `certificate` trait of the same component. */
interface Certificate {
  readonly secretName: string;
  readonly dnsNames: readonly string[];
}

type Input = Pick<TraitInput<ExposeProperties>, 'component' | 'properties' | 'siblingsOf' | 'report'>;

/**
 * Uses the "tls" of the author. Otherwise hosts get the certificates of the component, and other hosts those of the issuer
 * of the platform. The issuer annotation applies to a whole Ingress, so hosts with their own certificate get a separate one.
 */
export function secureRoutes(routes: readonly HostRoute[], input: Input): readonly SecuredRoutes[] {
  const { properties, component, siblingsOf, report } = input;
  const { certManagerClusterIssuer: issuer, tls } = properties;
  const certificates = siblingsOf('certificate').flatMap(readCertificate);
  const unused = explainUnused(properties, routes, certificates);
  if (unused !== undefined) report(exposeProblems.create('expose-secret-unused', unused), ['secretName'], 'key');
  if (tls !== undefined) {
    checkTls(tls, routes, input);
    checkNames(tls, hostsOf(routes), { certificates, report });
    const isOwn = tls.length > 0 && tls.every((entry) => certificates.some((certificate) => fills(certificate, entry)));
    return [{ routes, tls, isIssued: issuer !== undefined && !isOwn }];
  }
  const isOwn = ({ host }: HostRoute): boolean => findCertificate(host, certificates) !== undefined;
  const own = certificates.length === 0 ? [] : routes.filter(isOwn);
  const others = own.length === 0 ? routes : routes.filter((route) => !own.includes(route));
  const ofOwn = own.length === 0 ? [] : listEntries(own, certificates);
  if (issuer === undefined) {
    if (own.length > 0 && others.length > 0) {
      const args = { hosts: hostsOf(others), by: 'certificate' } as const;
      report(exposeProblems.create('expose-host-without-tls', args), others[0]!.at);
    }
    return [{ routes, tls: own.length === 0 ? undefined : ofOwn, isIssued: false }];
  }
  // Two certificates in one Secret would overwrite each other.
  const usual = `${component.name}-tls`;
  const isTaken = certificates.some(({ secretName }) => secretName === usual);
  const secretName = properties.secretName ?? (isTaken ? `${component.name}-ingress-tls` : usual);
  return [
    { routes: others, tls: [{ hosts: hostsOf(others), secretName }], isIssued: true },
    { routes: own, tls: ofOwn, isIssued: false },
  ].filter((group) => group.routes.length > 0);
}

function readCertificate(properties: JsonObject): readonly Certificate[] {
  const secretName = textAt(properties, 'secretName');
  const dnsNames = listAt(properties, 'dnsNames').filter((name) => typeof name === 'string');
  return secretName === undefined ? [] : [{ secretName, dnsNames }];
}

function findCertificate(host: string, certificates: readonly Certificate[]): Certificate | undefined {
  return certificates.find(({ dnsNames }) => dnsNames.some((name) => isAllowedHost(host, name)));
}

function fills({ secretName }: Certificate, entry: Json): boolean {
  return textAt(entry, 'secretName') === secretName;
}

function hostsOf(routes: readonly HostRoute[]): readonly string[] {
  return [...new Set(routes.map(({ host }) => host))];
}

/** One entry per Secret. */
function listEntries(routes: readonly HostRoute[], certificates: readonly Certificate[]): readonly JsonObject[] {
  const bySecret = groupBy(hostsOf(routes), (host) => findCertificate(host, certificates)!.secretName);
  return Array.from(bySecret, ([secretName, hosts]) => ({ hosts, secretName }));
}

/** Why the name of the Secret has no effect. */
function explainUnused(
  { certManagerClusterIssuer: issuer, secretName, tls }: ExposeProperties,
  routes: readonly HostRoute[],
  certificates: readonly Certificate[],
): { readonly reason: string; readonly advice: string } | undefined {
  if (secretName === undefined) return undefined;
  if (tls !== undefined) return { reason: '"tls" sets the Secrets', advice: 'keep one of them' };
  const isOwn = certificates.some((certificate) => certificate.secretName === secretName);
  if (routes.every(({ host }) => findCertificate(host, certificates) !== undefined)) {
    return isOwn ? undefined : { reason: 'the "certificate" trait sets the Secret of every host', advice: 'remove it' };
  }
  if (issuer === undefined) {
    return { reason: 'the platform has no certificate issuer', advice: 'set the Secret in "tls"' };
  }
  if (!isOwn) return undefined;
  const reason = `the certificate that the "certificate" trait stores in ${quote(secretName)} does not cover every host`;
  return { reason, advice: 'use another name, or add all hosts to "dnsNames" of the certificate' };
}

/** The "tls" of the author replaces the certificates of the platform, so it may leave some hosts without one. */
function checkTls(tls: readonly Json[], routes: readonly HostRoute[], { properties, report }: Input): void {
  const { certManagerClusterIssuer: issuer, allowedHostnameWildcard: allowed } = properties;
  const named = tls.flatMap((entry, index) =>
    listAt(entry, 'hosts').flatMap((host, at): PlacedHost[] =>
      typeof host === 'string' ? [{ host, at: ['tls', index, 'hosts', at] }] : [],
    ),
  );
  checkHosts(named, { allowed, report });
  // Without an issuer of the platform, an empty list is a choice.
  if (tls.length === 0 && issuer === undefined) return;
  const routed = hostsOf(routes);
  // An entry without hosts applies to all of them.
  const isForAll = tls.some((entry) => listAt(entry, 'hosts').length === 0);
  const bare = routed.filter((host) => !isForAll && !named.some((other) => isAllowedHost(host, other.host)));
  if (bare.length > 0) {
    const args = { hosts: bare, by: issuer === undefined ? 'tls' : 'tls-of-platform' } as const;
    report(exposeProblems.create('expose-host-without-tls', args), ['tls'], 'key');
  }
  for (const { host, at } of named) {
    const isRouted = routed.includes(host) || routed.some((other) => isAllowedHost(other, host));
    if (!isRouted) report(exposeProblems.create('expose-tls-unrouted', { host }), at);
  }
}

/** Each host of an entry must be a name of the certificate in its Secret, if a trait of the component creates it. */
function checkNames(
  tls: readonly Json[],
  routed: readonly string[],
  { certificates, report }: { readonly certificates: readonly Certificate[]; readonly report: ReportAt },
): void {
  for (const [index, entry] of tls.entries()) {
    const certificate = certificates.find((candidate) => fills(candidate, entry));
    if (certificate === undefined) continue;
    const { secretName } = certificate;
    const named = listAt(entry, 'hosts');
    // An entry without hosts applies to all of them.
    for (const host of named.length === 0 ? routed : routed.filter((other) => named.includes(other))) {
      if (findCertificate(host, [certificate]) !== undefined) continue;
      const path = named.length === 0 ? ['tls', index] : ['tls', index, 'hosts', named.indexOf(host)];
      report(exposeProblems.create('expose-certificate-names', { host, secretName }), path);
    }
  }
}
