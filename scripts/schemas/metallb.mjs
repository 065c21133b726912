// MetalLB's kinds in our own words: its code is in no package registry. Types and constraints are those of its API; a test
// compares them with MetalLB's own definitions where these lie beside the project.

const text = { type: 'string' };
const flag = { type: 'boolean' };
const texts = list(text);

function object(properties, more = {}) {
  return { type: 'object', properties, ...more };
}

function list(items, more = {}) {
  return { type: 'array', items, ...more };
}

function integer(minimum, maximum, more = {}) {
  return {
    type: 'integer',
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
    ...more,
  };
}

function described(schema, description) {
  return { ...schema, description };
}

const int32 = { format: 'int32' };
const int64 = { format: 'int64' };
const atomic = { 'x-kubernetes-list-type': 'atomic' };
const asNumber = integer(0, 4294967295, int64);
const milliseconds = integer(10, 60000, int32);

const selector = object(
  {
    matchExpressions: list(
      object({ key: text, operator: text, values: list(text, atomic) }, { required: ['key', 'operator'] }),
      atomic,
    ),
    matchLabels: { type: 'object', additionalProperties: text },
  },
  { 'x-kubernetes-map-type': 'atomic' },
);
const selectors = list(selector);
/** v1beta1 of BGPPeer has selectors of its own. */
const oldSelectors = list(
  object({
    matchExpressions: list(
      object(
        { key: text, operator: text, values: list(text, { minItems: 1 }) },
        { required: ['key', 'operator', 'values'] },
      ),
    ),
    matchLabels: { type: 'object', additionalProperties: text },
  }),
);

const pools = {
  ipAddressPools: described(
    texts,
    'Names of the pools that are advertised; all pools when neither these nor selectors are given.',
  ),
  ipAddressPoolSelectors: described(selectors, 'Labels of the pools that are advertised.'),
};
const nodes = { nodeSelectors: described(selectors, 'Nodes that may be the next hop; all nodes when empty.') };
const services = {
  serviceSelectors: described(selectors, 'Services that are advertised; all services of the pools when empty.'),
};
const status = object({});

const bfdProfile = object({
  detectMultiplier: described(integer(2, 255, int32), 'How many packets may be lost before the session is down.'),
  echoInterval: described(milliseconds, 'Smallest interval between echo packets, in milliseconds.'),
  echoMode: described(flag, 'Whether echo packets are sent.'),
  minimumTtl: described(integer(1, 254, int32), 'Smallest time to live of packets of multi-hop sessions.'),
  passiveMode: described(flag, 'Wait for the peer to begin the session.'),
  receiveInterval: described(milliseconds, 'Smallest interval at which packets can be received, in milliseconds.'),
  transmitInterval: described(milliseconds, 'Smallest interval at which packets are sent, in milliseconds.'),
});

const bgpAdvertisement = object(
  {
    aggregationLength: described(
      integer(1, undefined, { ...int32, default: 32 }),
      'Length of the IPv4 prefix that is announced.',
    ),
    aggregationLengthV6: described(
      integer(undefined, undefined, { ...int32, default: 128 }),
      'Length of the IPv6 prefix that is announced.',
    ),
    communities: described(
      texts,
      'BGP communities of the announcement: numbers such as 65535:65282, or names of a Community.',
    ),
    localPref: described(
      integer(undefined, undefined, int32),
      'Local preference; only to peers of the same autonomous system.',
    ),
    peers: described(texts, 'Names of the peers that are told; all peers when empty.'),
    ...pools,
    ...nodes,
    ...services,
  },
  {
    'x-kubernetes-validations': [
      {
        message:
          'serviceSelectors can only be used with the default aggregationLength (32) and aggregationLengthV6 (128)',
        rule: '!has(self.serviceSelectors) || self.serviceSelectors.size() == 0 || ((!has(self.aggregationLength) || self.aggregationLength == 32) && (!has(self.aggregationLengthV6) || self.aggregationLengthV6 == 128))',
      },
    ],
  },
);

const peer = {
  bfdProfile: described(text, 'Name of the BFDProfile of the session; none when empty.'),
  ebgpMultiHop: described(flag, 'Whether the peer is more than one hop away.'),
  holdTime: described(text, 'Hold time of the session, a duration such as 90s.'),
  keepaliveTime: described(text, 'Interval between keepalives, a duration such as 30s.'),
  myASN: described(asNumber, 'Autonomous system number of this side.'),
  password: described(text, 'Password of the session.'),
  peerASN: described(asNumber, 'Autonomous system number of the peer.'),
  peerAddress: described(text, 'Address of the peer.'),
  routerID: described(text, 'BGP router ID of this side.'),
  sourceAddress: described(text, 'Source address of the session.'),
};

const oldPeer = object(
  {
    ...peer,
    nodeSelectors: described(oldSelectors, 'Nodes that connect to the peer.'),
    peerPort: described(integer(0, 16384), 'Port of the peer.'),
  },
  { required: ['myASN', 'peerASN', 'peerAddress'] },
);

