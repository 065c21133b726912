/**
 * Performance targets. A target gives a verdict for each measured case: the figure, its maximum, and the unit of both. A ratio of
 * wall times also has the ratio of user times, which depends less on the load of the machine. `reason` explains why a target is
 * missed; the page shows it only then.
 */
const targets = [
  ...[
    { id: 'start-up', what: 'kurel version', own: 'kurel version, executable', floor: 'node -e 0', most: 0.4 },
    { id: 'small-application', what: 'a small application package', floor: 'helm template', most: 0.6 },
    { id: 'small-gateway', what: 'a small application package with a Gateway', floor: 'helm template', most: 0.8 },
    { id: 'small-manifest', what: 'one manifest with a label', floor: 'kustomize build', most: 1.5 },
    { id: 'small-package', what: 'a small patch package', floor: 'kustomize build', most: 2 },
    {
      id: 'validate-1',
      what: 'one Deployment validated',
      own: 'kurel validate, executable',
      floor: 'kubeconform -strict',
      most: 0.8,
    },
  ].map(({ id, what, own = 'kurel build, executable', floor, most }) => ({
    target: `${what}, executable, takes at most ${most} × ${floor}`,
    reason:
      'A profile of one manifest shows 5.6 ms until the first function of a command runs (Bun itself needs 3.5), 4.7 ms for loading the code ' +
      'of a build, 4.3 ms for validating and 2.3 ms for printing a warning; an application adds composing. The rest is flat: some 1,450 ' +
      'functions run for the first time. Without its compilers to machine code, Bun takes 6 to 8 % less for small builds, but large ones ' +
      'need them. Programs in Go are machine code from the start.',
    judge: (find) => compare(find, { id, own, floor, most }),
  })),
  ...[
    { id: 'small-application', what: 'a small application package', most: 2.2 },
    { id: 'validate-1', what: 'one Deployment validated', most: 2 },
  ].map(({ id, what, most }) => ({
    target: `${what}, on Node, takes at most ${most} × node -e 0`,
    reason:
      'Beyond node -e 0, a profile shows 6 to 9 ms for reading the code that V8 compiled in earlier runs, 2.5 to 4 for regular ' +
      'expressions, 3.5 to 6.5 for object literals, 3 to 7 for learning the shapes of objects, 5 for functions of Node itself, and 2 for the ' +
      'flag without which 100 manifests take 60 % more. Each function runs only a few times, so V8 never optimizes it, and no single part ' +
      'is large enough to reach the target by removing it. Node can start from a snapshot of a loaded program, but only with a flag on the ' +
      'command line.',
    judge: (find) => compare(find, { id, floor: 'node -e 0', most }),
  })),
  ...[
    { id: 'webservices-1000', what: '1,000 webservices', most: 0.55 },
    { id: 'webservices-10000', what: '10,000 webservices', most: 0.38 },
  ].map(({ id, what, most }) => ({
    target: `${what} take at most ${most} × helm template`,
    reason:
      'A profile is flat: composing takes 42 % (components 13, traits 12, inspecting objects 8), validating 22 %, garbage collection 16 to ' +
      '20 %, writing 8 %, reading app.yaml 4 %, and no line of code more than 2.5 %. 1,000 webservices spend a seventh of their time ' +
      'starting, and call most functions before V8 optimizes them.',
    judge: (find) => compare(find, { id, floor: 'helm template', most }),
  })),
  ...[{ id: 'webservices-10000', what: '10,000 webservices', floor: 'helm template', most: 0.8 }].map(
    ({ id, what, floor, most }) => ({
      target: `${what} take at most ${most} × the memory of ${floor}`,
      judge: (find) => compareMemory(find, { id, floor, most }),
    }),
  ),
  {
    target: '10,000 manifests with 50 patch files take at most 205 MB',
    judge: (find) => {
      const row = find('patch-10000');
      return row?.megabytes === undefined ? [] : [verdict({ row, figure: row.megabytes, most: 205, unit: 'MB' })];
    },
  },
  {
    target: '100,000 small manifests with one label take at most 5 × the time and 3.3 × the memory of 10,000',
    judge: (find) => {
      const [row, few] = [find('build-small100000'), find('build-small10000')];
      if (row === undefined || few === undefined) return [];
      return [
        verdict({ row, figure: row.seconds / few.seconds, most: 5, unit: '×' }),
        verdict({ row, figure: row.megabytes / few.megabytes, most: 3.3, unit: '×' }),
      ];
    },
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
      'Live memory at the peak is much lower, measured by collecting garbage between the stages: 89 MB with 50 patch files on 10,000 ' +
      'manifests, 110 MB for 10,000 webservices. The rest is space that V8 reserves for young objects, and garbage that it has not collected ' +
      'yet. If you need less memory, pass --max-semi-space-size=4 --heap-growing-percent=50 to Node: V8 collects sooner, and takes up to a ' +
      'fifth more time.',
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

function compareMemory(find, { id, floor, most }) {
  const [row, peer] = [find(id), find(id, floor)];
  if (row?.megabytes === undefined || peer?.megabytes === undefined) return [];
  return [verdict({ row, figure: row.megabytes / peer.megabytes, most, unit: '×' })];
}

function verdict({ row, figure, most, unit }) {
  return { case: row.case, what: row.what, subject: row.subject, figure, most, unit, met: figure <= most };
}
