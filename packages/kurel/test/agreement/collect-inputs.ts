import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { commandTable } from '../../src/cli/command-table.ts';
import { flagsOfSide } from '../../src/cli/diff/build-side.ts';
import { inputFlags } from '../../src/cli/input-flags.ts';
import { readLine } from '../../src/cli/parse-flags.ts';
import { listSet } from '../../src/settings/index.ts';
import type { LayoutName } from '../../src/index.ts';
import { listCases, openCase } from '../golden-case.ts';
import type { GoldenCase } from '../golden-case.ts';
import { ofSettings } from './settings-inputs.ts';
import { programCases, surroundingsOf, wordsOf } from '../program-case.ts';
import { repository } from '../source-tree.ts';

/** One build that all askers are asked about. */
export interface AgreementInput {
  /** Where it comes from. */
  readonly name: string;
  /** The argument, relative to the directory that `copyTo` fills. */
  readonly path: string;
  /** The flags that were given, of those that every command with an input has. */
  readonly flags: InputSettings;
  readonly stdin: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly copyTo: (directory: string) => void;
  /** The layout of a directory. Only inputs that have one are asked in all ways to give settings and to write objects. */
  readonly layout?: LayoutName | undefined;
}

type Flags = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
export type InputSettings = Partial<Flags>;

const sources = join(repository, 'packages', 'kurel', 'src');
const tests = join(repository, 'packages', 'kurel', 'test');
const flagNames = Object.keys(inputFlags);

/** Every case and example that is an input of a build, each with its settings, and each combination once. */
export async function collectInputs(): Promise<readonly AgreementInput[]> {
  const collected = [
    ...(await ofProgramCases()),
    ...ofApplications(),
    ...ofPackages(join(sources, 'forms', 'patch-package', 'cases'), 'input'),
    ...ofPackages(join(sources, 'forms', 'patch-package', 'schema', 'cases'), ''),
    ...ofPackages(join(tests, 'fixtures'), ''),
    ...ofFile(join(sources, 'validate', 'cases'), 'input.yaml'),
    ...ofPatches(),
    ...ofCorpus(),
    ...ofExamples(),
    ...ofSettings(),
  ];
  const seen = new Set<string>();
  return collected.filter((input) => {
    const isNew = !seen.has(input.key);
    seen.add(input.key);
    return isNew;
  });
}

interface CollectedInput extends AgreementInput {
  /** Equal inputs have equal keys. */
  readonly key: string;
}

interface InputParts extends Pick<AgreementInput, 'path'> {
  readonly flags?: Flags | undefined;
  readonly stdin?: string | undefined;
  readonly variables?: AgreementInput['variables'] | undefined;
  /** The directory of the case that is copied. */
  readonly below?: string | undefined;
  /** Whether it is copied to a directory of that name instead of the top. */
  readonly into?: string | undefined;
}

const plainVariables = { PATH: process.env['PATH'] };

function inputOf(one: GoldenCase, name: string, parts: InputParts): CollectedInput {
  const { path, flags = {}, stdin = '', variables = plainVariables, below = '', into = '' } = parts;
  const given = Object.fromEntries(listSet(flags, flagNames).map((flag) => [flag, flags[flag]]));
  const start = below === '' ? '' : `${below}/`;
  const files = one.list().filter((file) => file.startsWith(start) && !/^(?:expected|command)/.test(file));
  // Links and modes of a directory are not in its texts.
  const content = one.directory ?? files.map((file) => [file.slice(start.length), one.read(file)]);
  const digest = createHash('sha256')
    .update(JSON.stringify([content, stdin, variables, into]))
    .digest('hex');
  return {
    name,
    path,
    flags: given,
    stdin,
    variables,
    copyTo: (directory) => one.copyTo(join(directory, into), below),
    key: JSON.stringify([digest, path, given]),
  };
}

function casesIn(folder: string): readonly GoldenCase[] {
  return listCases(folder).map((name) => openCase(join(folder, name)));
}

const commands = ['build', 'validate', 'explain', 'images', 'diff', 'patch', 'info', 'patches', 'push', 'attest'];

