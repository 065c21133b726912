import {
  checkDnsLabel,
  checkDnsSubdomain,
  checkLabelKey,
  checkLabelValue,
  checkPathSegment,
  listAt,
  textAt,
} from '../../kube/index.ts';
import { isJsonObject } from '../../model/index.ts';
import { checkLabels } from './check-metadata.ts';
import type { FieldRule, Fields } from './field-rules.ts';
import { demandField, forbid, portRange } from './field-site.ts';
import type { FieldSite } from './field-site.ts';

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
export const calledService: Fields = {
  name: { required: 'the name of the Service' },
  namespace: { required: 'the namespace of the Service' },
  port: { range: portRange },
};

/** The server of a webhook. */
export const clientConfig: FieldRule = {
  oneOf: ['service', 'url'],
  fields: {
    service: { fields: { ...calledService, path: { format: explainCalledPath } } },
    url: { format: explainUrl, emptyIsValue: true },
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
function explainUrl(url: string): string | undefined {
  if (!/^https:\/\/[^/?#\s]/i.test(url)) return 'must start with "https://" and a host';
  const [authority = ''] = url.slice('https://'.length).split(/[/?#]/, 1);
  if (authority.includes('@')) return 'must not contain a user or password';
  return /[?#]/.test(url) ? 'must not contain "?" or "#"' : undefined;
}

/** An object of labels, such as `matchLabels`. */
export const labels: FieldRule = {
  also: (site) => {
    if (isJsonObject(site.value)) checkLabels(site, site.value, site.path);
  },
};

export const operators: readonly string[] = ['In', 'NotIn', 'Exists', 'DoesNotExist'];

/** A label selector with `matchLabels` and `matchExpressions`. */
export const labelSelector: FieldRule = {
  fields: {
    matchLabels: labels,
    matchExpressions: {
      items: {
        fields: {
          key: { required: 'a label key', text: checkLabelKey },
          operator: { required: operators.join(', '), words: operators },
          values: { items: { text: checkLabelValue } },
        },
        also: checkValues,
      },
    },
  },
};

/** Operators that compare need values; the others must not have any. */
export function checkValues(site: FieldSite): void {
  const operator = textAt(site.value, 'operator');
  const count = listAt(site.value, 'values').length;
  if ((operator === 'In' || operator === 'NotIn') && count === 0)
    demandField(site, ['values'], { expected: `a list, required when operator is ${operator}` });
  else if ((operator === 'Exists' || operator === 'DoesNotExist') && count > 0)
    forbid(site, 'values', `may not be set when operator is ${operator}`);
}

/** Whether a path contains `..`. */
export function escapesRoot(path: string): boolean {
  return path.split('/').includes('..');
}

export function explainHostPath(path: string): string | undefined {
  return escapesRoot(path) ? 'must not contain ".."' : undefined;
}

/** A path inside a volume. */
export function explainSubPath(path: string): string | undefined {
  return path.startsWith('/') ? 'must be a relative path' : explainHostPath(path);
}
