// Builds both packages: the library as ESM with declarations, the program as CommonJS files that load each other lazily.
// CommonJS starts faster than ESM, and a start must not read the code of commands that are not called. esbuild splits only
// ESM, so the program is split as ESM first and each piece is then turned into CommonJS.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build, transform } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const kurel = join(root, 'packages', 'kurel');
const jq = join(root, 'packages', 'jq');

/** @type {import('esbuild').BuildOptions} */
const shared = {
  bundle: true,
  target: 'node20.19',
  conditions: ['kurel-source'],
  legalComments: 'none',
  logLevel: 'warning',
};

for (const directory of [kurel, jq]) rmSync(join(directory, 'dist'), { recursive: true, force: true });

const [program] = await Promise.all([
  buildProgram(),
  build({
    ...shared,
    entryPoints: { index: join(kurel, 'src/index.ts'), host: join(kurel, 'src/host/index.ts') },
    outdir: join(kurel, 'dist'),
    chunkNames: 'chunks/[name]-[hash]',
    format: 'esm',
    splitting: true,
    platform: 'node',
  }),
  build({
    ...shared,
    entryPoints: [join(jq, 'src/index.ts')],
    outdir: join(jq, 'dist'),
    format: 'esm',
    platform: 'neutral',
  }),
]);

writeFileSync(join(kurel, 'dist', 'THIRD-PARTY-NOTICES.txt'), noticesOf(Object.keys(program)));

const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');
for (const directory of [jq, kurel]) {
  execFileSync(process.execPath, [tsc, '-p', join(directory, 'tsconfig.build.json')], { stdio: 'inherit' });
  nameJavaScript(join(directory, 'dist'));
}

/** The sources import `./x.ts`; declarations must name `./x.js`, or a project that installs them looks for TypeScript sources. */
function nameJavaScript(directory) {
  for (const entry of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
    if (!entry.endsWith('.d.ts')) continue;
    const file = join(directory, entry);
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replaceAll(/(from '|import\(['"])(\.[^'"]+)\.ts(['"])/g, '$1$2.js$3'));
  }
}

/** The licences of the packages that are bundled into the program; they ask to be passed on with it. */
function noticesOf(inputs) {
  const names = inputs.map((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]);
  const packages = [...new Set(names.filter((name) => name !== undefined))].toSorted((a, b) => (a < b ? -1 : 1));
  return packages.map((name) => `${name}\n\n${licenceOf(join(root, 'node_modules', name))}\n`).join('\n----\n\n');
}

function licenceOf(directory) {
  const file = existsSync(directory) ? readdirSync(directory).find((entry) => /^licen[cs]e/i.test(entry)) : undefined;
  if (file === undefined) throw new Error(`no licence in ${directory}: it cannot be bundled`);
  return readFileSync(join(directory, file), 'utf8').trim();
}

async function buildProgram() {
  const outdir = join(kurel, 'dist', 'cli');
  const { outputFiles, metafile } = await build({
    ...shared,
    entryPoints: { main: join(kurel, 'src/cli/main.ts') },
    outdir,
    outExtension: { '.js': '.cjs' },
    chunkNames: '[name]-[hash]',
    format: 'esm',
    splitting: true,
    platform: 'node',
    metafile: true,
    write: false,
    external: ['@kurel/jq'],
    define: { 'import.meta.dirname': '__dirname' },
  });
  mkdirSync(outdir, { recursive: true });
  for (const { path, text } of outputFiles) {
    const { code } = await transform(text, {
      format: 'cjs',
      platform: 'node',
      target: shared.target,
      supported: { 'dynamic-import': false },
      // Most of a cold start is reading source text, so there is as little of it as possible.
      minify: true,
    });
    writeFileSync(path, code.replaceAll('require("@kurel/jq")', 'require("./lazy-jq.cjs")'));
  }
  await buildLazyJq(outdir);
  return metafile.inputs;
}

/** jq is a third of the code and most runs have no jq program, so it is read only when one of its functions is asked for. */
async function buildLazyJq(outdir) {
  await build({
    ...shared,
    entryPoints: { jq: join(jq, 'src/index.ts') },
    outdir,
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    platform: 'node',
    minify: true,
  });
  const names = Object.keys(createRequire(import.meta.url)(join(outdir, 'jq.cjs')));
  const getters = names.map((name) => `get ${name}(){return require("./jq.cjs").${name}}`);
  writeFileSync(join(outdir, 'lazy-jq.cjs'), `module.exports={${getters.join(',')}};`);
}
