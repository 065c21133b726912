import { builtinNames } from '../builtins/builtins.ts';
import { formatNames } from '../builtins/strings.ts';
import { type JqError, sourceError } from '../jq-error.ts';
import type { NodeOf } from '../syntax/tokens.ts';
import type { Binding, Site } from './scope.ts';

/** Functions of other template languages, with their names in jq. */
const otherWords = new Map(
  Object.entries({
    b64dec: '@base64d',
    b64enc: '@base64',
    count: 'length',
    default: '//',
    filter: 'select/1',
    hasprefix: 'startswith/1',
    hassuffix: 'endswith/1',
    len: 'length',
    lower: 'ascii_downcase',
    matches: 'test/1',
    merge: '*',
    regexmatch: 'test/1',
    replace: 'gsub/2',
    size: 'length',
    trimprefix: 'ltrimstr/1',
    trimsuffix: 'rtrimstr/1',
    upper: 'ascii_upcase',
  }),
);

export function unknownFunction(node: NodeOf<'call'>, site: Site): JqError {
  return unknown(`${node.name}/${node.args.length} is not defined`, node.at, site, hintFor(node, site));
}

function unknown(reason: string, at: number, site: Site, hint: string | undefined): JqError {
  return sourceError({ kind: 'compile', reason, source: site.context.source, at, hint });
}

function hintFor({ name, args, at }: NodeOf<'call'>, site: Site): string | undefined {
  // `.labels.app-name` is a subtraction, and `.labels.example.com/name` a division
  if (args.length === 0 && /\.\w+[-/]$/.test(site.context.source.slice(0, at))) {
    return 'quote a key with characters other than letters, digits and _: .["a-b"]';
  }
  const meant = otherWords.get(name.toLowerCase()) ?? nearestFunction(name, args.length, site);
  return didYouMean(meant);
}

function nearestFunction(name: string, arity: number, site: Site): string | undefined {
  const candidates = functionsIn(site);
  const near = nearestName(name, new Set(candidates.map((candidate) => candidate.name)));
  const [best] = candidates
    .filter((candidate) => candidate.name === near)
    .toSorted((left, right) => Math.abs(left.arity - arity) - Math.abs(right.arity - arity));
  return best === undefined ? undefined : `${best.name}/${best.arity}`;
}

interface Signature {
  readonly name: string;
  readonly arity: number;
}

/** The functions in scope, innermost first. */
function functionsIn(site: Site): readonly Signature[] {
  const custom = Object.entries(site.context.functions).flatMap(([name, { arity }]): readonly Signature[] =>
    typeof arity === 'number'
      ? [{ name, arity }]
      : [
          { name, arity: arity.min },
          { name, arity: arity.max },
        ],
  );
  const builtins = builtinNames().map((key) => {
    const [name = '', arity] = key.split('/');
    return { name, arity: Number(arity) };
  });
  return [...bindingsIn(site).flatMap(signatureOf), ...custom, ...builtins];
}

function signatureOf(binding: Binding): readonly Signature[] {
  if (binding.kind === 'function') return [{ name: binding.name, arity: binding.arity }];
  return binding.kind === 'argument' || binding.kind === 'closure' ? [{ name: binding.name, arity: 0 }] : [];
}

/** Innermost first. */
function bindingsIn(site: Site): readonly Binding[] {
  const bindings: Binding[] = [];
  for (let { scope } = site; scope !== undefined; scope = scope.parent) bindings.push(scope.binding);
  return bindings;
}

export function unknownVariable({ name, at }: NodeOf<'variable'>, site: Site): JqError {
  const near = nearestName(name, [...namesOf('variable', site), 'ENV', '__loc__']);
  return unknown(`$${name} is not defined`, at, site, didYouMean(near && `$${near}`));
}

export function unknownLabel({ name, at }: NodeOf<'break'>, site: Site): JqError {
  const near = nearestName(name, namesOf('label', site));
  return unknown(`$*label-${name} is not defined`, at, site, didYouMean(near && `$${near}`));
}

function namesOf(kind: Binding['kind'], site: Site): readonly string[] {
  return bindingsIn(site).flatMap((binding) => (binding.kind === kind ? [binding.name] : []));
}

export function unknownFormat(name: string, at: number, site: Site): JqError {
  return unknown(`${name.slice(1)} is not a valid format`, at, site, didYouMean(nearestName(name, formatNames)));
}

function didYouMean(name: string | undefined): string | undefined {
  return name === undefined ? undefined : `did you mean ${name}?`;
}

/** Longer words are not typos; the limit keeps hostile input from costing time. */
const longestName = 64;

/**
 * The name that was most likely meant: the one with the fewest typos (characters missing, added, changed or swapped),
 * else one that starts with the word or ends with it as a part. The first of equals wins.
 */
function nearestName(word: string, names: Iterable<string>): string | undefined {
  if (word.length > longestName) return undefined;
  const wanted = word.toLowerCase();
  const most = Math.floor(Math.max(wanted.length, 3) / 3);
  let best: { readonly name: string; readonly slips: number } | undefined;
  for (const name of names) {
    const slips = rateName(wanted, name.toLowerCase(), most);
    if (slips !== undefined && (best === undefined || slips < best.slips)) best = { name, slips };
  }
  return best?.name;
}

function rateName(wanted: string, name: string, most: number): number | undefined {
  const slips = countSlips(wanted, name);
  if (slips <= most && slips < Math.max(wanted.length, name.length)) return slips;
  const isPart = wanted.length >= 3 && (name.startsWith(wanted) || name.endsWith(`_${wanted}`));
  return isPart ? most + name.length : undefined;
}

function countSlips(from: string, to: string): number {
  let beforePrevious: readonly number[] = [];
  let previous = Array.from({ length: to.length + 1 }, (_cell, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const changed = from[row - 1] === to[column - 1] ? 0 : 1;
      const swapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current.push(
        Math.min(
          previous[column]! + 1,
          current[column - 1]! + 1,
          previous[column - 1]! + changed,
          swapped ? beforePrevious[column - 2]! + 1 : Infinity,
        ),
      );
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[to.length]!;
}