/** The inputs of all commands that have some, with the flags that all of them have. */
async function ofProgramCases(): Promise<readonly CollectedInput[]> {
  const lists = casesIn(programCases).map(async (one) => {
    const [name, ...words] = wordsOf(one);
    const entry = commandTable.find((command) => command.name === name);
    if (entry === undefined || !commands.includes(entry.name)) return [];
    const command = await entry.load();
    const { positionals, flags, error } = readLine(command, words);
    if (error !== undefined || flags.help) return [];
    const calls = callsOf(entry.name, positionals, flags);
    return calls
      .filter(({ path }) => !/^oci:|^[\w.~^-]+:/.test(path))
      .map(({ path, flags: own }) =>
        inputOf(one, `cases/${one.name}`, { path, flags: own, below: 'input', ...surroundingsOf(one) }),
      );
  });
  return (await Promise.all(lists)).flat();
}

function callsOf(
  command: string,
  positionals: readonly string[],
  flags: Flags,
): readonly { readonly path: string; readonly flags: Flags }[] {
  const [first = '', second = first] = positionals;
  if (command === 'diff') {
    const sided = flags as unknown as Parameters<typeof flagsOfSide>[0];
    return [
      { path: first, flags: flagsOfSide(sided, 'a') },
      { path: second, flags: flagsOfSide(sided, 'b') },
    ];
  }
  const takesSeveral = command === 'validate' || command === 'patch';
  return (takesSeveral ? positionals : [first]).map((path) => ({ path, flags }));
}

const applicationFolders = ['catalog/components', 'catalog/traits', 'catalog/policies'];

interface CaseOptions {
  readonly namespace?: string;
  readonly strict?: boolean;
  readonly set?: readonly string[];
  readonly kubernetesVersion?: string;
}

/** They are many, and much alike. */
const applicationStride = 4;

/** Golden applications. Those of charts have the recorded output of helm, which no program can read. */
function ofApplications(): readonly CollectedInput[] {
  const root = join(sources, 'forms', 'application');
  const folders = [
    ...applicationFolders.flatMap((folder) =>
      listDirectories(join(root, folder, 'cases')).map((type) => join(root, folder, 'cases', type)),
    ),
    join(root, 'cases'),
  ];
  return folders
    .flatMap(casesIn)
    .filter((one, index) => !one.has('helm-output.yaml') && index % applicationStride === 0)
    .map((one) => {
      const at = (file: string): string | undefined => (one.has(file) ? `app/${file}` : undefined);
      const options = (one.has('options.json') ? JSON.parse(one.read('options.json')) : {}) as CaseOptions;
      const profile = at('cluster.yaml');
      const flags = {
        profile,
        'no-profile': profile === undefined,
        policy: at('policy.yaml'),
        values: one.has('values.yaml') ? ['app/values.yaml'] : [],
        namespace: options.namespace,
        strict: options.strict,
        set: options.set,
        'kubernetes-version': options.kubernetesVersion,
      };
      return inputOf(one, `application/${one.name}`, { path: 'app', flags, into: 'app' });
    });
}

/** The packages in cases: directories with parameters.yaml or app.yaml, alone and with the values beside them. */
function ofPackages(folder: string, below: string): readonly CollectedInput[] {
  return casesIn(folder)
    .filter((one) => one.directory === undefined)
    .flatMap((one) => {
      const start = below === '' ? '' : `${below}/`;
      const files = one.list().flatMap((file) => (file.startsWith(start) ? [file.slice(start.length)] : []));
      const marked = files.filter((file) => /(?:^|\/)(?:parameters|app)\.yaml$/.test(file));
      const paths = new Set(marked.map((file) => dirname(file)).filter((path) => !path.endsWith('.local.kurel')));
      return [...paths].flatMap((path) => {
        const place = path === '.' ? { path: 'package.kurel', into: 'package.kurel' } : { path };
        const name = `packages/${one.name}`;
        const alone = inputOf(one, name, { ...place, below });
        const values = files.includes('values.yaml') && path !== '.' ? ['values.yaml'] : [];
        return values.length === 0 ? [alone] : [alone, inputOf(one, name, { ...place, below, flags: { values } })];
      });
    });
}

