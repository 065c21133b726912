import { join } from 'node:path';

import { nodeFloor } from './floors.mjs';
import { measureInTurns, withoutCode } from './measure.mjs';
import { namedRuns } from './peers.mjs';
import { executableRuns, kurelRun, peerRuns } from './runs.mjs';
import { writeSmall } from './write-small.mjs';

/** One small package of each form, cold, beside what others have for the same objects. */
export async function measureSmall(context) {
  const inputs = writeSmall(context);
  const { application, profile, chart, kustomization, manifests } = inputs;
  const helm = peerRuns(context, { program: 'helm', args: ['template', chart] });
  const overlay = peerRuns(context, { program: 'kustomize', args: ['build', kustomization] });
  const plain = peerRuns(context, { program: 'kustomize', args: ['build', join(kustomization, 'plain')] });
  const forms = [
    { form: 'directory of manifests', args: [manifests], names: ['manifests'], peers: plain },
    { form: 'patch package', args: [inputs.package], names: ['package'], peers: overlay },
    {
      form: 'application package',
      args: [application, '--profile', profile, '--set', 'replicas=4'],
      names: ['application', 'profile'],
      peers: helm,
    },
    // kurel has these two rendered by helm and kustomize.
    ...(helm.length === 0 ? [] : [{ form: 'chart', args: [chart], names: ['chart'], peers: helm }]),
    ...(overlay.length === 0
      ? []
      : [{ form: 'kustomization', args: [kustomization], names: ['kustomization'], peers: overlay }]),
  ];
  const rows = [];
  for (const { form, args, names, peers } of forms) {
    const own = { args: ['build', ...args] };
    const bare = { ...own, subject: 'kurel build, no compiled code', role: 'variant', variables: withoutCode };
    const runs = [
      nodeFloor,
      kurelRun(context, own),
      ...executableRuns(context, own),
      kurelRun(context, bare),
      ...peers,
      ...namedRuns(context, Object.fromEntries(names.map((name) => [name, inputs[name]]))),
    ];
    const id = `small-${names[0]}`;
    rows.push(
      ...(await measureInTurns(context, { id, what: `one small ${form}, cold`, runs, rounds: 25, objects: 4 })),
    );
  }
  return rows;
}
