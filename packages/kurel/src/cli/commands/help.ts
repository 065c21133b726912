import { nearest, quote } from '../../diagnostics/index.ts';
import { defineCommand } from '../command.ts';
import { commandTable } from '../command-table.ts';
import { formatCommandHelp, formatProgramHelp } from '../format-help.ts';
import { readingWidth } from '../terminal-width.ts';
import { UsageError } from '../usage-error.ts';

export const help = defineCommand({
  name: 'help',
  summary: 'Show help for kurel or for one command.',
  arguments: [
    {
      name: 'COMMAND',
      summary: 'the command to explain',
      required: false,
      choices: commandTable.map(({ name }) => name),
    },
    { name: 'SUBCOMMAND', summary: 'a part of the command, such as generate of schema', required: false },
  ],
  flags: {},
  async run({ positionals: [name, part], environment }) {
    const width = readingWidth(environment);
    if (name === undefined) {
      environment.writeStdout(formatProgramHelp(commandTable, width));
      return 0;
    }
    const entry = commandTable.find((candidate) => candidate.name === name)!;
    const command = await entry.load();
    const parts = command.arguments[0]?.choices ?? [];
    if (part !== undefined && !parts.includes(part)) {
      const near = nearest(part, parts);
      throw new UsageError(
        `${name} has no ${quote(part)}`,
        near === undefined ? `see kurel help ${name}` : `did you mean kurel help ${name} ${near}?`,
      );
    }
    environment.writeStdout(formatCommandHelp(command, width));
    return 0;
  },
});
