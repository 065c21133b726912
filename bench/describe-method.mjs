/** How the programs are compared, and how fair that is: the part of the page that does not depend on the results. */
export function describeMethod({ limit }) {
  return `## How the programs are compared

The run generates every input, the same each time and for all programs. Each program first runs once, to check that it prints as many
objects as kurel; if it does not, its row says "failed". Then the programs take turns, so that a busy moment of the machine affects all of
them. Their output is discarded, and all files are in the file cache of the operating system.

Except for the rows "in memory" and "in a workspace", every run is a new process ("cold").

- **kurel** keeps the code that V8 compiled in earlier runs, as it does on your machine. "No compiled code" is the time of a first run. Go
  programs are compiled ahead of time.
- **kustomize build** gets the same manifests, with \`labels\` for the label, and the same patches as strategic merge patches in as many files.
  It also looks for references between names, which kurel does not do for plain manifests. It drops comments and changes the order of keys;
  kurel keeps both.
- **helm template** gets a chart that renders the same objects from equivalent values. The chart has no schema for its values, so helm does
  not check them; kurel checks every property.
- For a **chart** or a **kustomization**, kurel itself runs helm or kustomize, so it can only be slower than they are. The memory shown is
  kurel's, without theirs.
- **kubeconform -strict** gets the same files and the same schemas, from disk, without network. With \`-n 1\` it validates one resource at a
  time, as kurel does; without it, four. It checks fields; kurel also checks identity, references and namespaces, and finds nothing in these inputs.
  "One core" pins both programs to the same core, so that the garbage collectors of Go and V8 cannot use another one.
- **helm template** and **helmfile template** for a fleet render 50 of its targets from one chart and the same values files. helm is one
  process per target, as many at a time as there are cores; helmfile starts helm itself. kurel also validates the objects and writes them to
  files. Times are divided by the number of targets; memory is that of all processes together.
- A fleet **on several machines** is built by this machine in the place of each of them, one after the other. An empty machine has kurel's
  compiled code, but no output and no record of earlier runs. The cache is nginx with WebDAV on the same machine: there is no network between
  them, but they share the cores. Each shard has all cores, so as many machines take as long as the slowest shard. All runs write a report.
- **yaml, the npm package** sets the same fields. It keeps comments too, and prints every document anew.
- **jq-web** is jq compiled to WebAssembly. It only takes text, so it gets all objects at once; \`@kurel/jq\` gets them one by one, as data.

A program that takes longer than 15 seconds is measured once. After ${limit} seconds it is stopped, and its row has ">" before the figures. User time
has a resolution of 10 milliseconds, so for short runs only its mean is meaningful. Peak memory is sampled every 5 milliseconds.`;
}
