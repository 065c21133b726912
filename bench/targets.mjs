/**
 * Performance targets. A target gives a verdict for each measured case: the figure, its maximum, and the unit of both. A ratio of
 * wall times also has the ratio of user times, which depends less on the load of the machine. `reason` explains why a target is
 * missed; the page shows it only then.
 */
const targets = [
  {
    target: 'kurel version, executable, takes at most as long as node -e 0',
    judge: (find) => compare(find, { id: 'start-up', own: 'kurel version, executable', floor: 'node -e 0', most: 1 }),
  },
  {
    target: 'a small application package, cold, executable, takes at most 0.8 × helm template',
    reason:
      'The executable spends about as much time on compiling functions to machine code as on running them: Bun compiles each function that is ' +
      'called some ten times, on other threads but with the same cores. Without that, it would take about two thirds of the time (see ' +
      'dependencies.md), but an executable cannot carry such a setting. Since 0.1.0, the same build also validates what it writes.',
    judge: (find) =>
      compare(find, {
        id: 'small-application',
        own: 'kurel build, executable',
        floor: 'helm template',
        most: 0.8,
      }),
  },
  {
    target: 'a small application package, cold, takes at most 2.5 × node -e 0',
    reason:
      'Beyond node -e 0, a profile shows about a third of the time in loading the code that V8 compiled in earlier runs (1.7 MB) and in ' +
      'running the modules once, a third in composing the application, and the rest in reading schemas, checking pods, printing, and setting a ' +
      'flag of V8. Each part runs only once, so V8 never optimises it, and no single part is large enough to reach the target by ' +
      'removing it. Node can start from a snapshot of a loaded program, but only with a flag on the node command line.',
    judge: (find) => compare(find, { id: 'small-application', floor: 'node -e 0', most: 2.5 }),
  },
  {
    target: '10,000 resources with 50 patch files take at most 12 × JSON.parse + JSON.stringify of the same data',
    judge: (find) =>
      ['patch-10000', 'package-half-10000', 'package-all-10000'].flatMap((id) =>
        compare(find, { id, floor: 'JSON.parse + JSON.stringify', most: 12 }),
      ),
  },
  {
    target: '10,000 webservices take at most 0.1 ms of user time per object',
    judge: (find) => {
      const row = find('webservices-10000');
      if (row?.user === undefined) return [];
      return [verdict({ row, figure: (row.user * 1000) / row.objects, most: 0.1, unit: 'ms' })];
    },
  },
  {
    target: '10,000 manifests with one label take at most 1.6 × the user time of --no-validate',
    judge: (find) => {
      const [row, unvalidated] = [find('build-10000'), find('build-10000', 'kurel build, not validated')];
      if (row?.user === undefined || !(unvalidated?.user > 0)) return [];
      return [verdict({ row, figure: row.user / unvalidated.user, most: 1.6, unit: '×' })];
    },
  },
  ...[
    { id: 'fleet-build-10000', state: 'nothing cached', most: 60 },
    { id: 'fleet-unchanged-10000', state: 'nothing changed', most: 2 },
    { id: 'fleet-single-10000', state: 'a values file of one target changed', most: 2 },
    { id: 'fleet-profile-10000', state: 'the profile of a cluster changed', most: 3 },
  ].map(({ id, state, most }) => ({
    target: `a fleet of 10,000 targets, ${state}, takes at most ${most} s on two cores`,
    judge: (find) => {
      const row = find(id);
      return row === undefined ? [] : [verdict({ row, figure: row.seconds, most, unit: 's' })];
    },
  })),
  {
    target: 'a fleet of 10,000 targets takes at most 600 MB in all processes together',
    judge: (find) => {
      const row = find('fleet-build-10000');
      return row?.megabytes === undefined ? [] : [verdict({ row, figure: row.megabytes, most: 600, unit: 'MB' })];
    },
  },
  {
    target: 'a target of a fleet takes at most a sixth of the time of helm template and of helmfile template',
    judge: (find) =>
      ['helm template', 'helmfile template'].flatMap((floor) =>
        compare(find, { id: 'fleet-per-target', floor, most: 1 / 6 }),
      ),
  },
  {
    target: 'in a workspace, the second build of a small application takes at most 0.2 × the first',
    judge: (find) => compare(find, { id: 'workspace', floor: 'the first build', most: 0.2 }),
  },
  {
    target: 'after 10,000 builds a workspace holds at most 1.05 × the memory that it holds after 1,000',
    judge: (find) => {
      const [row, few] = [find('workspace-heap'), find('workspace-heap', 'after 1,000 builds')];
      if (row === undefined || few === undefined) return [];
      return [verdict({ row, figure: row.megabytes / few.megabytes, most: 1.05, unit: '×' })];
    },
  },
  {
    target: 'memory is at most 150 MB plus 4 × the size of the output',
    reason:
      'Live memory at the peak is much lower, measured by collecting garbage between the stages: 98 MB with 50 patch files on 10,000 ' +
      'manifests, 110 MB for 10,000 webservices, 148 MB for 10,000 commented documents (52 MB of that are 30,000 parsed patches). The rest is ' +
      'space that V8 reserves for young objects, and garbage that it has not collected yet. With --max-semi-space-size=4 ' +
      '--heap-growing-percent=50, V8 collects sooner: the webservices take 241 MB and a fifth more time. If you need less memory, pass ' +
      'these flags to Node.',
    judge: (find, rows) =>
      rows
        .filter(({ role, bytes, megabytes }) => role === 'kurel' && bytes > 1e6 && megabytes !== undefined)
        .map((row) => verdict({ row, figure: row.megabytes, most: (4 * row.bytes) / 2 ** 20 + 150, unit: 'MB' })),
  },
  {
    target: '10 × the input takes at most 11 × the time',
    judge: (find, rows) =>
      rows
        .filter(({ role, case: id }) => role === 'kurel' && /(?<!\d)10000$/.test(id))
        .flatMap((row) => {
          const few = find(row.case.replace(/0$/, ''));
          return few === undefined ? [] : [verdict({ row, figure: row.seconds / few.seconds, most: 11, unit: '×' })];
        }),
  },
];

export function judgeTargets(rows) {
  const find = (id, subject) =>
    rows.find((row) => row.case === id && (subject === undefined ? row.role === 'kurel' : row.subject === subject));
  return targets
    .map(({ target, reason, judge }) => ({ target, reason, verdicts: judge(find, rows) }))
    .filter(({ verdicts }) => verdicts.length > 0);
}

function compare(find, { id, own, floor, most }) {
  const [row, lowest] = [find(id, own), find(id, floor)];
  if (row === undefined || lowest?.seconds === undefined) return [];
  const byUser = row.user === undefined || !(lowest.user > 0) ? {} : { byUser: row.user / lowest.user };
  return [{ ...verdict({ row, figure: row.seconds / lowest.seconds, most, unit: '×' }), ...byUser }];
}

function verdict({ row, figure, most, unit }) {
  return { case: row.case, what: row.what, subject: row.subject, figure, most, unit, met: figure <= most };
}