/** Cases that are one file. */
function ofFile(folder: string, file: string): readonly CollectedInput[] {
  return casesIn(folder)
    .filter((one) => one.has(file))
    .map((one) => inputOf(one, `${file}/${one.name}`, { path: file }));
}

/** Manifests with patches. */
function ofPatches(): readonly CollectedInput[] {
  const applied = casesIn(join(sources, 'patch', 'apply', 'cases')).filter((one) => one.has('base.yaml'));
  return applied.map((one) => {
    const patches = one.list().filter((file) => /^(?!base\.|expected|values).*\.(?:kpatch|yaml)$/.test(file));
    const values = one.has('values.yaml') ? ['values.yaml'] : [];
    return inputOf(one, `patches/${one.name}`, { path: 'base.yaml', flags: { patch: patches, values } });
  });
}

/** A sample of the directories of each project, because its manifests are much alike. */
const directoriesOfProject = 4;
const filesOfDirectory = 12;

/** Manifests of other projects, by directory. */
function ofCorpus(): readonly CollectedInput[] {
  return casesIn(join(repository, 'test', 'corpus', 'cases', 'manifests')).flatMap((one) => {
    const counts = new Map<string, number>();
    for (const file of one.list()) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
    const small = [...counts].filter(([path, count]) => path !== '.' && count <= filesOfDirectory);
    return small
      .slice(0, directoriesOfProject)
      .map(([path]) =>
        inputOf(one, `corpus/${one.name}/${path}`, { path: 'manifests', below: path, into: 'manifests' }),
      );
  });
}

/** What the directories below `examples` that are inputs are built with. */
const examples: readonly { readonly path: string; readonly flags?: Flags }[] = [
  { path: 'accepted' },
  { path: 'plain' },
  { path: 'policy/mistakes.yaml', flags: { policy: 'policy/policy.yaml' } },
  { path: 'policy/mistakes.yaml' },
  { path: 'plain', flags: { patch: ['patch/production.kpatch'] } },
  { path: 'plain', flags: { patch: ['patch/lists.kpatch', 'patch/strategic.yaml'] } },
  { path: 'plain', flags: { patch: ['patch/mistakes.kpatch'] } },
  { path: 'plain', flags: { patch: ['patch/day.kpatch', 'patch/night.kpatch'] } },
  { path: 'plain', flags: { patch: ['patch/draft.kpatch'] } },
  { path: 'packages/gitea.kurel' },
  { path: 'packages/hello.kurel' },
  { path: 'packages/queue-operator.kurel' },
  { path: 'applications/metrics' },
  { path: 'applications/mistakes', flags: { 'no-profile': true } },
  { path: 'applications/shop', flags: { 'no-profile': true } },
  { path: 'applications/web', flags: { 'no-profile': true } },
  {
    path: 'fleet/packages/shop',
    flags: { profile: 'fleet/platform/staging.yaml', values: ['fleet/values/shop.yaml'] },
  },
  { path: 'fleet/packages/search.kurel', flags: { policy: 'fleet/platform/policy.yaml' } },
  { path: 'fleet/packages/worker', flags: { profile: 'fleet/platform/production.yaml' } },
  { path: 'chart' },
  { path: 'kustomize/base' },
];

function ofExamples(): readonly CollectedInput[] {
  const root = join(repository, 'examples');
  return examples.map(({ path, flags = {} }) => ({
    name: `examples/${path}`,
    path,
    flags,
    stdin: '',
    variables: plainVariables,
    copyTo: (directory) => cpSync(root, directory, { recursive: true }),
    key: JSON.stringify([root, path, flags]),
  }));
}

function listDirectories(folder: string): readonly string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

/** A directory of its own for the input. */
export function placeInput({ copyTo }: Pick<AgreementInput, 'copyTo'>, directory: string): void {
  mkdirSync(directory, { recursive: true });
  copyTo(directory);
}

export function writeText(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
