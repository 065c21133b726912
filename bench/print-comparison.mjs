import { formatNumber, formatSeconds } from './format-figures.mjs';
import { printTable } from './print-table.mjs';

const mostTime = 1.1;
const mostMemory = 1.05;

/** Every row beside that of the earlier program: medians, ratios, and which of them are worse than noise explains. */
export function printComparison(rows, revision) {
  const pairs = rows
    .filter(({ role }) => role !== 'earlier')
    .map((now) => ({ now, earlier: rows.find((row) => isEarlier(row, now)) }));
  const lines = pairs.map((pair) => [pair.now.what, pair.now.subject, ...formatPair(pair)]);
  const [time, memory] = ['wall', 'memory'].map((figure) => `${figure} at ${revision}`);
  printTable([['case', 'program', time, 'now', '×', 'user ×', memory, 'now', '×', ''], ...lines]);
  const worse = pairs.filter((pair) => judge(pair).length > 0).length;
  console.log(`\n${worse} of ${pairs.length} rows over ${mostTime} × the time or ${mostMemory} × the memory`);
}

function isEarlier(row, now) {
  return row.role === 'earlier' && row.case === now.case && row.subject === now.subject;
}

function formatPair({ now, earlier }) {
  if (earlier.failed) return ['failed', formatSeconds(now.seconds), '', '', '', formatMemory(now), '', ''];
  return [
    formatSeconds(earlier.seconds),
    formatSeconds(now.seconds),
    formatRatio(now.seconds, earlier.seconds),
    formatRatio(now.user, earlier.user),
    formatMemory(earlier),
    formatMemory(now),
    formatRatio(now.medianMegabytes, earlier.medianMegabytes),
    judge({ now, earlier }).join(', '),
  ];
}

function judge({ now, earlier }) {
  return [
    ...(now.seconds / earlier.seconds > mostTime ? ['SLOWER'] : []),
    ...(now.medianMegabytes / earlier.medianMegabytes > mostMemory ? ['MORE MEMORY'] : []),
  ];
}

function formatMemory({ medianMegabytes }) {
  return medianMegabytes === undefined ? '' : `${medianMegabytes} MB`;
}

function formatRatio(now, earlier) {
  return now === undefined || !(earlier > 0) ? '' : formatNumber(now / earlier);
}
