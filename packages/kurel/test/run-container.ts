import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';

export interface ContainerSettings {
  /** The command and its arguments. */
  readonly words: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
  readonly directory: string;
  readonly hostname: string;
  readonly user: number;
}

export interface Container {
  readonly kill: (signal: NodeJS.Signals) => void;
  /** The exit code, 128 more than the number of the signal that ended it. */
  readonly ended: Promise<number>;
  readonly hasEnded: () => boolean;
}

const namespaces = ['--pid', '--fork', '--kill-child', '--mount-proc', '--uts'];
const isRoot = process.getuid?.() === 0;

/** Whether containers have process numbers, a host name and a user of their own, as in a cluster. Not everybody may start such processes. */
export const isIsolating = isRoot && spawnSync('unshare', [...namespaces, 'true']).status === 0;

/** Runs a command as a container runtime does, except for its files, which are those of this machine. It is process 1. */
export function runContainer({ words, variables, directory, hostname, user }: ContainerSettings): Container {
  const named = ['sh', '-c', 'echo "$0" > /proc/sys/kernel/hostname && exec "$@"', hostname];
  const as = ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups', '--pdeathsig=KILL'];
  const [file, ...args] = isIsolating ? ['unshare', ...namespaces, ...named, ...as, ...words] : words;
  const child = spawn(file!, args, { cwd: directory, env: variables, stdio: 'ignore' });
  let isKilled = false;
  const ended = new Promise<number>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      const sent = isKilled ? 'SIGKILL' : signal;
      resolve(sent === null ? code! : 128 + constants.signals[sent]);
    });
  });
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  return {
    ended,
    hasEnded,
    kill: (signal) => {
      if (hasEnded()) return;
      // Some versions of unshare exit with 1 if the process that they started was killed.
      isKilled ||= signal === 'SIGKILL';
      if (!isIsolating) child.kill(signal);
      else for (const pid of childrenOf(child.pid!)) process.kill(pid, signal);
    },
  };
}

/** What the process that made the namespaces has started: process 1. */
function childrenOf(pid: number): readonly number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}
