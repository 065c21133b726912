import type { FleetTarget } from '../../fleet/index.ts';
import type { Environment } from '../environment.ts';
import type { FleetJob } from './build-target.ts';
import { openWorkshop } from './workshop.ts';
import type { TargetWorkshop } from './workshop.ts';

/** What the process that started this one sends: first the job, then batches of targets. */
interface Message {
  readonly job?: FleetJob;
  readonly targets?: readonly FleetTarget[];
  /** Content of packages that is in no file, by digest. */
  readonly held?: ReadonlyMap<string, Uint8Array>;
}

/** Builds batches of targets for the process that started this one, until it disconnects. */
export async function serveTargets(environment: Environment): Promise<0> {
  let workshop: TargetWorkshop | undefined;
  let work = Promise.resolve();
  const handle = async ({ job, targets, held = new Map() }: Message): Promise<void> => {
    if (job !== undefined) workshop = openWorkshop(job, environment);
    workshop?.receive(held);
    if (targets === undefined) return;
    // The other process may have been stopped.
    const outcomes = await workshop!.build(targets, () => process.connected);
    if (!process.connected) return;
    process.send!(outcomes, undefined, undefined, () => undefined);
  };
  process.on('message', (message) => {
    work = work.then(() => handle(message as Message));
  });
  await new Promise<void>((resolve) => {
    process.on('disconnect', resolve);
  });
  await work;
  return 0;
}
