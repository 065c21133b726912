import { defineCommand } from '../command.ts';
import { kurelVersion } from '../kurel-version.ts';

export const version = defineCommand({
  name: 'version',
  summary: 'Print the versions of kurel and Node.',
  arguments: [],
  flags: {},
  async run({ environment }) {
    environment.writeStdout(`kurel ${kurelVersion} (node ${process.version}, ${process.platform}-${process.arch})\n`);
    return 0;
  },
});
