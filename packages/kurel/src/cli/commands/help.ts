import { defineCommand } from '../command.ts';
import { commandTable } from '../command-table.ts';
import { formatCommandHelp, formatProgramHelp } from '../format-help.ts';
import { readingWidth } from '../terminal-width.ts';

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
  ],
  flags: {},
  async run({ positionals: [name], environment }) {
    const width = readingWidth(environment);
    if (name === undefined) {
      environment.writeStdout(formatProgramHelp(commandTable, width));
      return 0;
    }
    const entry = commandTable.find((candidate) => candidate.name === name)!;
    environment.writeStdout(formatCommandHelp(await entry.load(), width));
    return 0;
  },
});
