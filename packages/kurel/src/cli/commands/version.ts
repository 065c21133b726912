import { defineCommand, switchFlag } from '../command.ts';
import { kurelVersion } from '../kurel-version.ts';

export const version = defineCommand({
  name: 'version',
  arguments: [],
  flags: { json: switchFlag('Print JSON.') },
  async run({ flags, environment }) {
    const { platform, arch } = process;
    const [runtime, runtimeVersion] = findRuntime();
    environment.writeStdout(
      flags.json
        ? `${JSON.stringify({ version: kurelVersion, runtime, runtimeVersion, platform, arch }, undefined, 2)}\n`
        : `kurel ${kurelVersion} (${runtime} ${runtimeVersion}, ${platform}-${arch})\n`,
    );
    return 0;
  },
});

/** The standalone executable brings Bun. */
function findRuntime(): readonly [name: string, version: string] {
  const { bun } = process.versions;
  return bun === undefined ? ['node', process.version] : ['bun', bun];
}
