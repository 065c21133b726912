import { checkDnsLabel, checkDnsSubdomain, checkPathSegment } from '../../kube/index.ts';
import type { FieldRule } from './field-rules.ts';
import { portRange } from './read-amount.ts';

/** Names of other objects. */
export const objectName: FieldRule = { text: checkDnsSubdomain };
export const namespaceName: FieldRule = { text: checkDnsLabel, what: 'namespace' };
export const groupName: FieldRule = { text: checkDnsSubdomain, what: 'API group', emptyIsValue: true };
export const pathSegment: FieldRule = { text: checkPathSegment };

/** A reference to an object of any kind. */
export const typedReference: FieldRule = {
  fields: {
    apiGroup: groupName,
    kind: { required: 'the kind of the object', ...pathSegment },
    name: { required: 'the name of the object', ...pathSegment },
  },
};

/** A Service that the API server calls over HTTPS. */
export const calledService: FieldRule = {
  fields: {
    name: { required: 'the name of the Service' },
    namespace: { required: 'the namespace of the Service' },
    path: { format: explainCalledPath },
    port: { range: portRange },
  },
};

function explainCalledPath(path: string): string | undefined {
  if (path === '/') return undefined;
  if (!path.startsWith('/')) return 'must start with "/"';
  const steps = path.slice(1).replace(/\/$/, '').split('/');
  const bad = steps.map((step) => (step === '' ? 'must not be empty' : checkDnsSubdomain(step))).find(Boolean);
  return bad === undefined ? undefined : `has an invalid path segment: it ${bad}`;
}

/** The URL of a server outside of the cluster. */
export const calledUrl: FieldRule = { format: explainUrl, emptyIsValue: true };

function explainUrl(url: string): string | undefined {
  if (!/^https:\/\/[^/?#\s]/i.test(url)) return 'must start with "https://" and a host';
  const [authority = ''] = url.slice('https://'.length).split(/[/?#]/, 1);
  if (authority.includes('@')) return 'must not contain a user or password';
  return /[?#]/.test(url) ? 'must not contain "?" or "#"' : undefined;
}
