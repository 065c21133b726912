import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { drawChart } from './draw-chart.mjs';
import { suiteTitles } from './suite-titles.mjs';
import { writeBenchmarks } from './write-benchmarks.mjs';
import { writePerformance } from './write-performance.mjs';

/** Writes docs/benchmarks.md with its chart, for users, and docs/performance.md, for contributors, from the results of a whole run. */
export function writeDocs(root, results) {
  const missing = Object.keys(suiteTitles).find((suite) => !results.rows.some((row) => row.suite === suite));
  if (missing !== undefined) throw new Error(`the results lack the suite ${missing}: run all suites`);
  const docs = join(root, 'docs');
  writeFileSync(join(docs, 'benchmarks.svg'), drawChart(results.rows));
  writeFileSync(join(docs, 'benchmarks.md'), writeBenchmarks(results));
  writeFileSync(join(docs, 'performance.md'), writePerformance(results));
}
