/** Three digits that mean something, in the unit that a reader thinks in. */
export function formatSeconds(seconds) {
  if (seconds < 1) return `${formatNumber(seconds * 1000)} ms`;
  return `${formatNumber(seconds)} s`;
}

export function formatNumber(number) {
  const rounded = Number(number.toPrecision(3));
  if (rounded >= 100) return Math.round(number).toLocaleString('en');
  if (rounded >= 10) return rounded.toFixed(1);
  return rounded >= 0.1 ? rounded.toFixed(2) : String(Number(number.toPrecision(2)));
}

/**
 * The cells of one row: wall time, user time, peak memory, time as a multiple of what kurel takes in the same case,
 * how often it was measured, remarks.
 */
export function formatRow(row, rows) {
  if (row.failed) return ['', '', '', '', '', 'failed'];
  const own = rows.find((other) => other.case === row.case && other.role === 'kurel');
  const more = row.stopped ? '> ' : '';
  const ratio = own === undefined || own === row ? '' : `${more}${formatNumber(row.seconds / own.seconds)} ×`;
  return [
    `${more}${formatSeconds(row.seconds)}`,
    row.user === undefined || row.stopped ? '' : formatSeconds(row.user),
    row.megabytes === undefined ? '' : `${more}${row.megabytes} MB`,
    ratio,
    String(row.rounds),
    row.stopped ? 'stopped' : (row.note ?? ''),
  ];
}

export function formatVerdict({ figure, most, unit, met, byUser }) {
  return {
    // One digit more than elsewhere, or a figure just above the limit would look like it.
    figure: `${Number(figure.toPrecision(figure < 1000 ? 4 : 5))} ${unit}`,
    most: `${Number(most.toPrecision(4))} ${unit}`,
    met: met ? 'met' : 'missed',
    remark: byUser === undefined ? '' : `${formatNumber(byUser)} × by user time`,
  };
}
