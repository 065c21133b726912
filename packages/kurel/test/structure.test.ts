import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { caseEnding, formatArchive, parseArchive } from './case-archive.ts';
import type { CasePart } from './case-archive.ts';
import { forms, renderers } from '../src/forms/index.ts';
import { boundNames, spreadCalls } from './source-syntax.ts';
import { listFiles, readSources, repository } from './source-tree.ts';
import type { SourceText } from './source-tree.ts';

const source = join(repository, 'packages', 'kurel', 'src');
const everything = readSources(source);
const shipped = everything.filter(({ path }) => !path.endsWith('.test.ts'));
const modules = readModules();
const jqTests = readSources(join(repository, 'packages', 'jq', 'test'));
const jq = readSources(join(repository, 'packages', 'jq', 'src'));

describe('packages/kurel', () => {
  it('has exactly the modules that ARCHITECTURE.md lists', () => {
    const found = readdirSync(source, { withFileTypes: true })
      .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
      .filter((name) => !name.endsWith('.test.ts'));
    expect(found.toSorted()).toEqual(modules.toSorted());
  });

  it('opens each module with what it takes, gives and refuses', () => {
    const folders = modules.filter((name) => name.endsWith('/') && name !== 'cli/');
    const silent = folders.filter((name) => {
      const text = everything.find(({ path }) => path === `${name}index.ts`)?.text ?? '';
      return !/^\/\/ takes: .*\n\/\/ gives: .*\n\/\/ refuses: /.test(text);
    });
    expect(silent).toEqual([]);
  });

  it('imports only modules that ARCHITECTURE.md lists above', () => {
    const wrong = shipped.flatMap((file) =>
      crossings(file)
        .filter(({ from, to }) => modules.indexOf(to) >= modules.indexOf(from))
        .map(({ to }) => `${file.path} → ${to}`),
    );
    expect(wrong).toEqual([]);
  });

  it('enters another module through its index only', () => {
    const wrong = shipped.flatMap((file) =>
      crossings(file)
        .filter(({ to, target }) => to.endsWith('/') && target !== `${to}index.ts`)
        .map(({ target }) => `${file.path} → ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it('keeps forms apart', () => {
    const wrong = shipped.flatMap((file) =>
      file.imports.flatMap(({ target }) => {
        const [from, to] = [file.path, target ?? ''].map((path) => /^forms\/([^/]+)\//.exec(path)?.[1]);
        return from !== undefined && to !== undefined && from !== to ? [`${file.path} → ${target}`] : [];
      }),
    );
    expect(wrong).toEqual([]);
  });

  it('asks for no form outside forms/', () => {
    const wrong = shipped.filter(({ path }) => !path.startsWith('forms/')).flatMap(formsAskedIn);
    expect(wrong.toSorted()).toEqual(Object.keys(namesakes).toSorted());
  });

  it('keeps node: in host and cli', () => {
    const wrong = shipped.filter(
      ({ path, imports }) =>
        !/^(?:host|cli)\//.test(path) && imports.some(({ specifier }) => specifier.startsWith('node:')),
    );
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  it('keeps the outside world out of pure code', () => {
    const wrong = shipped.filter((file) => !/^(?:host|cli)\//.test(file.path) && seesTheWorld(file));
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  it('has no import cycles', () => {
    expect(findCycle(shipped)).toBeUndefined();
  });

  it('has no names that say nothing', () => {
    const paths = ['packages', 'scripts', 'test', 'bench', 'examples'].flatMap((folder) =>
      ['.ts', '.mjs'].flatMap((ending) => listFiles(join(repository, folder), ending)),
    );
    const empty = /(?:^|\/)(?:utils?|common|helpers?|misc|base|manager)(?:\.|\/)/i;
    expect(paths.filter((path) => empty.test(path))).toEqual([]);
  });

  it('has small files, or says why not', () => {
    expect(unexplainedLength(shipped)).toEqual([]);
  });

  it('has no fragments', () => {
    expect(fragmentsOf(shipped)).toEqual([]);
  });

  it('names variables and parameters for what they are', () => {
    expect(bareNamesIn(shipped)).toEqual([]);
  });

  // A call has a limited number of arguments, about 120,000, and throws a RangeError beyond it.
  it('spreads no data into arguments', () => {
    const files = shipped.filter(({ path }) => !path.startsWith('yaml/'));
    expect(spreadsIn(files)).toEqual(Object.keys(boundedSpreads).toSorted());
  });

  // V8 and JSC look up each class when the literal is evaluated: 0.2 to 0.4 ms of every start. Half surrogate pairs are one range.
  it('makes expressions with classes of Unicode in functions', () => {
    const eager = shipped.filter(({ text }) => /^(?:export )?const \w+ =\s+\/.*\\[pP]\{(?!Surrogate)/m.test(text));
    expect(eager.map(({ path }) => path)).toEqual([]);
  });

  // `readJson` refuses documents that mean two things; JSON.parse takes the last of several keys, and no other spelling of one.
  it('reads JSON with one strict reader', () => {
    const parsing = shipped.filter(({ text }) => text.includes('JSON.parse('));
    expect(parsing.map(({ path }) => path).toSorted()).toEqual(Object.keys(lenientReaders).toSorted());
  });

  it('has nothing unfinished and no disabled tests', () => {
    expect(unfinished(everything)).toEqual([]);
  });
});

/** Why a file may use JSON.parse. */
const lenientReaders: Readonly<Record<string, string>> = {
  'cli/completion/complete.ts': 'what a command of the same run has printed',
  'cli/fleet/fleet-state.ts': 'large, and only this user can write to it',
  'cli/signing/run-attest.ts': 'what the same run has written',
  'layout/write-object.ts': 'only asks whether kubectl reads a text as JSON',
  'schema/create-schema-store.ts': 'shipped with the program',
  'schema/shipped-kinds.ts': 'shipped with the program',
  'validate/kinds/check-data.ts': 'only asks whether Kubernetes accepts a text',
  'yaml/read-scalar.ts': 'only asks whether kubectl reads a text as JSON',
};

/** What git knows or would take; of a copy without git, all but what is installed and built. */
function listRepository(): readonly string[] {
  if (existsSync(join(repository, '.git'))) {
    const args = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
    const listed = execFileSync('git', args, { cwd: repository, encoding: 'utf8', maxBuffer: 50_000_000 });
    return listed.split('\0').filter((path) => path !== '');
  }
  const left = /(?:^|\/)(?:node_modules|dist|\.tools|out|crashes)(?:\/|$)/;
  return listFiles(repository, '').filter((path) => !left.test(path));
}

describe('the repository', () => {
  const paths = listRepository().filter(
    (path) => lstatSync(join(repository, path), { throwIfNoEntry: false }) !== undefined,
  );

  it('has files that one can oversee: a case is one file', () => {
    expect(paths.length).toBeLessThan(4500);
  });

  it('excuses mutants only in lines that exist', () => {
    const list = readFileSync(join(repository, 'scripts', 'mutants', 'equivalent.json'), 'utf8');
    const excuses = JSON.parse(list) as readonly { readonly path: string; readonly line: string }[];
    const stale = excuses.filter(({ path, line }) => {
      const file = join(repository, path);
      const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
      return !lines.some((text) => text.trim() === line);
    });
    expect(stale).toEqual([]);
  });

  // Windows takes 260 characters, and somebody's directory comes before ours.
  it('has short paths', () => {
    expect(paths.filter((path) => path.length >= 150)).toEqual([]);
  });

  it('has archives of cases that are written as they are read', () => {
    const wrong = paths.filter((path) => {
      if (!path.endsWith(caseEnding)) return false;
      const text = readFileSync(join(repository, path), 'utf8');
      return formatArchive(parseArchive(text)) !== text;
    });
    expect(wrong).toEqual([]);
  });

  // Two are often a pair that differs elsewhere, and each is easier to read whole.
  it('has no input of more than 20 lines in three cases: packages/kurel/test/fixtures is for that', () => {
    const places = new Map<string, string[]>();
    for (const path of paths) {
      if (!path.endsWith(caseEnding) || /^test\/corpus\/|\/(?:data|fixtures)\//.test(path)) continue;
      for (const [inner, text] of partsOf(path).flatMap(({ files }) => Array.from(files))) {
        if (/^expected\b/.test(inner) || text.split('\n').length <= 21) continue;
        places.set(text, [...(places.get(text) ?? []), `${path}: ${inner}`]);
      }
    }
    expect([...places.values()].filter((same) => same.length > 2)).toEqual([]);
  });

  it('has no fixture that nothing includes', () => {
    const folder = 'packages/kurel/test/fixtures/';
    const fixtures = paths.filter((path) => path.startsWith(folder));
    const included = new Set(
      paths
        .filter((path) => path.endsWith(caseEnding))
        .flatMap((path) =>
          partsOf(path)
            .flatMap(({ includes }) => includes)
            .map((include) => join(dirname(path), include.path).replaceAll('\\', '/')),
        ),
    );
    expect(fixtures.filter((path) => !included.has(path))).toEqual([]);
  });
});

/** What the cases of an archive share, and what each has alone. */
function partsOf(path: string): readonly CasePart[] {
  const { cases, ...shared } = parseArchive(readFileSync(join(repository, path), 'utf8'));
  return [shared, ...cases.values()];
}

describe('ARCHITECTURE.md', () => {
  it('fits on one page', () => {
    expect(readFileSync(join(repository, 'ARCHITECTURE.md'), 'utf8').split('\n').length).toBeLessThan(100);
  });
});

describe('packages/jq', () => {
  it('has the modules that ARCHITECTURE.md lists, and each imports only those before it', () => {
    const order = readJqModules();
    expect(order.toSorted()).toEqual([...new Set(jq.map(({ path }) => moduleOf(path)))].toSorted());
    const wrong = jq.flatMap((file) =>
      crossings(file)
        .filter(({ from, to }) => order.indexOf(to) >= order.indexOf(from))
        .map(({ target }) => `${file.path} → ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it('has no import cycles', () => {
    expect(findCycle(jq)).toBeUndefined();
  });

  it('has no module that only tests use', () => {
    const reached = new Set(['index.ts']);
    for (const path of reached) {
      for (const { target } of jq.find((file) => file.path === path)?.imports ?? []) {
        if (target !== undefined) reached.add(target);
      }
    }
    expect(jq.map(({ path }) => path).filter((path) => !reached.has(path))).toEqual([]);
  });

  it('imports nothing from outside', () => {
    const wrong = jq.flatMap(({ path, imports }) =>
      imports.filter(({ target }) => target === undefined).map(({ specifier }) => `${path} → ${specifier}`),
    );
    expect(wrong).toEqual([]);
  });

  it('keeps the outside world out', () => {
    expect(jq.filter(seesTheWorld).map(({ path }) => path)).toEqual([]);
  });

  it('has small files, or says why not', () => {
    expect(unexplainedLength(jq)).toEqual([]);
  });

  it('has no fragments', () => {
    expect(fragmentsOf(jq)).toEqual([]);
  });

  it('names variables and parameters for what they are', () => {
    expect(bareNamesIn(jq)).toEqual([]);
  });

  it('spreads no data into arguments', () => {
    expect(spreadsIn(jq)).toEqual(Object.keys(boundedJqSpreads).toSorted());
  });

  it('has nothing unfinished and no disabled tests', () => {
    expect(unfinished([...jq, ...jqTests])).toEqual([]);
  });
});

/** Comparisons with the name of a form or of its renderer, `'chart'`, and with places in the table. A row says what a form can do. */
function formsAskedIn({ path, text }: SourceText): readonly string[] {
  const words = [...forms.map(({ name }) => name), ...Object.keys(renderers)].filter((word) => word !== 'memory');
  const name = `'(?:${words.join('|')})'`;
  const asked = new RegExp(String.raw`\S+ [!=]== ${name}|${name} [!=]== \S+|case ${name}|\bforms(?:\.at\(|\[)\S*`, 'g');
  return Array.from(withoutNotes(text).matchAll(asked), ([comparison]) => `${path}: ${comparison}`);
}

/** Comparisons with words that only look like forms. */
const namesakes: Readonly<Record<string, string>> = {
  "cli/packages/known-content.ts: place === 'manifests'": 'a part of the paths of registries',
  "layout/one-file-each.ts: short.toLowerCase() === 'kustomization'": 'the name of an output file',
  "validate/policy/problems.ts: (of === 'application'": 'who wrote a rule',
};

function seesTheWorld({ text }: SourceText): boolean {
  const world =
    /\b(?:process\.|(?:console|Buffer|performance|setTimeout|setInterval|(?<!\.)fetch|Date\.now|Math\.random|require)\s*[.(])|new Date\(\)|localeCompare/;
  return world.test(withoutComments(text));
}

function unexplainedLength(files: readonly SourceText[]): readonly string[] {
  const long = files.filter(({ text }) => text.split('\n').length > 400 && !/^(?:\/\/|\/\*\*)/.test(text));
  return long.map(({ path }) => path);
}

/** What stays apart however short it is: a handler or command is one file, and a module is a row of ARCHITECTURE.md. */
const ownFile =
  /^[^/]+$|^cli\/commands\/|^engine\/(?:filters|transformers)\/|\/catalog\/\w+\/|(?:^|\/)(?:index|problems)\.ts$/;

/** A short file with a single importer is a part of that importer, unless it is loaded on demand. */
function fragmentsOf(files: readonly SourceText[]): readonly string[] {
  const importers = new Map<string, number>();
  for (const { imports } of files) {
    const targets = new Set(imports.map(({ target, lazy }) => (lazy ? undefined : target)));
    for (const target of targets) if (target !== undefined) importers.set(target, (importers.get(target) ?? 0) + 1);
  }
  const isShort = ({ path, text }: SourceText): boolean => text.split('\n').length <= 40 && !ownFile.test(path);
  return files.filter((file) => isShort(file) && importers.get(file.path) === 1).map(({ path }) => path);
}

const bareNames = ['one', 'made', 'found', 'known', 'given', 'said'];

function bareNamesIn(files: readonly SourceText[]): readonly string[] {
  return files.flatMap(({ path, text }) => {
    const names = boundNames(path, text);
    return bareNames.filter((name) => names.has(name)).map((name) => `${path}: ${name}`);
  });
}

function unfinished(files: readonly SourceText[]): readonly string[] {
  // Split, so that this file is not one of those it looks for.
  const marks = new RegExp(
    ['TO DO', 'FIX ME', String.raw`\b(?:it|test|describe)\.(?:on ly|to do)\b`].join('|').replaceAll(' ', ''),
  );
  return files.filter(({ text }) => marks.test(text)).map(({ path }) => path);
}

function spreadsIn(files: readonly SourceText[]): readonly string[] {
  const spread = files.flatMap(({ path, text }) => spreadCalls(path, text).map((callee) => `${path}: ${callee}`));
  return [...new Set(spread)].toSorted();
}

/** Calls whose spread arguments cannot be many, with the reason. */
const boundedSpreads: Readonly<Record<string, string>> = {
  'archive/read-tar.ts: Uint8Array.of': 'fields of fixed size in a header',
  'cli/flags-to-pipeline.ts: filters.name.exact': 'words of one command line',
  'cli/flags-to-pipeline.ts: filters.or': 'words of one command line',
  'kube/apply-order.ts: order.splice': 'kinds that a caller of the library places',
  'patch/apply/kind-shape.ts: at': 'the path to the pod spec of a kind',
  'forms/application/catalog/problems.ts: Object.assign': 'the handlers of the catalog',
  'forms/chart/helm-source.ts: super': 'two arguments',
  'schema/shipped-kinds.ts: readCustom': 'a place in shipped data',
};

/** The same for packages/jq. */
const boundedJqSpreads: Readonly<Record<string, string>> = {
  'builtins/native.ts: call': 'as many as a function takes',
  'compile/calls.ts: native': 'as many as a builtin takes',
};

interface Crossing {
  readonly from: string;
  readonly to: string;
  readonly target: string;
}

function crossings(file: SourceText): Crossing[] {
  return file.imports.flatMap(({ target }) => {
    // package.json of the package itself is not a module.
    if (target === undefined || target.startsWith('package.json')) return [];
    const [from, to] = [moduleOf(file.path), moduleOf(target)];
    return from === to ? [] : [{ from, to, target }];
  });
}

function moduleOf(path: string): string {
  const slash = path.indexOf('/');
  return slash === -1 ? path : path.slice(0, slash + 1);
}

function namesIn(cell: string): string[] {
  return Array.from(cell.matchAll(/`([^`]+)`/g), ([, name]) => (name!.includes('.') ? name! : `${name!}/`));
}

/** In the order of the table. */
function readModules(): readonly string[] {
  const text = readFileSync(join(repository, 'ARCHITECTURE.md'), 'utf8');
  return Array.from(text.matchAll(/^\| `([^`]+)` \|[^|]*\|$/gm), ([, name]) => name!);
}

/** The modules of packages/jq in the order in which they build on each other. */
function readJqModules(): readonly string[] {
  const text = readFileSync(join(repository, 'ARCHITECTURE.md'), 'utf8');
  return namesIn(/imports\s+only\s+those\s+before\s+it:([^]*?)\n\n/.exec(text)?.[1] ?? '');
}

function withoutNotes(text: string): string {
  return text.replaceAll(/\/\*[^]*?\*\/|\/\/[^\n]*/g, '');
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[^]*?\*\/|\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'/g, '');
}

function findCycle(files: readonly SourceText[]): string | undefined {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]): string | undefined => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path].join(' → ');
    if (done.has(path)) return undefined;
    for (const { target, lazy } of byPath.get(path)?.imports ?? []) {
      const cycle = target === undefined || lazy ? undefined : visit(target, [...trail, path]);
      if (cycle !== undefined) return cycle;
    }
    done.add(path);
    return undefined;
  };
  for (const path of byPath.keys()) {
    const cycle = visit(path, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}
