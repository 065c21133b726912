import { defineCommand, switchFlag } from '../command.ts';
import { kurelVersion } from '../kurel-version.ts';

export const version = defineCommand({
  name: 'version',
  arguments: [],
  flags: { json: switchFlag('Print JSON.') },
  readsNothing: true,
  async run({ flags }) {
    const { platform, arch } = process;
    // The standalone executable brings Bun.
    const { bun } = process.versions;
    const [runtime, runtimeVersion] = bun === undefined ? ['node', process.version] : ['bun', bun];
    return {
      stdout: flags.json
        ? `${JSON.stringify({ version: kurelVersion, runtime, runtimeVersion, platform, arch }, undefined, 2)}\n`
        : `kurel ${kurelVersion} (${runtime} ${runtimeVersion}, ${platform}-${arch})\n`,
    };
  },
});
