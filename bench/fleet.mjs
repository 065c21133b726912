import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

import { checkTargets, forgetFleet, removeOld } from './fleet-output.mjs';
import { measureInTurns } from './measure.mjs';
import { kurelRun } from './runs.mjs';
import {
  helmArguments,
  objectsPerTarget,
  profileOf,
  readFleetSize,
  valuesOf,
  writeFleet,
  writeHelmfile,
  writeSingle,
} from './write-fleet.mjs';

/** How many targets helm and helmfile build: enough for a stable time per target. */
const mostForPeers = 50;

/**
 * A fleet of applications and clusters: everything, nothing, one target, and the 100 targets of an application or a cluster are built.
 * `KUREL_BENCH_FLEET=10x10` makes it smaller.
 */
export async function measureFleet(context) {
  const size = readFleetSize();
  const fleet = writeFleet(join(context.out, 'fleet'), size);
  const count = fleet.pairs.length;
  const args = ['fleet', 'build', '--fleet', fleet.file('kurel.fleet.yaml')];
  const whole = `${count.toLocaleString('en')} targets of ${objectsPerTarget} objects`;
  const measure = (name, { what, prepare, rounds }) => {
    const check = () => checkTargets(fleet, [fleet.pairs[0], fleet.pairs.at(-1)]);
    const run = kurelRun(context, { args, prepare, subject: 'kurel fleet build', printsObjects: false, check });
    const runs = [{ ...run, allProcesses: true }];
    return measureInTurns(context, { id: `fleet-${name}-${count}`, what: `${whole}, ${what}`, runs, rounds });
  };
  let round = 0;
  const change = (path, write) => () => {
    round += 1;
    writeFileSync(fleet.file(path), write(round));
  };
  const rows = [
    await measure('build', { what: 'nothing cached', prepare: () => forgetFleet(context, fleet), rounds: 1 }),
    await measure('unchanged', { what: 'nothing changed', rounds: 5 }),
    await measure('single', {
      what: 'a values file of one target changed',
      prepare: change('single/values.yaml', (at) => writeSingle(`level-${at}`)),
      rounds: 5,
    }),
    await measure('application', {
      what: `the values file of an application changed (${size.clusters} targets)`,
      prepare: change('apps/app-0/values.yaml', (at) => valuesOf(1 + (at % 4))),
      rounds: 5,
    }),
    await measure('profile', {
      what: `the profile of a cluster changed (${size.applications} targets)`,
      prepare: change('clusters/cluster-0/profile.yaml', (at) => profileOf('cluster-0', `issuer-${at}`)),
      rounds: 5,
    }),
  ].flat();
  const all = [...rows, ...(await measurePeers(context, fleet, rows[0]))];
  removeOld(context);
  return all;
}

/** The time per target, beside one process of helm per target, as many at a time as there are cores, and beside helmfile. */
async function measurePeers(context, { pairs, file }, own) {
  const { helm, helmfile } = context.peers;
  if (helm === undefined) return [];
  const some = pairs.slice(0, mostForPeers);
  const [list, releases] = [file('helm-arguments'), file('helmfile.yaml')];
  writeFileSync(list, `${some.map((pair) => helmArguments(pair, file).join(' ')).join('\n')}\n`);
  writeFileSync(releases, writeHelmfile(some));
  const script = 'xargs -P "$1" -L 1 "$2" template < "$3"';
  const peer = { role: 'peer', printsObjects: true, allProcesses: true };
  const runs = [
    {
      ...peer,
      subject: 'helm template',
      command: 'sh',
      args: ['-c', script, 'sh', String(availableParallelism()), helm, list],
    },
    ...(helmfile === undefined
      ? []
      : [
          {
            ...peer,
            subject: 'helmfile template',
            command: helmfile,
            args: ['--file', releases, '--helm-binary', helm, '--quiet', 'template', '--skip-deps'],
          },
        ]),
  ];
  const [id, what] = ['fleet-per-target', `per target of ${objectsPerTarget} objects`];
  const objects = some.length * objectsPerTarget;
  const measured = await measureInTurns(context, { id, what, runs, rounds: 3, objects });
  return [
    { ...own, case: id, what, ...perTarget(own, pairs.length) },
    ...measured.map((row) => Object.assign({}, row, perTarget(row, some.length))),
  ];
}

function perTarget({ seconds, user, failed }, targets) {
  if (failed) return {};
  return { seconds: seconds / targets, objects: objectsPerTarget, ...(user !== undefined && { user: user / targets }) };
}
