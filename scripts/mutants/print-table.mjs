/** Prints how many mutants of each module were noticed, and those that were not; equivalent ones are not counted. */
export function printTable({ mutants, noticed, isEquivalent, seed }) {
  const isNoticed = ({ number }) => noticed.has(number);
  const counted = mutants.filter((each) => isNoticed(each) || !isEquivalent(each));
  const tally = new Map();
  for (const mutant of counted) {
    const module = mutant.path.split('/').slice(0, 4).join('/');
    const { right, all } = tally.get(module) ?? { right: 0, all: 0 };
    tally.set(module, { right: right + (isNoticed(mutant) ? 1 : 0), all: all + 1 });
  }
  for (const [module, { right, all }] of [...tally].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    console.log(`${String(right).padStart(4)} of ${String(all).padStart(4)}  ${module}`);
  }
  const survivors = counted.filter((mutant) => !isNoticed(mutant));
  const right = counted.length - survivors.length;
  const share = ((100 * right) / counted.length).toFixed(1);
  const left = mutants.length - counted.length;
  console.log(`seed ${seed}: ${right} of ${counted.length} noticed (${share} %), ${left} equivalent`);
  for (const { path, line, before, text } of survivors) {
    console.log(`survived  ${path}:${line}  ${JSON.stringify(before)} → ${JSON.stringify(text)}`);
  }
}
