import type { FleetJob } from '../src/cli/fleet/build-target.ts';
import { openTargetBuilder } from '../src/cli/fleet/run-targets.ts';
import type { TargetBuilder } from '../src/cli/fleet/run-targets.ts';
import type { Environment, WorkerProcess } from '../src/cli/environment.ts';
import type { FleetTarget } from '../src/fleet/index.ts';

interface Message {
  readonly job?: FleetJob;
  readonly targets?: readonly FleetTarget[];
  readonly held?: ReadonlyMap<string, Uint8Array>;
}

interface Interference extends Partial<Pick<Environment, 'variables'>> {
  /** A target that stops the process. */
  readonly stopsAt?: string;
  /** Called when a batch is built, before its results are sent. */
  readonly onBuilt?: () => void;
}

/** A process that builds targets like a real one, with something that goes wrong. */
export function startFakeWorker(
  workingDirectory: string,
  { stopsAt, onBuilt, ...surroundings }: Interference,
): WorkerProcess {
  let builder: TargetBuilder | undefined;
  let onMessage: (message: unknown) => void = () => undefined;
  let onExit: (reason: string) => void = () => undefined;
  const build = async (targets: readonly FleetTarget[]): Promise<void> => {
    if (targets.some(({ name }) => name === stopsAt)) return onExit('signal SIGKILL');
    const outcomes = await builder!.build(targets);
    onBuilt?.();
    onMessage(outcomes);
  };
  return {
    send(message) {
      // As between processes: nothing is shared.
      const { job, targets, held = new Map() } = structuredClone(message) as Message;
      if (job !== undefined) builder = openTargetBuilder(job, { ...silent, ...surroundings, workingDirectory });
      builder?.receive(held);
      if (targets !== undefined) setImmediate(() => void build(targets));
    },
    onMessage: (handler) => void (onMessage = handler),
    onExit: (handler) => void (onExit = handler),
    stop: () => setImmediate(() => onExit('stopped')),
  };
}

const silent: Omit<Environment, 'workingDirectory'> = {
  variables: { PATH: process.env['PATH'] },
  stdoutIsTerminal: false,
  stderrIsTerminal: false,
  toolsDirectories: [],
  readStdin: async () => '',
  writeStdout: () => undefined,
  writeStderr: () => undefined,
};
