import { measureInTurns, withoutCode } from './measure.mjs';

export async function measureStartUp({ kurel }) {
  const node = process.execPath;
  const [floor, version, bare, help] = await measureInTurns(
    [
      [node, ['-e', '0']],
      [node, [kurel, 'version']],
      [node, [kurel, 'version'], withoutCode],
      [node, [kurel, 'help', 'build']],
    ],
    40,
  );
  const against = (result) => `${(result.seconds / floor.seconds).toFixed(2)} × node -e 0`;
  return [
    { what: 'start-up', subject: 'node -e 0', ...floor },
    { what: 'start-up', subject: 'kurel version', ...version, ratio: against(version) },
    { what: 'start-up', subject: 'kurel version, no compiled code', ...bare, ratio: against(bare) },
    { what: 'start-up', subject: 'kurel help build', ...help, ratio: against(help) },
  ];
}
