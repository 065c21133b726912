import { quote } from '../../../diagnostics/index.ts';
import { compareQuantities, parseQuantity } from '../../../kube/index.ts';
import type { Quantity } from '../../../kube/index.ts';
import { valueAt } from '../../../model/index.ts';
import type { Json, Path } from '../../../model/index.ts';
import type { Findings } from './findings.ts';
import { listAt } from './located-data.ts';
import { documentProblems } from './problems.ts';

type Amount = readonly [group: 'enforced' | 'defaults', key: string];

// The first of each pair must not exceed the second: a policy must not set a default that it rejects.
const pairs: readonly (readonly [Amount, Amount])[] = [
  [
    ['defaults', 'replicas'],
    ['enforced', 'maxReplicas'],
  ],
  [
    ['defaults', 'scalerMinReplicas'],
    ['defaults', 'scalerMaxReplicas'],
  ],
  [
    ['defaults', 'scalerMinReplicas'],
    ['enforced', 'maxReplicas'],
  ],
  [
    ['defaults', 'scalerMaxReplicas'],
    ['enforced', 'maxReplicas'],
  ],
  [
    ['defaults', 'cpuRequest'],
    ['defaults', 'cpuLimit'],
  ],
  [
    ['defaults', 'cpuRequest'],
    ['enforced', 'maxCPU'],
  ],
  [
    ['defaults', 'cpuLimit'],
    ['enforced', 'maxCPU'],
  ],
  [
    ['defaults', 'memoryRequest'],
    ['defaults', 'memoryLimit'],
  ],
  [
    ['defaults', 'memoryRequest'],
    ['enforced', 'maxMemory'],
  ],
  [
    ['defaults', 'memoryLimit'],
    ['enforced', 'maxMemory'],
  ],
  [
    ['defaults', 'storageSize'],
    ['enforced', 'maxStorageSize'],
  ],
];

/** Finds rules of a policy that no application can satisfy together. */
export function checkContradictions(document: Json, path: readonly string[], findings: Findings): void {
  const read = (amount: Amount): WrittenAmount | undefined => {
    const place = [...path, ...amount];
    return findings.has(place) ? undefined : readAmount(valueAt(document, place));
  };
  // Read all amounts first: a rejected one would not be read again for its other pairs.
  const amounts = pairs.map(([lesser, greater]) => ({ lesser, greater, less: read(lesser), more: read(greater) }));
  for (const { lesser, greater, less, more } of amounts) {
    if (less === undefined || more === undefined || compareQuantities(less.quantity, more.quantity) <= 0) continue;
    const reason = `${quote(lesser.join('.'))} must be at most ${quote(greater.join('.'))} ${more.text}, got ${less.text}`;
    refuse({ reason, path: [...path, ...lesser], other: [...path, ...greater], findings });
  }
  checkCapabilities(document, [...path, 'capabilities'], findings);
  for (const [allowed, forbidden] of [
    ['allowedKinds', 'forbiddenKinds'],
    ['allowedGroups', 'forbiddenGroups'],
  ] as const) {
    const banned = placesIn(document, [...path, 'objects', forbidden]);
    for (const [name, place] of placesIn(document, [...path, 'objects', allowed])) {
      const other = banned.get(name);
      if (other === undefined || typeof name !== 'string') continue;
      refuse({ reason: `${quote(name)} is both allowed and forbidden`, path: place, other, findings });
    }
  }
}

interface WrittenAmount {
  readonly text: string;
  readonly quantity: Quantity;
}

function readAmount(value: Json | undefined): WrittenAmount | undefined {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') return undefined;
  const quantity = parseQuantity(String(value));
  return quantity === undefined ? undefined : { text: String(value), quantity };
}

function checkCapabilities(document: Json, path: readonly string[], findings: Findings): void {
  const places = (list: string): Places => placesIn(document, [...path, list]);
  const [allowed, forbidden, required] = ['allowed', 'forbidden', 'required'].map(places) as [Places, Places, Places];
  for (const [trait, place] of [...allowed, ...required]) {
    const other = forbidden.get(trait);
    if (other === undefined || typeof trait !== 'string') continue;
    const word = place === required.get(trait) ? 'required' : 'allowed';
    refuse({ reason: `${quote(trait)} is both ${word} and forbidden`, path: place, other, findings });
  }
  if (allowed.size === 0) return;
  for (const [trait, place] of required) {
    if (allowed.has(trait) || forbidden.has(trait) || typeof trait !== 'string') continue;
    const reason = `${quote(trait)} is required but not allowed`;
    refuse({ reason, path: place, other: [...path, 'allowed'], findings });
  }
}

type Places = ReadonlyMap<Json, Path>;

function placesIn(document: Json, list: readonly string[]): Places {
  return new Map(listAt(document, list).map((item, index) => [item, [...list, index]]));
}

interface Contradiction {
  readonly reason: string;
  readonly path: Path;
  readonly other: Path;
  readonly findings: Findings;
}

function refuse({ reason, path, other, findings }: Contradiction): void {
  const { locate } = findings.options;
  const related = [{ message: 'the other rule is here', location: locate(other) }];
  const place = { location: locate(path), related };
  findings.add(path, documentProblems.create('policy-contradiction', { reason }, place));
}
