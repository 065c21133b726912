import { defineCommand } from '../command.ts';
import { commandTable } from '../command-table.ts';
import { completions, shells } from '../completion/index.ts';
import type { Shell } from '../completion/index.ts';

export const completion = defineCommand({
  name: 'completion',
  summary: 'Print or install shell completion.',
  arguments: [{ name: 'SHELL', summary: 'bash, zsh, fish or powershell', required: true, choices: shells }],
  flags: {},
  examples: [{ says: 'complete kurel in this bash', line: 'source <(kurel completion bash)' }],
  async run({ positionals: [shell], environment }) {
    const commands = await Promise.all(commandTable.map((entry) => entry.load()));
    environment.writeStdout(completions[shell as Shell](commands));
    return 0;
  },
});
