/** Prints how many mutants of each module were noticed, and those that were not; equivalent ones are not counted. */
export function printTable(results, { equivalent, seed }) {
  const keyOf = (path, before, text) => JSON.stringify([path, before, text]);
  const keys = new Set(equivalent.map(({ path, code, mutant }) => keyOf(path, code, mutant)));
  const isEquivalent = ({ by, path, before, text }) => by === undefined && keys.has(keyOf(path, before, text));
  const counted = results.filter((result) => !isEquivalent(result));
  const moduleOf = ({ path }) => path.split('/').slice(0, 4).join('/');
  const tally = new Map();
  for (const result of counted) {
    const { noticed, all } = tally.get(moduleOf(result)) ?? { noticed: 0, all: 0 };
    tally.set(moduleOf(result), { noticed: noticed + (result.by === undefined ? 0 : 1), all: all + 1 });
  }
  for (const [module, { noticed, all }] of [...tally].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    console.log(`${String(noticed).padStart(4)} of ${String(all).padStart(4)}  ${module}`);
  }
  const survivors = counted.filter(({ by }) => by === undefined);
  const noticed = counted.length - survivors.length;
  const share = ((100 * noticed) / counted.length).toFixed(1);
  const seconds = (results.reduce((sum, each) => sum + each.seconds, 0) / results.length).toFixed(1);
  console.log(
    `seed ${seed}: ${noticed} of ${counted.length} noticed (${share} %), ${results.length - counted.length} equivalent, ${seconds} s per mutant`,
  );
  for (const { path, line, before, text } of survivors) {
    console.log(`survived  ${path}:${line}  ${JSON.stringify(before)} → ${JSON.stringify(text)}`);
  }
}