const newPeer = object(
  {
    ...peer,
    connectTime: described(
      {
        ...text,
        'x-kubernetes-validations': [
          {
            message: 'connect time must be from 1 to 65535 seconds',
            rule: 'duration(self).getSeconds() >= 1 && duration(self).getSeconds() <= 65535',
          },
          {
            message: 'connect time must be a whole number of seconds',
            rule: 'duration(self).getMilliseconds() % 1000 == 0',
          },
        ],
      },
      'Time between attempts to connect, a duration such as 10s.',
    ),
    disableMP: described({ ...flag, default: false }, 'Deprecated: use dualStackAddressFamily.'),
    dualStackAddressFamily: described({ ...flag, default: false }, 'Announce both address families in one session.'),
    dynamicASN: described(
      { ...text, enum: ['internal', 'external'] },
      'Take the number of the peer as it comes, instead of peerASN.',
    ),
    enableGracefulRestart: described(
      {
        ...flag,
        'x-kubernetes-validations': [
          { message: 'enableGracefulRestart cannot be changed after creation', rule: 'self == oldSelf' },
        ],
      },
      'Keep routes while this side restarts.',
    ),
    interface: described(text, 'Interface of an unnumbered session, instead of peerAddress.'),
    localASN: described(
      integer(1, 4294967295, int64),
      'Autonomous system number to show to the peer instead of myASN.',
    ),
    nodeSelectors: described(selectors, 'Nodes that connect to the peer.'),
    passwordSecret: described(
      object({ name: text, namespace: text }, { 'x-kubernetes-map-type': 'atomic' }),
      'Secret of type kubernetes.io/basic-auth that holds the password.',
    ),
    peerPort: described(integer(1, 16384, { default: 179 }), 'Port of the peer.'),
    vrf: described(text, 'Linux VRF in which the peer is reached.'),
  },
  { required: ['myASN'] },
);

const community = object({
  communities: described(
    list(
      object({
        name: described(text, 'Name of the alias.'),
        value: described(text, 'The community, such as 65535:65282.'),
      }),
    ),
    'Names for BGP communities.',
  ),
});

const ipAddressPool = object(
  {
    addresses: described(texts, 'CIDRs and ranges such as 192.0.2.10-192.0.2.20 that addresses are taken from.'),
    autoAssign: described(
      { ...flag, default: true },
      'Whether addresses are given out without being asked for by name.',
    ),
    avoidBuggyIPs: described({ ...flag, default: false }, 'Keep addresses that end in .0 and .255.'),
    serviceAllocation: described(
      object({
        namespaceSelectors: described(selectors, 'Labels of namespaces whose services get addresses.'),
        namespaces: described(texts, 'Namespaces whose services get addresses.'),
        priority: described(integer(), 'Pools with a smaller number are taken from first; 0 is last.'),
        serviceSelectors: described(selectors, 'Services that get addresses.'),
      }),
      'Which services get addresses of this pool, and in which order pools are used.',
    ),
  },
  { required: ['addresses'] },
);

const poolCounts = ['assignedIPv4', 'assignedIPv6', 'availableIPv4', 'availableIPv6'];
const ipAddressPoolStatus = object(
  Object.fromEntries(poolCounts.map((name) => [name, integer(undefined, undefined, int64)])),
  {
    required: poolCounts,
  },
);

const l2Advertisement = object({
  interfaces: described(texts, 'Interfaces that answer; all when empty.'),
  preferredNodeSelectors: described(
    list(object({ preference: selector, weight: integer(1, 100, int32) }, { required: ['preference', 'weight'] })),
    'Nodes that should rather answer than others.',
  ),
  ...pools,
  ...nodes,
  ...services,
});

const v1beta1 = (spec, more = {}) => [{ name: 'v1beta1', spec, ...more }];

export const metallb = {
  name: 'MetalLB',
  definitions: [
    define('BFDProfile', v1beta1(bfdProfile)),
    define('BGPAdvertisement', v1beta1(bgpAdvertisement)),
    define('BGPPeer', [
      { name: 'v1beta1', spec: oldPeer, deprecationWarning: 'v1beta1 is deprecated, please use v1beta2' },
      { name: 'v1beta2', spec: newPeer },
    ]),
    define('Community', v1beta1(community)),
    define('IPAddressPool', v1beta1(ipAddressPool, { status: ipAddressPoolStatus, required: ['spec'] })),
    define('L2Advertisement', v1beta1(l2Advertisement)),
  ],
};

function define(kind, versions) {
  return {
    spec: {
      group: 'metallb.io',
      scope: 'Namespaced',
      names: { kind },
      versions: versions.map((version) => ({
        name: version.name,
        ...(version.deprecationWarning === undefined
          ? {}
          : { deprecated: true, deprecationWarning: version.deprecationWarning }),
        schema: {
          openAPIV3Schema: object(
            {
              apiVersion: text,
              kind: text,
              metadata: { type: 'object' },
              spec: version.spec,
              status: version.status ?? status,
            },
            version.required === undefined ? {} : { required: version.required },
          ),
        },
      })),
    },
  };
}
