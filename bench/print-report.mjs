import { formatRow, formatVerdict } from './format-figures.mjs';
import { printTable } from './print-table.mjs';

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
