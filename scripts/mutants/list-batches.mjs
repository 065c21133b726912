import { listFiles } from './scratch.mjs';

// These run the built program, or the sources in processes of their own, where a mutant is not seen, or look at texts only.
const elsewhere =
  /\/(?:crash-table|cyclonedx-schema|fuzz-short|hostile-\d|kill|language-server|links|new-handler|output-owners|package.*|program-start|provenance|real-sources|release|structure|watch-process|words)\.test\.ts$/;

/** Test files in the order in which they run: those of modules, golden cases, then those that take long. Each batch has its own process. */
export function listBatches(root) {
  const files = listFiles(root, 'packages/*.test.ts').filter(
    (path) => !path.endsWith('.full.test.ts') && !(path.startsWith('packages/kurel/test/') && elsewhere.test(path)),
  );
  const ofModules = files.filter((path) => !path.startsWith('packages/kurel/test/'));
  const others = files.filter((path) => path.startsWith('packages/kurel/test/'));
  const cases = others.filter((path) => path.endsWith('-cases.test.ts'));
  const slow = others.filter((path) => /\/(?:documentation|explain-\w+|policy-attacks)\.test\.ts$/.test(path));
  const rest = others.filter((path) => !cases.includes(path) && !slow.includes(path));
  const batches = [];
  for (let first = 0; first < ofModules.length; first += 25) batches.push(ofModules.slice(first, first + 25));
  return [...batches, ...cases.map((path) => [path]), rest, slow];
}
