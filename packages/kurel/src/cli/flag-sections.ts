import type { FlagDefinition } from './command.ts';

interface FlagSection {
  readonly title: string;
  readonly flags: readonly NamedFlag[];
}

export type NamedFlag = readonly [name: string, flag: FlagDefinition];

interface SectionRule {
  readonly title: string;
  readonly name?: RegExp;
  readonly summary?: RegExp;
  /** The title says it already. */
  readonly drops?: RegExp;
}

/** In the order in which they are shown; of two that fit, a flag follows the later one. */
const rules: readonly SectionRule[] = [
  { title: 'Flags for one side', summary: /^For [AB] alone/ },
  { title: 'Flags for application packages', summary: /^Application package: /, drops: /^Application package: / },
  { title: 'Flags for patch packages', summary: /^Patch package: /, drops: /^Patch package: / },
  { title: 'Flags for charts and kustomizations', summary: /^(?:Chart|Kustomization): / },
  { title: 'Flags for layouts', summary: /^Layout \w+: / },
  { title: 'Limits', name: /^max-|^timeout$/ },
];

const MANY = 20;

/** The flags of a command as help shows them: few in one list, many by what they are for. */
export function divideFlags(flags: readonly NamedFlag[]): readonly FlagSection[] {
  if (flags.length < MANY) return [{ title: 'Flags', flags }];
  const ruled = flags.map((flag) => ({ flag, rule: rules.findLast((rule) => isOf(rule, flag)) }));
  const select = (wanted: SectionRule | undefined) =>
    ruled.filter(({ rule }) => rule === wanted).map(({ flag }) => dropWords(flag, wanted?.drops));
  return [
    { title: 'Flags', flags: select(undefined) },
    ...rules.map((rule) => ({ title: rule.title, flags: select(rule) })),
  ].filter((section) => section.flags.length > 0);
}

function isOf({ name, summary }: SectionRule, [word, flag]: NamedFlag): boolean {
  return (name?.test(word) ?? true) && (summary?.test(flag.summary) ?? true);
}

function dropWords([name, flag]: NamedFlag, words: RegExp | undefined): NamedFlag {
  if (words === undefined) return [name, flag];
  const rest = flag.summary.replace(words, '');
  return [name, { ...flag, summary: rest.slice(0, 1).toUpperCase() + rest.slice(1) }];
}
