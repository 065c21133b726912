// node --expose-gc build-in-workspace.mjs PACKAGE APPLICATION BUILDS: builds again and again in one workspace, and prints as JSON what the
// first two builds took, in seconds, and after 1,000 builds and after 10,000 how large the heap is and what a build took on average.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [directory, path, builds] = process.argv.slice(2);
const load = (file) => import(pathToFileURL(join(directory, 'dist', file)));
const { createWorkspace } = await load('index.js');
const { bundledSchemas, diskFileSystem } = await load('host.js');

const workspace = createWorkspace({ fileSystem: diskFileSystem(), schemas: bundledSchemas() });
const seconds = [];
const heaps = {};
let objects = 0;
const begunAt = performance.now();
for (let count = 1; count <= Number(builds); count += 1) {
  const startedAt = performance.now();
  const validation = { store: workspace.store() };
  const result = await workspace.build({ path, application: { profile: false }, validation });
  if (count <= 2) seconds.push((performance.now() - startedAt) / 1000);
  if (!result.ok) throw new Error(result.diagnostics[0].message);
  objects = result.objects.length;
  if (count === 1000 || count === 10_000) {
    heaps[count] = { seconds: (performance.now() - begunAt) / 1000 / count, megabytes: await measureHeap() };
  }
}
const [first, second] = seconds;
console.log(JSON.stringify({ first, second, heaps, objects }));

/** Some things are freed only after what held them was. */
async function measureHeap() {
  for (let round = 0; round < 3; round += 1) {
    globalThis.gc();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return Math.round((process.memoryUsage().heapUsed / 2 ** 20) * 100) / 100;
}
