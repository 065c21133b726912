import { join } from 'node:path';

import { nodeFloor, prepareJson } from './floors.mjs';
import { measureInTurns } from './measure.mjs';
import { namedRuns } from './peers.mjs';
import { executableRuns, kurelRun, ltsRuns, peerRuns } from './runs.mjs';
import { writeApplication } from './write-application.mjs';
import { writeChart } from './write-chart.mjs';

/** 100, 1,000 and 10,000 webservices, each with expose, beside a chart that gives the same objects. */
export async function measureApplication(context) {
  const rows = [];
  for (const [count, rounds] of [
    [100, 9],
    [1000, 20],
    [10_000, 20],
  ]) {
    const id = `webservices-${count}`;
    const directory = join(context.out, id);
    const { application, profile } = writeApplication(directory, count);
    const { chart } = writeChart(directory, count);
    const build = [application, '--profile', profile];
    const { floor, objects } = prepareJson(context, { id, args: build });
    const what = `${count.toLocaleString('en')} webservices with expose, ${objects.toLocaleString('en')} objects`;
    const runs = [
      nodeFloor,
      floor,
      kurelRun(context, { args: ['build', ...build] }),
      ...executableRuns(context, { args: ['build', ...build] }),
      ...ltsRuns(context, { args: ['build', ...build] }),
      ...peerRuns(context, { program: 'helm', args: ['template', chart] }),
      ...namedRuns(context, { application, profile, chart }),
    ];
    rows.push(...(await measureInTurns(context, { id, what, runs, rounds, objects })));
  }
  return rows;
}
