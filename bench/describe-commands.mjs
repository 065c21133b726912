import { placeholders } from './peers.mjs';

/** How to run the benchmarks, also with other programs. */
export function describeCommands() {
  const list = Object.entries(placeholders).map(([name, what]) => `| \`{${name}}\` | ${what} |`);
  return `## Run the benchmarks

\`\`\`sh
npm run tools                # builds helm, kustomize and kubeconform (needs Go)
npm run tools -- bench       # also builds helmfile, which only the suite fleet needs (takes some minutes)
npm run bench                # runs all suites, prints the tables and writes bench/out/results.json
npm run bench -- patch jq    # runs some suites
npm run bench -- --rounds 1  # a quick first impression
KUREL_BENCH_FLEET=10x10 npm run bench -- fleet fleet-shared # 10 applications on 10 clusters instead of 100 on 100
npm run bench -- --limit 600 # stops other programs after 600 seconds instead of 180
npm run bench -- --docs      # runs all suites, and writes benchmarks.md and performance.md
npm run bench -- --redraw    # writes both pages from the results of the last run
npm run bench -- --against REV # compares kurel with kurel at REV
\`\`\`

To compare kurel with further programs, list them in \`KUREL_BENCH_PEERS\`:

\`\`\`sh
KUREL_BENCH_PEERS="other=/opt/kustomize build {kustomization}; jq=jq -c '.[] | select(.kind == \\"Service\\")' {json}" npm run bench
\`\`\`

Each entry is \`label=command\`; separate entries with \`;\` or a line break. The command starts without a shell; quote words with spaces. A
program takes part in every case that has an input for each of its placeholders; one without placeholders takes part in start-up. Nothing
checks that it does the same work as kurel.

| placeholder | replaced by |
|---|---|
${list.join('\n')}`;
}
