import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';

/** What a reader has to know to compare the figures with others, and nothing that names the machine. */
export function describeMachine({ root, peers }) {
  const { version } = JSON.parse(readFileSync(join(root, 'packages', 'kurel', 'package.json'), 'utf8'));
  return {
    system: process.platform,
    architecture: process.arch,
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    cores: cpus().length,
    gigabytes: Math.round(totalmem() / 2 ** 30),
    loadBefore: Number(loadavg()[0].toFixed(2)),
    programs: {
      kurel: version,
      node: process.versions.node,
      ...versionOf('helm', peers.helm, ['version', '--short']),
      ...versionOf('kustomize', peers.kustomize, ['version']),
      ...versionOf('kubeconform', peers.kubeconform, ['-v']),
      ...versionOf('helmfile', peers.helmfile, ['version', '--output', 'short']),
    },
  };
}

function versionOf(name, program, args) {
  if (program === undefined) return {};
  try {
    const printed = execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return { [name]: /\d+\.\d+\.\d+/.exec(printed)?.[0] ?? 'unknown' };
  } catch {
    return { [name]: 'unknown' };
  }
}
