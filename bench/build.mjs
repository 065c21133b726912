import { join } from 'node:path';

import { nodeFloor, prepareJson } from './floors.mjs';
import { generateConfigMaps, generateObjects } from './generate-objects.mjs';
import { measureInTurns, withoutCode } from './measure.mjs';
import { namedRuns } from './peers.mjs';
import { executableRuns, kurelRun, ltsRuns, peerRuns } from './runs.mjs';
import { writeTree } from './write-tree.mjs';

const label = ['--label', 'bench=1'];

/**
 * One label on every object, beside kustomize with the same label on the same objects. Newer versions of Node warm up faster, which
 * is most of the time at 1,000 objects.
 */
export async function measureBuild(context) {
  const rows = [];
  for (const { count, rounds, size = '', generate = generateObjects } of [
    { count: 1000, rounds: 9 },
    { count: 10_000, rounds: 5 },
    { count: 10_000, rounds: 5, size: 'small ', generate: generateConfigMaps },
    { count: 100_000, rounds: 5, size: 'small ', generate: generateConfigMaps },
  ]) {
    const id = `build-${size.trim()}${count}`;
    const { kustomization, manifests } = writeInput(join(context.out, id), generate(count));
    const build = ['build', manifests];
    const variant = (subject, args, more) =>
      kurelRun(context, { args: [...build, ...args], subject: `kurel build, ${subject}`, role: 'variant', ...more });
    const { floor, objects } = prepareJson(context, { id, args: [manifests, ...label] });
    const runs = [
      nodeFloor,
      floor,
      kurelRun(context, { args: [...build, ...label] }),
      variant('no compiled code', label, { variables: withoutCode }),
      variant('no change', []),
      variant('not validated', [...label, '--no-validate']),
      ...ltsRuns(context, { args: [...build, ...label] }),
      ...executableRuns(context, { args: [...build, ...label] }),
      // It takes minutes for a tenth of the largest input.
      ...(size !== '' ? [] : peerRuns(context, { program: 'kustomize', args: ['build', kustomization] })),
      ...namedRuns(context, { kustomization, manifests }),
    ];
    const what = `${count.toLocaleString('en')} ${size}manifests, one label on each`;
    rows.push(...(await measureInTurns(context, { id, what, runs, rounds, objects })));
  }
  return rows;
}

function writeInput(kustomization, text) {
  writeTree(kustomization, {
    'manifests/objects.yaml': text,
    'kustomization.yaml':
      'resources: [manifests/objects.yaml]\nlabels:\n  - pairs: { bench: "1" }\n    includeSelectors: false\n',
  });
  return { kustomization, manifests: join(kustomization, 'manifests') };
}
