// Builds both packages: the library as ESM with declarations, the program as pieces of CommonJS that load each other lazily.
// CommonJS starts faster than ESM, and a start must not read the code of commands that are not called. esbuild splits only
// ESM, so the program is split as ESM first and each piece is then turned into CommonJS. src/cli/load-program.ts loads them.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build, transform } from 'esbuild';

import { importSource } from './import-source.mjs';
import { bundleJq } from './lazy-jq.mjs';
import { openBarrels } from './open-barrels.mjs';

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
  plugins: [openBarrels(join(kurel, 'src'))],
};

// Loaded when it is needed, each as one file: what it comes from. Later files have what several need.
const onDemand = {
  'package.cjs': ['src/forms/patch-package/form.ts'],
  'application.cjs': ['src/forms/application/form.ts'],
  'output.cjs': ['src/cli/open-disk-output.ts'],
  'patch.cjs': ['src/cli/patch-flags.ts', 'src/patch/index.ts'],
  'validate.cjs': ['src/cli/commands/validate.ts'],
};

/** Names of functions stay what they are, for profiles. */
const isReadable = process.argv.includes('--readable');

/** V8 needs more than three times the size of a file to parse it, and the C library does not always give that back. */
const mostCharacters = 300_000;

// A package without a licence file, and one of the same repository that has it.
const licenceElsewhere = { '@sigstore/verify': '@sigstore/bundle' };

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
  // Only packages have them, and after `npm ci` somebody waits for the program.
  process.argv.includes('--without-man') ? undefined : writeManPages(),
]);

writeFileSync(join(kurel, 'dist', 'THIRD-PARTY-NOTICES.txt'), noticesOf(Object.keys(program)));

const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');
for (const directory of [jq, kurel]) {
  execFileSync(process.execPath, [tsc, '-p', join(directory, 'tsconfig.build.json')], { stdio: 'inherit' });
  nameJavaScript(join(directory, 'dist'));
}
removeUnreached(join(jq, 'dist'), ['index.d.ts']);
removeUnreached(join(kurel, 'dist', 'types'), ['index.d.ts', 'host/index.d.ts']);

/** npm links them where `man` finds them, as package.json lists them. */
async function writeManPages() {
  const { createManPages } = await importSource(join(root, 'scripts', 'release', 'man-pages.ts'));
  mkdirSync(join(kurel, 'dist', 'man'), { recursive: true });
  for (const { file, text } of await createManPages()) writeFileSync(join(kurel, 'dist', 'man', file), text);
}

