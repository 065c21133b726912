import { checkDnsLabel, checkDnsSubdomain, has, listAt, mappingAt, numberAt, textAt } from '../../kube/index.ts';
import { isJsonArray } from '../../model/index.ts';
import { fieldName, formatPath, missingField } from '../../schema/index.ts';
import type { FieldRule, FieldSite } from './field-rules.ts';
import { objectName } from './reference-rules.ts';

const verbs = ['get', 'list', 'create', 'update', 'delete', 'deletecollection', 'patch', 'watch', 'proxy'];

function refuseBesideAll({ value, path, object, findings }: FieldSite): void {
  if (!isJsonArray(value) || value.length < 2 || !value.includes('*')) return;
  findings.add(object, { path }, [
    'field-enum',
    { field: fieldName(path), demand: 'may not combine "*" with other items' },
  ]);
}

const verbList: FieldRule = {
  required: 'a list',
  items: { words: [...verbs, '*'], emptyIsValue: true },
  also: refuseBesideAll,
};

/** `/healthz`, or `/healthz/*` for everything below it. */
function explainUrl(text: string): string | undefined {
  if (text === '*') return undefined;
  if (!text.startsWith('/')) return 'must start with "/"';
  if (/\s/.test(text)) return 'must not contain whitespace';
  if (text.includes('//')) return 'must not contain "//"';
  const star = text.indexOf('*');
  return star === -1 || (star === text.length - 1 && text.endsWith('/*'))
    ? undefined
    : 'may contain "*" only as its last segment';
}

const subjectFields = { ServiceAccount: 'serviceAccount', User: 'user', Group: 'group' } as const;

function explainAccount(name: string): string | undefined {
  return name === '*' ? undefined : checkDnsSubdomain(name);
}

const subject: FieldRule = {
  fields: {
    kind: { required: 'User, Group or ServiceAccount', words: Object.keys(subjectFields) },
    user: { fields: { name: { required: 'a name' } } },
    group: { fields: { name: { required: 'a name' } } },
    serviceAccount: {
      fields: {
        name: { required: 'a name, or "*"', text: explainAccount },
        namespace: { required: 'a namespace', text: checkDnsLabel },
      },
    },
  },
  also: ({ value, path, object, findings }) => {
    const kind = textAt(value, 'kind') ?? '';
    if (!Object.hasOwn(subjectFields, kind)) return;
    for (const [name, field] of Object.entries(subjectFields)) {
      const place = [...path, field];
      if (name === kind && !has(value, field)) {
        const args = missingField({ name: field, holder: formatPath(path), expected: `required when kind is ${kind}` });
        findings.add(object, { path: place }, ['field-required', args]);
      } else if (name !== kind && has(value, field)) {
        const demand = `may not be set when kind is ${kind}`;
        findings.add(object, { path: place, at: 'key' }, ['field-enum', { field, demand }]);
      }
    }
  },
};

const resourceRule: FieldRule = {
  fields: {
    verbs: verbList,
    apiGroups: { required: 'a list', also: refuseBesideAll },
    resources: { required: 'a list', also: refuseBesideAll },
    namespaces: {
      items: { text: (name) => (name === '*' ? undefined : checkDnsLabel(name)), emptyIsValue: true },
      also: refuseBesideAll,
    },
  },
  also: ({ value, path, object, findings }) => {
    if (listAt(value, 'namespaces').length > 0 || (value as Record<string, unknown>)['clusterScope'] === true) return;
    const args = { holder: `"${fieldName(path)}"`, fields: ['namespaces', 'clusterScope'] };
    findings.add(object, { path }, ['field-choice-missing', args]);
  },
};

