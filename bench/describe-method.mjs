import { placeholders } from './peers.mjs';

/** What was compared with what, how fair that is, and how to make it again: the part of the page that no run changes. */
export function describeMethod({ limit }) {
  const list = Object.entries(placeholders).map(([name, what]) => `| \`{${name}}\` | ${what} |`);
  return `## What is compared with what

Every case is made anew by the run, the same for all programs, and the same every time. Before a case is measured each program runs once with
its output kept: the number of objects in it has to be that of kurel, or the row says "failed". Then the programs take turns, so that a noisy
moment hits all of them, with their output thrown away. Files are in the cache of the operating system by then, for everybody.

- **node -e 0** is the floor for any program on Node: it starts and does nothing. **JSON.parse + JSON.stringify** is the floor for work on data:
  these two calls alone, once, in a process of their own, without its start, on the objects that kurel prints in that case as one JSON text
  without white space. They are native code, and JSON is much easier to read than YAML.
- **Cold** means a new process for each run; every row but those "in memory" is that. kurel keeps what V8 compiled in an earlier run, as it does
  for its users, here from the start of the benchmarks on; "no compiled code" is what it takes where nothing is kept, as in a first run. Go programs are compiled ahead.
- **kustomize build** gets the same manifests. For the label it has \`labels\`, for patches as many files of strategic merge patches that say the
  same. It does something that kurel does not do for plain manifests: it looks for references between names. And it leaves out something that
  kurel does: its output has none of the comments, and other orders of keys.
- **helm template** gets a chart that gives the same objects from values that say as much as the application package does. The chart has no
  schema for its values, so helm checks none of them; kurel checks every property. A chart and a kustomization are rendered by helm and
  kustomize for kurel as well, so kurel can only be slower there; the memory shown is that of kurel without them.
- **kubeconform -strict** gets the same files and the same schemas, from disk, without network. With \`-n 1\` it checks one at a time, as kurel
  does; without, four at a time. It checks fields; kurel also checks identity, references and namespaces, and for these inputs finds nothing. On
  "one core" both are pinned to the same core, so that the collectors of Go and V8 do not get one of their own.
- **yaml, the npm package** sets the same fields in its documents. It keeps comments too, and prints every document anew.
- **jq-web** is jq itself, compiled to WebAssembly. It can only be called with a text, so it gets all objects as one; \`@kurel/jq\` gets them one
  by one, as plain data.

What to be careful with: a small package takes any Go program a few milliseconds, and Node needs longer than that to start, so kurel loses
there, and "× kurel" says by how much. A peer that takes longer than 15 seconds is measured once; one that takes longer than ${limit} seconds is
stopped, and its row says "more than". User time is counted in hundredths of a second, so for short runs it is only as good as its mean. Peak
memory is looked up every 5 milliseconds.

## Make it again

\`\`\`sh
npm run tools                # helm, kustomize and kubeconform to compare with (needs Go)
npm run bench                # all suites; prints the tables and writes bench/out/results.json
npm run bench -- patch jq    # some of them
npm run bench -- --rounds 1  # quickly, for a first impression
npm run bench -- --limit 600 # more patience with peers
npm run bench -- --docs      # all suites, and this page
npm run bench -- --redraw    # this page from the results of the last run
\`\`\`

\`KUREL_BENCH_PEERS\` names other programs to compare with, as \`label=command\`, with \`;\` or a line break between two of them. The command is
started as it is, without a shell; quotes hold words with spaces together. A program takes part in every case that has an input for each of its
placeholders, and one without placeholders in the start-up. Nothing checks that it does the same work.

| placeholder | stands for |
|---|---|
${list.join('\n')}

\`\`\`sh
KUREL_BENCH_PEERS="other=/opt/kustomize build {kustomization}; jq=jq -c '.[] | select(.kind == \\"Service\\")' {json}" npm run bench
\`\`\`
`;
}
