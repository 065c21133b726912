import { type Automaton, buildAutomaton } from './regex-automaton.ts';

/** Patterns that need more steps to judge are taken to be dangerous. */
const mostChecks = 1_000_000;

/**
 * Whether matching may take a time that grows exponentially with the text. It does when a repetition can go through the
 * same text in two ways, for with every turn the ways multiply, and something behind it can fail, so that all of them are
 * tried: `(a+)+$`, `(a|a)*b`, `(\w+\s?)+:`.
 */
export function isExponential(source: string, ignoreCase: boolean): boolean {
  // only a group that repeats can be dangerous
  if (!/\)(?:[*+]|\{)/.test(source)) return false;
  const automaton = buildAutomaton(source, ignoreCase);
  if (automaton.isTooLarge) return true;
  // where the match may end, trying ends with success, so only the other places count
  const open = automaton.follow.map((places, place) =>
    automaton.final.has(place) ? [] : [...places].filter((other) => !automaton.final.has(other)),
  );
  const component = componentsOf(open.length, (place) => open[place]!);
  // and a way out of a repetition does not lead back
  const next = open.map((places, place) => places.filter((other) => component[other] === component[place]));
  return automaton.doubled.some(([from, to]) => next[from]!.includes(to)) || hasTwoWays(automaton, next);
}

/** Whether some place leads back to itself through the same text in two ways: both ways are walked at the same time. */
function hasTwoWays({ places, atoms }: Automaton, next: readonly (readonly number[])[]): boolean {
  const overlap = atoms.map((atom) => atoms.map((other) => (atom & other) !== 0n));
  const numbers = new Map<number, number>();
  const pairs: (readonly [number, number])[] = [];
  const numberOf = (left: number, right: number): number => {
    const key = Math.min(left, right) * places.length + Math.max(left, right);
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, pairs.length);
    return pairs.push([left, right]) - 1;
  };
  for (const place of places.keys()) if (next[place]!.length > 0) numberOf(place, place);
  const steps: (readonly number[])[] = [];
  let checks = 0;
  for (let at = 0; at < pairs.length; at++) {
    const [left, right] = pairs[at]!;
    checks += next[left]!.length * next[right]!.length;
    if (checks > mostChecks) return true;
    const found = new Set<number>();
    for (const a of next[left]!) {
      const fits = overlap[places[a]!]!;
      for (const b of next[right]!) if (fits[places[b]!] === true) found.add(numberOf(a, b));
    }
    steps.push([...found]);
  }
  const component = componentsOf(pairs.length, (pair) => steps[pair]!);
  const isSame = ([left, right]: readonly [number, number]): boolean => left === right;
  const meeting = new Set(component.filter((_component, pair) => isSame(pairs[pair]!)));
  return pairs.some((pair, index) => !isSame(pair) && meeting.has(component[index]!));
}

/** Numbers the nodes so that those that can reach each other have the same number (Tarjan, without recursion). */
function componentsOf(size: number, next: (node: number) => readonly number[]): Int32Array {
  const component = new Int32Array(size).fill(-1);
  const order = new Int32Array(size).fill(-1);
  const low = new Int32Array(size).fill(0);
  const open: number[] = [];
  let counter = 0;
  let components = 0;
  for (let root = 0; root < size; root++) {
    if (order[root] !== -1) continue;
    const path: { readonly node: number; at: number }[] = [];
    const enter = (node: number): void => {
      order[node] = low[node] = counter++;
      open.push(node);
      path.push({ node, at: 0 });
    };
    enter(root);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const { node } = top;
      const child = next(node)[top.at++];
      if (child !== undefined) {
        if (order[child] === -1) enter(child);
        else if (component[child] === -1) low[node] = Math.min(low[node]!, order[child]!);
        continue;
      }
      path.pop();
      const parent = path.at(-1)?.node;
      if (parent !== undefined) low[parent] = Math.min(low[parent]!, low[node]!);
      if (low[node] !== order[node]) continue;
      let member: number;
      do {
        member = open.pop()!;
        component[member] = components;
      } while (member !== node);
      components++;
    }
  }
  return component;
}
