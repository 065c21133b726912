// npm run executable: makes a standalone executable of kurel for this machine, `dist/kurel`, which needs no Node.
// npm run executable -- TARGET …: makes those of other machines as well, `dist/kurel-TARGET`; `all` stands for every target.
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

const root = join(import.meta.dirname, '..');
const kurel = join(root, 'packages', 'kurel');
const outdir = join(root, 'dist');

/** Our names of the targets, and the names that bun's packages have. */
const targets = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-aarch64',
  'linux-x64-musl': 'linux-x64-musl',
  'linux-arm64-musl': 'linux-aarch64-musl',
  'macos-x64': 'darwin-x64',
  'macos-arm64': 'darwin-aarch64',
  'windows-x64': 'windows-x64',
};

const words = process.argv.slice(2);
const unknown = words.filter((word) => word !== 'all' && !(word in targets));
if (unknown.length > 0) {
  console.error(`unknown target ${unknown.join(', ')}; the targets are ${Object.keys(targets).join(', ')} and all`);
  process.exit(2);
}
const wanted = words.includes('all') ? Object.keys(targets) : words;

const [bun] = install();
mkdirSync(outdir, { recursive: true });
if (wanted.length === 0) compile(bun, { file: process.platform === 'win32' ? 'kurel.exe' : 'kurel' });
for (const target of wanted) {
  const name = targets[target];
  const [runtime] = install(name);
  const file = `kurel-${target}${target.startsWith('windows') ? '.exe' : ''}`;
  compile(bun, { file, more: [`--target=bun-${name}`, `--compile-executable-path=${runtime}`] });
}

function install(...names) {
  const args = [join(root, 'scripts', 'tools.mjs'), '--bun', ...names];
  const stdout = execFileSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  return stdout.trim().split('\n');
}

function compile(program, { file, more = [] }) {
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
    // Flags and kurel's own files decide how it runs, not other files of the working directory.
    '--no-compile-autoload-dotenv',
    '--no-compile-autoload-bunfig',
    `--asset=${join(kurel, 'schemas')}`,
    ...more,
    `--outfile=${path}`,
    join(kurel, 'src', 'cli', 'main.ts'),
  ];
  execFileSync(program, args, { cwd: kurel, stdio: ['ignore', 'ignore', 'inherit'] });
  console.log(`${relative(root, path)}  ${(statSync(path).size / 1_000_000).toFixed(0)} MB`);
}
