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
  const [argument] = command.arguments;
  if (argument?.choices !== undefined) {
    return [`complete -c kurel -n ${seen(command)} -a ${quoteForFish(argument.choices.join(' '))}`];
  }
  return argument?.completes === 'path' ? [`complete -c kurel -n ${seen(command)} -F`] : [];
}

function seen(command: Command): string {
  return quoteForFish(`__fish_seen_subcommand_from ${command.name}`);
}

// Inside single quotes fish knows two escapes only, and no doubling.
function quoteForFish(text: string): string {
  return `'${text.replaceAll('\\', String.raw`\\`).replaceAll("'", String.raw`\'`)}'`;
}
