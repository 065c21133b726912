import { checkDnsLabel, checkDnsSubdomain, listAt, nameOf, numberAt, textAt } from '../../kube/index.ts';
import { isJsonArray } from '../../model/index.ts';
import type { JsonObject } from '../../model/index.ts';
import { ofSpec } from './field-rules.ts';
import type { FieldRule } from './field-rules.ts';
import { checkUnion, refuse, refuseNone } from './field-site.ts';
import type { FieldSite } from './field-site.ts';
import { objectName } from './reference-rules.ts';

const verbs = ['get', 'list', 'create', 'update', 'delete', 'deletecollection', 'patch', 'watch', 'proxy'];

/** `*` covers everything, so no other item is allowed with it. */
export function refuseBesideAll(site: FieldSite, all = '*'): void {
  if (!isJsonArray(site.value) || site.value.length < 2 || !site.value.includes(all)) return;
  refuse(site, [], { demand: `may not combine "${all}" with other items` });
}

/** A list in which `*` is the only item. */
export const listOrAll: FieldRule = { required: 'a list', also: (site) => refuseBesideAll(site) };

const verbList: FieldRule = { ...listOrAll, items: { words: [...verbs, '*'], emptyIsValue: true } };

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
  also: (site) => checkUnion(site, 'kind', subjectFields),
};

const resourceRule: FieldRule = {
  fields: {
    verbs: verbList,
    apiGroups: listOrAll,
    resources: listOrAll,
    namespaces: {
      items: { text: (name) => (name === '*' ? undefined : checkDnsLabel(name)), emptyIsValue: true },
      also: (site) => refuseBesideAll(site),
    },
  },
  also: (site) => {
    const { clusterScope } = site.value as JsonObject;
    if (listAt(site.value, 'namespaces').length === 0 && clusterScope !== true)
      refuseNone(site, { fields: ['namespaces', 'clusterScope'], at: 'value' });
  },
};

export const flowSchema = ofSpec({
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
                nonResourceURLs: { ...listOrAll, items: { format: explainUrl, emptyIsValue: true } },
              },
            },
          },
        },
        also: (site) => {
          const fields = ['resourceRules', 'nonResourceRules'];
          if (fields.every((field) => listAt(site.value, field).length === 0))
            refuseNone(site, { fields, at: 'value' });
        },
      },
    },
  },
  also: (site) => {
    if (numberAt(site.value, 'matchingPrecedence') !== 1 || nameOf(site.object) === 'exempt') return;
    const demand = 'may be 1 only in the FlowSchema "exempt"';
    refuse(site, ['matchingPrecedence'], { code: 'field-range', demand, got: '1' });
  },
});

const shares: FieldRule = { range: { least: 0 } };
const percent: FieldRule = { range: { least: 0, most: 100 } };

export const priorityLevel = ofSpec({
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
          also: (site) => checkUnion(site, 'type', { Queue: 'queuing', Reject: undefined }),
        },
      },
    },
  },
  also: (site) => {
    checkUnion(site, 'type', { Limited: 'limited', Exempt: 'exempt' });
    const type = textAt(site.value, 'type');
    if (type === undefined || (type === 'Exempt') === (nameOf(site.object) === 'exempt')) return;
    const demand = 'must be Exempt if and only if the object is named "exempt"';
    refuse(site, ['type'], { demand, got: `"${type}"` });
  },
});

/** The number of hash bits that choose the queues of a flow. */
const mostBits = 60;

function checkHand(site: FieldSite): void {
  const [hand, queues] = [numberAt(site.value, 'handSize') || 8, numberAt(site.value, 'queues') || 64];
  if (hand < 0 || queues < 0 || (hand <= queues && Math.ceil(Math.log2(queues) * hand) <= mostBits)) return;
  const demand = hand > queues ? `must be at most "queues" (${queues})` : `must be smaller for ${queues} queues`;
  refuse(site, ['handSize'], { code: 'field-range', demand, got: String(hand) });
}
