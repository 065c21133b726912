import { join } from 'node:path';

import { nodeFloor } from './floors.mjs';
import { measureInTurns, withoutCode } from './measure.mjs';
import { namedRuns } from './peers.mjs';
import { executableRuns, kurelRun, ltsRuns, peerRuns } from './runs.mjs';
import { writeSmall } from './write-small.mjs';

/** One small package of each form, cold, beside what others have for the same objects. */
export async function measureSmall(context) {
  const inputs = writeSmall(context);
  const { application, profile, gatewayProfile, chart, gatewayChart, kustomization, labelled, manifest, manifests } =
    inputs;
  const helm = peerRuns(context, { program: 'helm', args: ['template', chart] });
  const kustomize = (directory) => peerRuns(context, { program: 'kustomize', args: ['build', directory] });
  const overlay = kustomize(kustomization);
  const forms = [
    {
      id: 'manifest',
      form: 'manifest with a label',
      args: [manifest, '--label', 'bench=1'],
      names: [],
      peers: kustomize(labelled),
      objects: 1,
    },
    {
      form: 'directory of manifests',
      args: [manifests],
      names: ['manifests'],
      peers: kustomize(join(kustomization, 'plain')),
    },
    { form: 'patch package', args: [inputs.package], names: ['package'], peers: overlay },
    {
      form: 'application package',
      args: [application, '--profile', profile, '--set', 'replicas=4'],
      names: ['application', 'profile'],
      peers: helm,
    },
    {
      id: 'gateway',
      form: 'application package with a Gateway',
      args: [application, '--profile', gatewayProfile, '--set', 'replicas=4'],
      names: [],
      peers: peerRuns(context, { program: 'helm', args: ['template', gatewayChart] }),
    },
    // kurel has these two rendered by helm and kustomize.
    ...(helm.length === 0 ? [] : [{ form: 'chart', args: [chart], names: ['chart'], peers: helm }]),
    ...(overlay.length === 0
      ? []
      : [{ form: 'kustomization', args: [kustomization], names: ['kustomization'], peers: overlay }]),
  ];
  const rows = [];
  for (const { form, args, names, peers, id = names[0], objects = 4 } of forms) {
    const own = { args: ['build', ...args] };
    const bare = { ...own, subject: 'kurel build, no compiled code', role: 'variant', variables: withoutCode };
    const runs = [
      nodeFloor,
      kurelRun(context, own),
      ...executableRuns(context, own),
      ...ltsRuns(context, own),
      kurelRun(context, bare),
      ...peers,
      ...namedRuns(context, Object.fromEntries(names.map((name) => [name, inputs[name]]))),
    ];
    const what = `one small ${form}, cold`;
    rows.push(...(await measureInTurns(context, { id: `small-${id}`, what, runs, rounds: 25, objects })));
  }
  return rows;
}
