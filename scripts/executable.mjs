// npm run executable: makes a standalone executable of kurel for this machine, `dist/kurel`, which needs no Node.
// npm run executable -- TARGET …: makes those of other machines as well, `dist/kurel-TARGET`; `all` stands for every target.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import { removeSignature } from './release/remove-signature.mjs';
import { executableName, ownTarget, readTargets, targets } from './release/targets.mjs';

const root = join(import.meta.dirname, '..');
const kurel = join(root, 'packages', 'kurel');
const outdir = join(root, 'dist');

const wanted = readTargets(process.argv.slice(2));
const [bun] = install();
mkdirSync(outdir, { recursive: true });
if (wanted.length === 0) compile(bun, { target: ownTarget, file: executableName() });
for (const target of wanted) {
  const name = targets[target];
  const [runtime] = install(name);
  compile(bun, {
    target,
    file: executableName(target),
    more: [`--target=bun-${name}`, `--compile-executable-path=${runtime}`],
  });
}

function install(...names) {
  const args = [join(root, 'scripts', 'tools.mjs'), '--bun', ...names];
  const stdout = execFileSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  return stdout.trim().split('\n');
}

function compile(program, { target, file, more = [] }) {
  const path = join(outdir, file);
  rmSync(path, { force: true });
  const args = [
    'build',
    '--compile',
    '--minify',
    '--bytecode',
    '--format=cjs',
    '--conditions=kurel-source',
    '--define=IS_EXECUTABLE=true',
    // Bun would insert the directory of the sources; the schemas are inside, above the program.
    '--define=import.meta.dirname=Bun.main',
    // Flags and kurel's own files decide how it runs, not other files of the working directory.
    '--no-compile-autoload-dotenv',
    '--no-compile-autoload-bunfig',
    `--asset=${join(kurel, 'schemas')}`,
    ...more,
    `--outfile=${path}`,
    join(kurel, 'src', 'cli', 'main.ts'),
  ];
  execFileSync(program, args, { cwd: kurel, stdio: ['ignore', 'ignore', 'inherit'] });
  if (target === 'macos-x64') writeFileSync(path, removeSignature(readFileSync(path)));
  console.log(`${relative(root, path)}  ${(statSync(path).size / 1_000_000).toFixed(0)} MB`);
}
