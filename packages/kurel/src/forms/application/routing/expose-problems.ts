import { defineProblems, quote } from '../../../diagnostics/index.ts';

export type ControllerType = 'ingress' | 'gateway';

const platforms: Readonly<Record<ControllerType, string>> = { ingress: 'Ingress', gateway: 'Gateway API' };

interface WithoutTls {
  readonly hosts: readonly string[];
  /** Where the author declares certificates. */
  readonly by: 'tls' | 'tls-of-platform' | 'certificate';
}

/** Findings about the expose trait and its capability. */
export const exposeProblems = defineProblems(() => ({
  'expose-nothing': {
    summary: 'An expose trait has neither rules nor hostnames.',
    message: ({ component }: { component: string }) =>
      `required field "rules" or "hostnames" is missing in trait "expose" of component ${quote(component)}`,
    hint: () => 'add the hosts, such as hostnames: [shop.example.com]',
    fix: 'Set hostnames to the hosts of the component, or rules to route hosts and paths.',
  },
  'expose-host-missing': {
    summary: 'A rule has no host, and the trait has no hostnames.',
    message: ({ controller }: { controller: ControllerType }) =>
      `required field "host" is missing in the rule, and there are no "hostnames": ${platforms[controller]} requires a host`,
    hint: () => 'add the hosts, such as hostnames: [shop.example.com]',
    fix: 'Set host in the rule, or hostnames in the trait, which apply to all rules without a host.',
  },
  'expose-rules-mixed': {
    summary: 'Rules with hosts and paths are mixed with Gateway API rules.',
    message: ({ keys, others }: { keys: readonly string[]; others: readonly string[] }) =>
      `${keys.map(quote).join(', ')} and ${others.map(quote).join(', ')} are mutually exclusive`,
    hint: () => 'write all rules with "host" and "paths", or all as Gateway API rules, or use two traits',
    fix: 'Write all rules of a trait in one form: with host and paths, which works on every platform, or with matches and backendRefs as in Gateway API. Use two expose traits if you need both.',
  },
  'expose-host-unrouted': {
    severity: 'warning',
    summary: 'A hostname is not used in any rule.',
    message: ({ host }: { host: string }) => `host ${quote(host)} is not exposed: no rule applies to it`,
    hint: () => 'add a rule for it; a rule without "host" applies to all "hostnames"',
    fix: 'Add a rule for the host, or a rule without host, which applies to all hostnames. Or remove the host from hostnames.',
  },
  'expose-wildcard-host': {
    summary: 'A wildcard host matches other names on the platform than in the rules.',
    message: ({ host, controller }: { host: string; controller: ControllerType }) =>
      controller === 'gateway'
        ? `host ${quote(host)} stands for one label, but Gateway API would match any number of labels`
        : `host ${quote(host)} stands for any number of labels, but Ingress would match only one`,
    hint: () => 'list the hosts individually',
    fix: 'Replace the wildcard with the individual hosts. Ingress and Gateway API match wildcards differently, and kurel never exposes more or less than you wrote.',
  },
  'expose-every-host': {
    summary: 'A route would match every host, but the platform allows only some.',
    message: ({ allowed }: { allowed: string }) =>
      `the rules match every host, but the platform allows only ${quote(allowed)}`,
    hint: () => 'add the hosts as "hostnames"',
    fix: 'Set hostnames to hosts that the platform allows.',
  },
  'expose-not-expressible': {
    summary: 'A setting is not supported by the controller of the platform.',
    message: ({ what, controller }: { what: string; controller: ControllerType }) =>
      `the platform uses ${platforms[controller]}, which does not support ${what}`,
    hint: ({ advice }: { advice: string | undefined }) => advice,
    fix: 'Remove the setting, or build for a platform that supports it. Rules with host and paths work on every platform.',
  },
  'expose-tls-at-gateway': {
    severity: 'warning',
    summary: 'tls has no effect because TLS is terminated at the Gateway.',
    message: () => '"tls" has no effect on this platform: TLS is terminated at the Gateway',
    fix: 'Remove tls if the application is built only for platforms with a Gateway, which has its own certificates. Otherwise accept the finding.',
  },
  'expose-host-without-tls': {
    severity: 'warning',
    summary: 'Certificates are declared, but some hosts have none.',
    message: ({ hosts, by }: WithoutTls) => {
      const named = hosts.map(quote).join(', ');
      if (by === 'tls') return `no certificate for ${named}: not covered by "tls"`;
      return by === 'tls-of-platform'
        ? `no certificate for ${named}: not covered by "tls", which replaces the certificates of the platform`
        : `no certificate for ${named}: not covered by a "certificate" trait, and the platform has no issuer`;
    },
    hint: ({ by }: WithoutTls) =>
      by === 'certificate'
        ? 'add the hosts to "dnsNames" of the certificate'
        : `add the hosts to an entry of "tls"${by === 'tls' ? '' : ', or remove "tls"'}`,
    fix: 'Add the hosts to tls or to dnsNames of a certificate trait. Remove tls to use the certificates that the issuer of the platform creates.',
  },
  'expose-tls-unrouted': {
    severity: 'warning',
    summary: 'tls has a host that no rule applies to.',
    message: ({ host }: { host: string }) => `host ${quote(host)} in "tls" has no effect: no rule applies to it`,
    hint: () => 'remove it, or add a rule for it',
    fix: 'Remove the host from tls, or add it to hostnames or rules.',
  },
  'expose-certificate-names': {
    severity: 'warning',
    summary: 'tls uses the Secret of a certificate that does not cover the host.',
    message: ({ host, secretName }: { host: string; secretName: string }) =>
      `the certificate in Secret ${quote(secretName)} does not cover host ${quote(host)}`,
    hint: () => 'add the host to "dnsNames" of the "certificate" trait',
    fix: 'Add the host to dnsNames of the certificate trait that fills the Secret, or use another Secret for the host. Clients reject a certificate for other names.',
  },
  'expose-issuer-differs': {
    summary: 'An annotation sets another issuer than the platform.',
    message: ({ issuer, annotation, written }: { issuer: string; annotation: string; written: string }) =>
      `annotation ${annotation} ${quote(written)} conflicts with the cluster issuer ${quote(issuer)} of the platform`,
    hint: () => 'remove the annotation',
    fix: 'Remove the cert-manager annotation from the trait. The platform sets the issuer in spec.capabilities.expose.rendering.',
  },
  'expose-secret-unused': {
    summary: 'secretName has no effect because no certificate is stored in that Secret.',
    message: ({ reason }: { reason: string }) => `"secretName" has no effect: ${reason}`,
    hint: ({ advice }: { advice: string }) => advice,
    fix: 'Remove secretName, or follow the hint. It is the Secret for the certificate that the issuer of the platform creates.',
  },
  'expose-groups-unknown': {
    summary: 'allowedGroups requires an authURL, which the profile does not have.',
    message: () => '"allowedGroups" requires "authURL", which the profile does not have',
    hint: () => 'add "authURL" to spec.capabilities.expose.rendering of the profile',
    fix: 'Ask your platform team to add authURL to spec.capabilities.expose.rendering of the profile, or remove allowedGroups.',
  },
  'expose-sign-in-open': {
    summary: 'authSigninURL is set without allowedGroups.',
    message: () => '"authSigninURL" requires "allowedGroups": without groups, everyone has access',
    hint: () => 'add "allowedGroups", or remove "authSigninURL"',
    fix: 'Set allowedGroups to the groups that may access the component, or remove authSigninURL.',
  },
  'expose-rendering-missing': {
    summary: 'The expose capability lacks a property that its controller type requires.',
    message: ({ controller, key }: { controller: ControllerType; key: string }) =>
      `controllerType ${controller} requires ${quote(key)}`,
    fix: 'Add the property to spec.capabilities.expose.rendering of the profile.',
  },
  'expose-rendering-foreign': {
    summary: 'The expose capability has a property of another controller type.',
    message: ({ controller, key }: { controller: ControllerType; key: string }) =>
      `controllerType ${controller} does not support ${quote(key)}`,
    hint: ({ other }: { other: ControllerType }) => `remove it; it applies to controllerType ${other}`,
    fix: 'Remove the property from spec.capabilities.expose.rendering of the profile, or change controllerType.',
  },
  'expose-auth-url': {
    summary: 'authURL has a query or a fragment.',
    message: ({ url }: { url: string }) => `authURL ${quote(url)} must not contain "?" or "#"`,
    hint: () => 'remove the query; kurel appends the groups as "?allowed_groups=…"',
    fix: 'Remove the query and fragment from authURL in the profile. kurel appends the allowed groups as a query.',
  },
  'expose-auth-alone': {
    summary: 'The expose capability has sign-in settings but no authURL.',
    message: ({ key }: { key: string }) => `${quote(key)} requires "authURL"`,
    fix: 'Add authURL to spec.capabilities.expose.rendering of the profile, or remove the property.',
  },
}));
