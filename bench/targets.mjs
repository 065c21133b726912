/**
 * What kurel wants to be, and whether it is. A target gives a verdict for each case that was measured: the figure, what it may be
 * at most, and the unit of both; where it is a ratio of times, also that of user times, which a busy machine changes less. `reason`,
 * where a target has one, is why it is missed; the page shows it only then.
 */
const targets = [
  {
    target: 'a small application package, cold, takes at most 2 × node -e 0',
    judge: (find) => compare(find, { id: 'small-application', floor: 'node -e 0', most: 2 }),
  },
  {
    target: '10,000 resources with 50 patch files take at most 12 × JSON.parse + JSON.stringify of the same data',
    judge: (find) =>
      ['patch-10000', 'package-half-10000', 'package-all-10000'].flatMap((id) =>
        compare(find, { id, floor: 'JSON.parse + JSON.stringify', most: 12 }),
      ),
  },
  {
    target: '10,000 webservices take at most 0.1 ms of user time for each object',
    judge: (find) => {
      const row = find('webservices-10000');
      if (row?.user === undefined) return [];
      return [verdict({ row, figure: (row.user * 1000) / row.objects, most: 0.1, unit: 'ms' })];
    },
  },
  {
    target: 'memory is at most 4 × the size of the output text and 150 MB',
    judge: (find, rows) =>
      rows
        .filter(({ role, bytes, megabytes }) => role === 'kurel' && bytes > 1e6 && megabytes !== undefined)
        .map((row) => verdict({ row, figure: row.megabytes, most: (4 * row.bytes) / 2 ** 20 + 150, unit: 'MB' })),
  },
  {
    target: '10 × as many take at most 11 × as long',
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

function compare(find, { id, floor, most }) {
  const [row, lowest] = [find(id), find(id, floor)];
  if (row === undefined || lowest === undefined) return [];
  const byUser = row.user === undefined || !(lowest.user > 0) ? {} : { byUser: row.user / lowest.user };
  return [{ ...verdict({ row, figure: row.seconds / lowest.seconds, most, unit: '×' }), ...byUser }];
}

function verdict({ row, figure, most, unit }) {
  return { case: row.case, what: row.what, subject: row.subject, figure, most, unit, met: figure <= most };
}
