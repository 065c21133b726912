// npm run executable: makes a standalone executable of kurel for this machine, `dist/kurel`, which needs no Node.
// npm run executable -- TARGET …: makes those of other machines as well, `dist/kurel-TARGET`; `all` stands for every target.
// esbuild splits the program first, because Bun would load all files that an index.ts exports as soon as one of them is needed.
// Bun then compiles it twice: the first program, for this machine, records the order in which small builds call functions, and the second has
// their bytecode in that order, so a start reads few pages of a large file.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

import { build } from 'esbuild';

import { lazyJq } from './lazy-jq.mjs';
import { openBarrels } from './open-barrels.mjs';
import { removeSignature } from './release/remove-signature.mjs';
import { executableEnding, executableName, ownTarget, readTargets, targets } from './release/targets.mjs';

const root = join(import.meta.dirname, '..');
const kurel = join(root, 'packages', 'kurel');
const outdir = join(root, 'dist');

/** What people run all day, the most important first. */
const recorded = [
  [
    'build',
    'applications/web/package',
    '--profile',
    'applications/web/gateway.yaml',
    '--values',
    'applications/shop/staging.yaml',
  ],
  ['build', 'packages/hello.kurel'],
  ['validate', 'plain'],
];

const wanted = readTargets(process.argv.slice(2));
const [bun] = install();
mkdirSync(outdir, { recursive: true });
const scratch = mkdtempSync(join(tmpdir(), 'kurel-executable-'));
const program = join(scratch, 'program');
try {
  await splitProgram();
  const order = `--bytecode-order=${recordOrders().join(',')}`;
  if (wanted.length === 0) make({ target: ownTarget, file: executableName(), more: [order] });
  for (const target of wanted) {
    const name = targets[target];
    const [runtime] = install(name);
    make({
      target,
      file: executableName(target),
      more: [order, `--target=bun-${name}`, `--compile-executable-path=${runtime}`],
    });
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function install(...names) {
  const args = [join(root, 'scripts', 'tools.mjs'), '--bun', ...names];
  const stdout = execFileSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  return stdout.trim().split('\n');
}

/** Code that only some commands need is in chunks of its own, which are loaded when they are imported. */
async function splitProgram() {
  await build({
    entryPoints: { main: join(kurel, 'src', 'cli', 'main.ts') },
    outdir: program,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'esnext',
    conditions: ['kurel-source'],
    define: { IS_EXECUTABLE: 'true' },
    legalComments: 'none',
    logLevel: 'warning',
    plugins: [lazyJq(join(root, 'packages', 'jq')), openBarrels(join(kurel, 'src'))],
  });
}

/** The order does not depend on the target: it names functions by hashes of their source text. */
function recordOrders() {
  const first = join(scratch, `kurel${executableEnding(ownTarget)}`);
  compile(first);
  return recorded.map((args, index) => {
    const file = join(scratch, `${index}.order`);
    // Without a home, nothing that earlier runs have cached is used.
    execFileSync(first, args, {
      cwd: join(root, 'examples'),
      env: { BUN_BYTECODE_ORDER_OUT: file },
      stdio: 'ignore',
    });
    return file;
  });
}

function make({ target, file, more }) {
  const path = join(outdir, file);
  compile(path, more);
  if (target === 'macos-x64') writeFileSync(path, removeSignature(readFileSync(path)));
  console.log(`${relative(root, path)}  ${(statSync(path).size / 1_000_000).toFixed(0)} MB`);
}

function compile(path, more = []) {
  rmSync(path, { force: true });
  const args = [
    'build',
    '--compile',
    '--minify',
    '--bytecode',
    '--format=esm',
    '--splitting',
    // Most functions of a small build run a few times: compiling them to machine code after ten calls, as is the default, takes longer
    // than it saves. Measured with 4, 10, 20, 50 and 1,000; at 1,000, large builds take twice as long.
    '--compile-jit-policy=10',
    // Bun would insert the directory of the sources; the schemas are inside, above the program.
    '--define=import.meta.dirname=Bun.main',
    // Flags and kurel's own files decide how it runs, not other files of the working directory.
    '--no-compile-autoload-dotenv',
    '--no-compile-autoload-bunfig',
    `--asset=${join(kurel, 'schemas')}`,
    ...more,
    `--outfile=${path}`,
    'main.js',
  ];
  // Paths in the executable are relative to this directory, so its name does not matter.
  execFileSync(bun, args, { cwd: program, stdio: ['ignore', 'ignore', 'inherit'] });
}
