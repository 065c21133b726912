export function printTable(table) {
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)));
  for (const row of table) {
    const cells = row.map((cell, column) => cell.padEnd(widths[column]));
    console.log(cells.join('  ').trimEnd());
  }
}
