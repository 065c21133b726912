import { quote } from '../../diagnostics/index.ts';
import { defineCommand } from '../command.ts';
import { commandTable } from '../command-table.ts';
import { formatCommandHelp, formatProgramHelp } from '../format-help.ts';
import { UsageError } from '../usage-error.ts';

export const help = defineCommand({
  name: 'help',
  summary: 'Show help for kurel or for one command.',
  arguments: [{ name: 'COMMAND', summary: 'the command to explain', required: false }],
  flags: {},
  async run({ positionals: [name], environment }) {
    if (name === undefined) {
      environment.writeStdout(formatProgramHelp(commandTable));
      return 0;
    }
    const entry = commandTable.find((candidate) => candidate.name === name);
    if (entry === undefined) throw new UsageError(`there is no command ${quote(name)} to explain`, 'see kurel help');
    environment.writeStdout(formatCommandHelp(await entry.load()));
    return 0;
  },
});