/** tsc declares every file of the program; those that no declaration of an entry leads to are of use to nobody. */
function removeUnreached(directory, entries) {
  const reached = new Set(entries.map((entry) => join(directory, entry)));
  for (const file of reached) {
    for (const [, target] of readFileSync(file, 'utf8').matchAll(/(?:from |import\()['"](\.[^'"]+)\.js['"]/g)) {
      reached.add(join(dirname(file), `${target}.d.ts`));
    }
  }
  for (const entry of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
    const file = join(directory, entry);
    if (file.endsWith('.d.ts') && !reached.has(file)) rmSync(file);
  }
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
  const licenceFor = (name) => licenceOf(join(root, 'node_modules', licenceElsewhere[name] ?? name));
  return packages.map((name) => `${name}\n\n${licenceFor(name)}\n`).join('\n----\n\n');
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
  const { text, lazy } = await bundleJq(jq);
  const chunks = new Map([
    ['jq.cjs', await toCommonJs(text)],
    ['lazy-jq.cjs', lazy],
  ]);
  for (const { path, text: chunk } of outputFiles) {
    const code = await toCommonJs(chunk);
    chunks.set(basename(path), code.replaceAll('require("@kurel/jq")', 'require("./lazy-jq.cjs")'));
  }
  await writeProgram(outdir, chunks, placeChunks(metafile));
  return metafile.inputs;
}

/** The chunks that every command needs go into one file, and those that nearly all work needs into another: each file costs. */
function placeChunks({ outputs }) {
  const entries = Object.entries(outputs);
  const findEntry = (source) => entries.find(([, { entryPoint }]) => entryPoint?.endsWith(source))[0];
  const reach = (path, found = new Set()) => {
    if (found.has(path)) return found;
    found.add(path);
    for (const next of outputs[path].imports) {
      if (next.kind === 'import-statement' && next.path in outputs) reach(next.path, found);
    }
    return found;
  };
  for (const [path] of entries) {
    const circle = outputs[path].imports.find(
      ({ kind, path: next }) => kind === 'import-statement' && next in outputs && reach(next).has(path),
    );
    if (circle !== undefined) throw new Error(`the chunks ${path} and ${circle.path} need each other`);
  }
  const files = { 'lazy-jq.cjs': 'work.cjs' };
  for (const [file, sources] of Object.entries(onDemand)) {
    for (const source of sources) for (const path of reach(findEntry(source))) files[basename(path)] = file;
  }
  // A build has limits, and prints its findings, or why it failed.
  for (const source of ['limits.ts', 'build-to-output.ts', 'print-diagnostics.ts', 'describe-failure.ts']) {
    for (const path of reach(findEntry(`src/cli/${source}`))) files[basename(path)] = 'work.cjs';
  }
  for (const path of reach(findEntry('src/cli/commands/build.ts'))) files[basename(path)] = 'build.cjs';
  // Two commands need next to nothing.
  for (const entry of ['main.ts', 'commands/help.ts', 'commands/version.ts']) {
    for (const path of reach(findEntry(`src/cli/${entry}`))) files[basename(path)] = 'main.cjs';
  }
  return files;
}

/** Each file is an object of functions, one a chunk; in parentheses they are compiled at once, and not looked through first. */
async function writeProgram(outdir, chunks, placed) {
  const files = new Map();
  const chunksOf = {};
  for (const [name, code] of chunks) {
    const wrapped = `${JSON.stringify(`./${name}`)}:(function(exports,require,module,__dirname){${code}\n})`;
    const file = fileWithRoom(files, placed[name] ?? name, wrapped.length);
    files.set(file, [...(files.get(file) ?? []), wrapped]);
    if (file !== name) chunksOf[file] = `${chunksOf[file] ?? ''}./${name}`;
  }
  mkdirSync(outdir, { recursive: true });
  const hash = createHash('sha256');
  for (const [file, parts] of files) {
    const text = `({${parts.join(',\n')}})\n`;
    hash.update(`${file}\n${text}`);
    writeFileSync(join(outdir, file), text);
  }
  await build({
    ...shared,
    entryPoints: { start: join(kurel, 'src/cli/start.ts') },
    outdir,
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    platform: 'node',
    minify: true,
    define: {
      'import.meta.dirname': '__dirname',
      PROGRAM_BUILD: JSON.stringify(hash.digest('hex').slice(0, 16)),
      PROGRAM_FILES: JSON.stringify(chunksOf),
    },
  });
}

/** A file, or the first of its continuations (`work-2.cjs`) that has room for so many characters. */
function fileWithRoom(files, file, characters) {
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? file : file.replace('.cjs', `-${count}.cjs`);
    const size = (files.get(name) ?? []).reduce((sum, part) => sum + part.length, 0);
    if (size === 0 || size + characters <= mostCharacters) return name;
  }
}

/**
 * esbuild would give each export a getter, which is defined in every start and called in every use. No chunk needs another before
 * that has run to its end (`placeChunks` sees to it), so a plain object at the end does.
 */
function exportAtEnd(text) {
  const [statement, list] = /\nexport \{\n([^}]*)\};\s*$/.exec(text) ?? [];
  if (statement === undefined) {
    if (/^export\b/m.test(text)) throw new Error('a chunk exports in a way that the build does not know');
    return text;
  }
  const names = list.split(',').map((item) => item.trim().split(' as '));
  const entries = names.filter(([name]) => name !== '').map(([name, as = name]) => `${JSON.stringify(as)}:${name}`);
  return `${text.slice(0, -statement.length)}\nmodule.exports={${entries.join(',')}};\n`;
}

async function toCommonJs(text) {
  const lazy = exportAtEnd(text).replaceAll(
    /\bimport\(("\.\/[\w-]+\.cjs")\)/g,
    'Promise.resolve().then(()=>require($1))',
  );
  const { code } = await transform(lazy, {
    format: 'cjs',
    platform: 'node',
    target: shared.target,
    // Most of a cold start is reading source text, so there is as little of it as possible.
    minifyWhitespace: true,
    minifySyntax: true,
    minifyIdentifiers: !isReadable,
    logOverride: { 'commonjs-variable-in-esm': 'silent' },
  });
  // The loader takes files for Latin-1, which is quicker to read. Only in regular expressions does esbuild leave more than ASCII.
  return code.replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