export const flowSchema: FieldRule = {
  fields: {
    spec: {
      required: 'an object',
      fields: {
        // 0 selects the default.
        matchingPrecedence: { range: { least: 0, most: 10_000 } },
        priorityLevelConfiguration: { required: 'an object', fields: { name: { required: 'a name', ...objectName } } },
        distinguisherMethod: {
          fields: { type: { required: 'ByUser or ByNamespace', words: ['ByUser', 'ByNamespace'] } },
        },
        rules: {
          items: {
            fields: {
              subjects: { required: 'a list', items: subject },
              resourceRules: { items: resourceRule },
              nonResourceRules: {
                items: {
                  fields: {
                    verbs: verbList,
                    nonResourceURLs: {
                      required: 'a list',
                      items: { format: explainUrl, emptyIsValue: true },
                      also: refuseBesideAll,
                    },
                  },
                },
              },
            },
            also: ({ value, path, object, findings }) => {
              if (listAt(value, 'resourceRules').length > 0 || listAt(value, 'nonResourceRules').length > 0) return;
              const args = { holder: `"${fieldName(path)}"`, fields: ['resourceRules', 'nonResourceRules'] };
              findings.add(object, { path }, ['field-choice-missing', args]);
            },
          },
        },
      },
      also: ({ value, path, object, findings }) => {
        if (numberAt(value, 'matchingPrecedence') !== 1 || nameOf(object) === 'exempt') return;
        const args = { field: 'matchingPrecedence', demand: 'may be 1 only in the FlowSchema "exempt"', found: '1' };
        findings.add(object, { path: [...path, 'matchingPrecedence'] }, ['field-range', args]);
      },
    },
  },
};

function nameOf(object: FieldSite['object']): string | undefined {
  return textAt(mappingAt(object, 'metadata'), 'name');
}

const shares: FieldRule = { range: { least: 0 } };
const percent: FieldRule = { range: { least: 0, most: 100 } };

export const priorityLevel: FieldRule = {
  fields: {
    spec: {
      required: 'an object',
      fields: {
        type: { required: 'Limited', words: ['Limited', 'Exempt'] },
        exempt: { fields: { nominalConcurrencyShares: shares, lendablePercent: percent } },
        limited: {
          fields: {
            nominalConcurrencyShares: shares,
            lendablePercent: percent,
            borrowingLimitPercent: shares,
            limitResponse: {
              required: 'an object with "type"',
              fields: {
                type: { required: 'Queue or Reject', words: ['Queue', 'Reject'] },
                queuing: {
                  fields: {
                    queues: { range: { least: 0, most: 10_000_000 } },
                    queueLengthLimit: { range: { least: 0 } },
                    handSize: { range: { least: 0 } },
                  },
                  also: checkHand,
                },
              },
              also: (site) => checkUnion(site, { Queue: 'queuing' }),
            },
          },
        },
      },
      also: (site) => {
        checkUnion(site, { Limited: 'limited', Exempt: 'exempt' });
        const { value, path, object, findings } = site;
        const type = textAt(value, 'type');
        if (type === undefined || (type === 'Exempt') === (nameOf(object) === 'exempt')) return;
        const demand = 'must be Exempt if and only if the object is named "exempt"';
        findings.add(object, { path: [...path, 'type'] }, [
          'field-enum',
          { field: 'type', demand, found: `"${type}"` },
        ]);
      },
    },
  },
};

/** The number of hash bits that choose the queues of a flow. */
const mostBits = 60;

function checkHand({ value, path, object, findings }: FieldSite): void {
  const [hand, queues] = [numberAt(value, 'handSize') || 8, numberAt(value, 'queues') || 64];
  if (hand < 0 || queues < 0 || (hand <= queues && Math.ceil(Math.log2(queues) * hand) <= mostBits)) return;
  const demand = hand > queues ? `must be at most "queues" (${queues})` : `must be smaller for ${queues} queues`;
  const args = { field: 'handSize', demand, found: String(hand) };
  findings.add(object, { path: [...path, 'handSize'] }, ['field-range', args]);
}

/** Each type has its own field, which is required for all types but `Exempt`. */
function checkUnion({ value, path, object, findings }: FieldSite, fields: Readonly<Record<string, string>>): void {
  const type = textAt(value, 'type') ?? '';
  if (type === '') return;
  for (const [name, field] of Object.entries(fields)) {
    if (name === type && name !== 'Exempt' && !has(value, field)) {
      const args = missingField({ name: field, holder: formatPath(path), expected: `required when type is ${type}` });
      findings.add(object, { path: [...path, field] }, ['field-required', args]);
    } else if (name !== type && has(value, field)) {
      const demand = `may not be set when type is ${type}`;
      findings.add(object, { path: [...path, field], at: 'key' }, ['field-enum', { field, demand }]);
    }
  }
}
