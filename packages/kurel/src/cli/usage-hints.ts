import { nearest } from '../diagnostics/index.ts';
import type { Command, FlagDefinitions } from './command.ts';
import type { Token } from './parse-flags.ts';

/** What other programs have that kurel has in another way. */
const elsewhere: Readonly<Record<string, readonly [needs: string, hint: string]>> = {
  // helm has values behind it, and kubectl what is to be built.
  '-f': ['values', 'values are given with --values FILE, and what is built without a flag'],
  '--set-file': ['set-string', 'write --set-string PATH="$(cat FILE)"'],
  '--cluster-id': ['profile', 'take it out: nothing that is built depends on it'],
  '--strict-capabilities': ['strict', 'write --strict, which makes an error of every warning'],
};

const mostNamed = 3;

export function hintForFlag(written: string, definitions: FlagDefinitions): string {
  const names = Object.keys(definitions);
  const known = Object.hasOwn(elsewhere, written) ? elsewhere[written] : undefined;
  if (known !== undefined && names.includes(known[0])) return known[1];
  const word = written.replace(/^-+/, '');
  const begun = written.startsWith('--') ? [] : names.filter((name) => name.startsWith(word.toLowerCase()));
  const near = nearest(word, names);
  const meant = begun.length > 0 && begun.length <= mostNamed ? begun : near === undefined ? [] : [near];
  if (meant.length === 0) return 'see --help for the flags there are';
  return `did you mean ${meant.map((name) => `--${name}`).join(' or ')}?`;
}

/** For an argument that is one too many. */
export function hintForExtra(
  { name, arguments: wanted, flags }: Command,
  extra: string,
  tokens: readonly Token[],
): string {
  const slip = findSplitPair(flags, tokens);
  if (slip !== undefined) return slip;
  if (wanted.length !== 1 || !Object.hasOwn(flags, 'values') || !/\.(?:ya?ml|json)$/.test(extra)) {
    return `see kurel ${name} --help`;
  }
  return `${name} takes one ${wanted[0]!.name}: values are given with --values ${extra}, several manifests as a directory or as a pattern in quotes`;
}

/** `--set replicas 3` → `--set replicas=3`. */
function findSplitPair(flags: FlagDefinitions, tokens: readonly Token[]): string | undefined {
  for (const [index, token] of tokens.entries()) {
    const next = tokens[index + 1];
    if (token.kind !== 'option' || next?.kind !== 'positional') continue;
    const { name, value = '=' } = token;
    const isPair = flags[name]?.placeholder?.includes('=') === true && !value.includes('=');
    if (isPair) return `did you mean --${name} ${value}=${next.value}?`;
  }
  return undefined;
}
