import { nearest, quote } from '../../diagnostics/index.ts';
import { commandTable } from '../command-table.ts';
import { defineCommand } from '../command.ts';
import type { CommandCall, CommandResult } from '../command.ts';
import { formatCommandHelp, formatProgramHelp } from '../format-help.ts';
import type { HelpOptions } from '../format-help.ts';
import { readingWidth, useColor } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';

export const help = defineCommand({
  name: 'help',
  description:
    'Long help is shown in a pager on a terminal: KUREL_PAGER, then PAGER, then less. Set KUREL_PAGER to an empty string to disable it.',
  arguments: [
    {
      name: 'TOPIC',
      summary: 'a command, or a finding code such as field-unknown',
      optional: true,
      completes: 'topic',
    },
    { name: 'SUBCOMMAND', summary: 'a subcommand, such as generate of schema', optional: true },
  ],
  flags: {},
  readsNothing: true,
  examples: [
    { says: 'all flags of a command', line: 'kurel help build' },
    { says: 'a finding: what it means, an example and how to fix it', line: 'kurel help field-unknown' },
  ],
  run: runHelp,
});

async function runHelp({ positionals, flags, environment }: CommandCall<{}>): Promise<CommandResult> {
  const [topic, part] = positionals;
  const color = useColor(flags.color, environment, environment.stdoutIsTerminal);
  const options = { width: readingWidth(environment), color };
  const text =
    topic === undefined ? formatProgramHelp(commandTable, options) : await explainTopic(topic, part, options);
  if (environment.page === undefined) return { stdout: text };
  await environment.page(text);
  return {};
}

async function explainTopic(topic: string, part: string | undefined, options: HelpOptions): Promise<string> {
  const entry = commandTable.find(({ name }) => name === topic);
  if (entry !== undefined) {
    const command = await entry.load();
    const parts = command.arguments[0]?.choices ?? [];
    if (part === undefined || parts.includes(part)) return formatCommandHelp(command, options);
    const near = nearest(part, parts);
    throw new UsageError(
      `unknown subcommand ${quote(part)} of ${topic}`,
      near === undefined ? `see kurel help ${topic}` : `did you mean kurel help ${topic} ${near}?`,
    );
  }
  const { explainFinding } = await import('../explain-finding.ts');
  return explainFinding(topic, options);
}
