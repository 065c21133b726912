import { defineProblems, quote } from '../../../diagnostics/index.ts';

export type ControllerType = 'ingress' | 'gateway';

const platforms: Readonly<Record<ControllerType, string>> = { ingress: 'an Ingress', gateway: 'a route of a Gateway' };

interface WithoutTls {
  readonly hosts: readonly string[];
  /** Where the author names certificates. */
  readonly by: 'tls' | 'certificate';
}

/** What can be wrong when a component is exposed in the way that the platform has for it. */
export const exposeProblems = defineProblems({
  'expose-nothing': {
    severity: 'error',
    summary: 'Nothing says for which hosts a component is exposed.',
    message: ({ component }: { component: string }) =>
      `component ${quote(component)} is exposed, but neither "rules" nor "hostnames" say how`,
    hint: () => 'give the hosts, as in hostnames: [shop.example.com]',
  },
  'expose-host-missing': {
    severity: 'error',
    summary: 'A rule has no host, and there are no hostnames that it could be for.',
    message: ({ controller }: { controller: ControllerType }) =>
      `the rule has no "host", and there are no "hostnames", which ${platforms[controller]} needs`,
    hint: () => 'give the hosts, as in hostnames: [shop.example.com]',
  },
  'expose-rules-mixed': {
    severity: 'error',
    summary: 'Rules with hosts and paths stand beside rules with matches.',
    message: ({ keys, others }: { keys: readonly string[]; others: readonly string[] }) =>
      `${keys.map(quote).join(', ')} cannot be combined with ${others.map(quote).join(', ')}`,
    hint: () => 'write all rules with "host" and "paths", or all of them as Gateway API has them; or use two traits',
  },
  'expose-host-unrouted': {
    severity: 'warning',
    summary: 'A host is among the hostnames, and no rule is for it.',
    message: ({ host }: { host: string }) => `no rule is for ${quote(host)}, so that it is not exposed`,
    hint: () => 'a rule without "host" is for all "hostnames"',
  },
  'expose-wildcard-host': {
    severity: 'error',
    summary: 'A host with a wildcard means more or less on the platform than what is written.',
    message: ({ host, controller }: { host: string; controller: ControllerType }) =>
      controller === 'gateway'
        ? `${quote(host)} is for names with one more label, and ${platforms.gateway} would take those with several as well`
        : `${quote(host)} is for names with any number of labels in front, and ${platforms.ingress} would take only those with one`,
    hint: () => 'name the hosts one by one',
  },
  'expose-every-host': {
    severity: 'error',
    summary: 'A route would be for every host, and the platform allows only some.',
    message: ({ allowed }: { allowed: string }) =>
      `the rules are for every host, and the platform allows only ${quote(allowed)}`,
    hint: () => 'give the hosts as "hostnames"',
  },
  'expose-not-expressible': {
    severity: 'error',
    summary: 'Something is asked for that the platform cannot do.',
    message: ({ what, controller }: { what: string; controller: ControllerType }) =>
      `${what} cannot be expressed by ${platforms[controller]}, which this platform uses`,
    hint: ({ advice }: { advice: string | undefined }) => advice,
  },
  'expose-tls-at-gateway': {
    severity: 'warning',
    summary: 'Certificates are named on a platform whose Gateway has its own.',
    message: () => '"tls" has no effect on this platform: TLS ends at the Gateway, which has its own certificates',
  },
  'expose-host-without-tls': {
    severity: 'warning',
    summary: 'The author names certificates, and none is for some of the hosts.',
    message: ({ hosts, by }: WithoutTls) => {
      const named = hosts.map(quote).join(', ');
      return by === 'tls'
        ? `no entry of "tls" is for ${named}, and the platform makes no certificate when there is a "tls"`
        : `no "certificate" of the component is for ${named}, and the platform has no issuer that makes certificates`;
    },
    hint: ({ by }: WithoutTls) =>
      by === 'tls' ? 'name the hosts in an entry, or take "tls" out' : 'add the hosts to "dnsNames" of the certificate',
  },
  'expose-tls-unrouted': {
    severity: 'warning',
    summary: 'A certificate is asked for a host that no rule is for.',
    message: ({ host }: { host: string }) => `"tls" names ${quote(host)}, and no rule is for it`,
    hint: () => 'take it out, or write a rule for it',
  },
  'expose-issuer-differs': {
    severity: 'error',
    summary: 'An annotation names another issuer than the platform.',
    message: ({ issuer, annotation, written }: { issuer: string; annotation: string; written: string }) =>
      `the annotation ${annotation} is ${quote(written)}, and the platform has the cluster issuer ${quote(issuer)}`,
    hint: () => 'take the annotation out',
  },
  'expose-secret-unused': {
    severity: 'error',
    summary: 'The Secret of a certificate is named, and no certificate is put into it.',
    message: ({ reason }: { reason: string }) => `"secretName" has no effect: ${reason}`,
    hint: ({ advice }: { advice: string }) => advice,
  },
  'expose-groups-unknown': {
    severity: 'error',
    summary: 'Only some groups are to be let in, and the platform has nothing that knows groups.',
    message: () => '"allowedGroups" is given, but the platform has no "authURL" that would ask for them',
    hint: () => 'the profile has it in spec.capabilities.expose.rendering',
  },
  'expose-sign-in-open': {
    severity: 'error',
    summary: 'Users are told where to sign in, and nobody has to.',
    message: () => '"authSigninURL" has no effect without "allowedGroups": everyone is let in',
    hint: () => 'give the groups that are let in, or take it out',
  },
  'expose-rendering-missing': {
    severity: 'error',
    summary: 'The profile leaves out what its kind of controller needs.',
    message: ({ controller, key }: { controller: ControllerType; key: string }) =>
      `controllerType ${controller} needs ${quote(key)}`,
  },
  'expose-rendering-foreign': {
    severity: 'error',
    summary: 'The profile says something that its kind of controller does not have.',
    message: ({ controller, key }: { controller: ControllerType; key: string }) =>
      `${quote(key)} cannot be combined with controllerType ${controller}`,
    hint: ({ other }: { other: ControllerType }) => `it is for controllerType ${other}`,
  },
  'expose-auth-url': {
    severity: 'error',
    summary: 'The address that is asked about groups has parameters of its own.',
    message: ({ url }: { url: string }) => `authURL ${quote(url)} must not contain "?" or "#"`,
    hint: () => 'the groups are added to it behind a "?"',
  },
  'expose-auth-alone': {
    severity: 'error',
    summary: 'The profile says how users are signed in, but not what asks for it.',
    message: ({ key }: { key: string }) => `${quote(key)} needs an "authURL"`,
  },
});
