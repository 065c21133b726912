import { nodeFloor } from './floors.mjs';
import { measureInTurns, withoutCode } from './measure.mjs';
import { namedRuns } from './peers.mjs';
import { executableRuns, kurelRun, ltsRuns, peerRuns } from './runs.mjs';

/** Programs that print their version or help. */
export async function measureStartUp(context) {
  const own = { args: ['version'], printsObjects: false };
  const variant = { ...own, role: 'variant' };
  return measureInTurns(context, {
    id: 'start-up',
    what: 'start-up',
    rounds: 40,
    runs: [
      nodeFloor,
      kurelRun(context, own),
      ...executableRuns(context, own),
      ...ltsRuns(context, own),
      kurelRun(context, { ...variant, subject: 'kurel version, no compiled code', variables: withoutCode }),
      kurelRun(context, { ...variant, args: ['help', 'build'], subject: 'kurel help build' }),
      ...peerRuns(context, { ...own, program: 'helm' }),
      ...peerRuns(context, { ...own, program: 'kustomize' }),
      ...peerRuns(context, { ...own, program: 'kubeconform', args: ['-v'] }),
      ...namedRuns(context, {}),
    ],
  });
}
