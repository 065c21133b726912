import { formatNumber, formatRow, formatSeconds } from './format-figures.mjs';
import { suiteTitles } from './suite-titles.mjs';

/** A section with a table for each suite that has one of these rows; ratios are relative to kurel's row among all rows. */
export function writeSections(some, rows) {
  return Object.entries(suiteTitles)
    .map(([suite, title]) => ({ title, own: some.filter((row) => row.suite === suite) }))
    .filter(({ own }) => own.length > 0)
    .map(({ title, own }) => `### ${title}\n\n${writeRows(own, rows)}`)
    .join('\n\n');
}

function writeRows(some, rows) {
  const lines = [];
  let before;
  for (const row of some) {
    const what = row.case === before ? '' : escapeCell(row.what);
    before = row.case;
    const cells = [row.subject, ...formatRow(row, rows)].map(escapeCell);
    const shown = row.role === 'kurel' ? cells.map((cell) => (cell === '' ? '' : `**${cell}**`)) : cells;
    lines.push(`| ${[what, ...shown].join(' | ')} |`);
  }
  return `| input | program | wall | user | memory | × kurel | rounds | |\n|---|---|--:|--:|--:|--:|--:|---|\n${lines.join('\n')}`;
}

/**
 * One line for each program that kurel is compared with in these cases: kurel's time, the other time, and their ratio. Runs on one
 * core are left out, because kurel's time is that on all cores.
 */
export function writeSummary(cases, rows) {
  const lines = cases.flatMap((id) => {
    const own = rows.find((row) => row.case === id && row.role === 'kurel');
    return rows
      .filter(
        (row) =>
          own !== undefined &&
          row.case === id &&
          row.role === 'peer' &&
          !row.failed &&
          !row.subject.endsWith(', one core'),
      )
      .map((row, at) => {
        const [time, , , ratio] = formatRow(row, rows);
        const [what, seconds] = at === 0 ? [escapeCell(own.what), formatSeconds(own.seconds)] : ['', ''];
        return `| ${[what, seconds, escapeCell(row.subject), escapeCell(time), escapeCell(ratio)].join(' | ')} |`;
      });
  });
  return `| input | kurel | compared with | its time | × kurel |\n|---|--:|---|--:|--:|\n${lines.join('\n')}`;
}

/** The same with kurel's executable before kurel on Node: for small input, the start of a runtime decides. */
export function writeSmallSummary(cases, rows) {
  const lines = cases.flatMap((id) => {
    const own = rows.find((row) => row.case === id && row.role === 'kurel');
    const executable = rows.find((row) => row.case === id && row.subject.endsWith(', executable'));
    if (own === undefined) return [];
    const peers = rows.filter((row) => row.case === id && row.role === 'peer' && !row.failed);
    return peers.map((row, at) => {
      const [what, fast, slow] =
        at === 0
          ? [escapeCell(own.what), formatSeconds(executable?.seconds), formatSeconds(own.seconds)]
          : ['', '', ''];
      const ratios = [executable, own].map((one) =>
        one === undefined ? '' : `${formatNumber(row.seconds / one.seconds)} ×`,
      );
      return `| ${[what, fast, slow, escapeCell(row.subject), formatSeconds(row.seconds), ...ratios].join(' | ')} |`;
    });
  });
  const head = '| input | kurel | on Node | compared with | its time | × kurel | × kurel on Node |';
  return `${head}\n|---|--:|--:|---|--:|--:|--:|\n${lines.join('\n')}`;
}

export function escapeCell(text) {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
}
