import type { Command } from '../command.ts';
import { flagsOf } from './flags-of.ts';
import type { CompletedFlag } from './flags-of.ts';

export function fishCompletion(commands: readonly Command[]): string {
  const lines = commands.flatMap((command) => [
    `complete -c kurel -n __fish_use_subcommand -a ${command.name} -d ${quoteForFish(command.summary)}`,
    ...flagsOf(command).map((flag) => flagLine(command, flag)),
    ...argumentLine(command),
  ]);
  return [
    '# kurel completion for fish; load with: kurel completion fish | source',
    'complete -c kurel -f',
    ...lines,
    '',
  ].join('\n');
}

function flagLine(command: Command, { name, short, type, choices, completes, summary }: CompletedFlag): string {
  const parts = [`complete -c kurel -n ${seen(command)} -l ${name}`];
  if (short !== undefined) parts.push(`-s ${short}`);
  if (type !== 'switch') parts.push(completes === 'path' ? '-r -F' : '-x');
  if (choices !== undefined) parts.push(`-a ${quoteForFish(choices.join(' '))}`);
  return [...parts, `-d ${quoteForFish(summary)}`].join(' ');
}

function argumentLine(command: Command): string[] {
  const [first, second] = command.arguments;
  if (first?.choices === undefined) return first?.completes === 'path' ? [pathLine(seen(command))] : [];
  const choices = first.choices.join(' ');
  const isChosen = `__fish_seen_subcommand_from ${choices}`;
  const open = second === undefined ? seen(command) : seen(command, `and not ${isChosen}`);
  return [
    `complete -c kurel -n ${open} -a ${quoteForFish(choices)}`,
    ...(second?.completes === 'path' ? [pathLine(seen(command, `and ${isChosen}`))] : []),
  ];
}

function pathLine(condition: string): string {
  return `complete -c kurel -n ${condition} -F`;
}

function seen(command: Command, more?: string): string {
  const condition = `__fish_seen_subcommand_from ${command.name}`;
  return quoteForFish(more === undefined ? condition : `${condition}; ${more}`);
}

// Inside single quotes fish knows two escapes only, and no doubling.
function quoteForFish(text: string): string {
  return `'${text.replaceAll('\\', String.raw`\\`).replaceAll("'", String.raw`\'`)}'`;
}
