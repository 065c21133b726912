import { checkDnsLabel, checkDnsSubdomain, checkPathSegment } from '../../kube/index.ts';
import type { FieldRule } from './field-rules.ts';
import { portRange } from './read-amount.ts';

/** Names that other objects have. */
export const objectName: FieldRule = { text: checkDnsSubdomain };
export const namespaceName: FieldRule = { text: checkDnsLabel, what: 'namespace' };
export const groupName: FieldRule = { text: checkDnsSubdomain, what: 'API group', emptyIsValue: true };
export const pathSegment: FieldRule = { text: checkPathSegment };

/** Kind and name of an object that anything may be. */
export const typedReference: FieldRule = {
  fields: {
    apiGroup: groupName,
    kind: { required: 'that of the object', ...pathSegment },
    name: { required: 'that of the object', ...pathSegment },
  },
};

/** A Service that is called over HTTPS. */
export const calledService: FieldRule = {
  fields: {
    name: { required: 'that of the Service' },
    namespace: { required: 'that of the Service' },
    path: { format: explainCalledPath },
    port: { range: portRange },
  },
};

function explainCalledPath(path: string): string | undefined {
  if (path === '/') return undefined;
  if (!path.startsWith('/')) return 'must begin with "/"';
  const steps = path.slice(1).replace(/\/$/, '').split('/');
  const bad = steps.map((step) => (step === '' ? 'must not be empty' : checkDnsSubdomain(step))).find(Boolean);
  return bad === undefined ? undefined : `has a step between "/" that ${bad}`;
}

/** The whole address of a server outside. */
export const calledUrl: FieldRule = { format: explainUrl, emptyIsValue: true };

function explainUrl(url: string): string | undefined {
  if (!/^https:\/\/[^/?#\s]/i.test(url)) return 'must begin with "https://" and a host';
  const [authority = ''] = url.slice('https://'.length).split(/[/?#]/, 1);
  if (authority.includes('@')) return 'must not have a user or a password in it';
  return /[?#]/.test(url) ? 'must not have "?" or "#"' : undefined;
}
