import { formatRow, formatVerdict } from './format-figures.mjs';

export function printReport({ rows, targets }) {
  const all = rows.map((row) => [row.what, row.subject, ...formatRow(row, rows)]);
  printTable([['case', 'program', 'wall', 'user', 'memory', '× kurel', 'rounds', ''], ...all]);
  for (const { target, verdicts } of targets) {
    console.log(`\n${target}`);
    printTable(
      verdicts.map((verdict) => {
        const { figure, most, met, remark } = formatVerdict(verdict);
        return [`  ${met}`, figure, `of ${most}`, verdict.what, remark];
      }),
    );
  }
}

function printTable(table) {
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)));
  for (const row of table) {
    const cells = row.map((cell, column) => cell.padEnd(widths[column]));
    console.log(cells.join('  ').trimEnd());
  }
}
