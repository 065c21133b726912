import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { renderTargets } from '../../src/cli/fleet/diff-targets.ts';
import { openFleetRoots } from '../../src/cli/fleet/output-limits.ts';
import { openFleet } from '../../src/cli/fleet/open-fleet.ts';
import type { Environment } from '../../src/cli/environment.ts';
import { fleet as fleetCommand } from '../../src/cli/commands/fleet.ts';
import { parseFlags } from '../../src/cli/parse-flags.ts';
import { toJson } from '../../src/index.ts';
import type { KubeObject } from '../../src/model/index.ts';
import { locateInYaml, readYaml } from '../../src/yaml/index.ts';
import { runProgram } from '../run-program.ts';
import { repository } from '../source-tree.ts';
import { findingOf, itemsOf, textsOf } from './ask-commands.ts';
import type { Answer } from './ask-commands.ts';
import type { AgreementInput, InputSettings } from './collect-inputs.ts';
import { writeText } from './collect-inputs.ts';

/** An input in a directory of the fleet, whose name is also that of the target. */
export interface PlacedInput {
  readonly input: AgreementInput;
  readonly target: string;
}

/** What a fleet file calls the flags, and how it writes their values. */
const settings: Readonly<Record<string, (value: never, at: (path: string) => string) => object>> = {
  values: (paths: readonly string[], at) => ({ values: paths.map(at) }),
  patch: (paths: readonly string[], at) => ({ patches: paths.map(at) }),
  profile: (path: string, at) => ({ profile: at(path) }),
  policy: (path: string, at) => ({ policy: at(path) }),
  crds: (paths: readonly string[], at) => ({ crds: paths.map(at) }),
  'no-profile': (noProfile: boolean) => ({ noProfile }),
  namespace: (namespace: string) => ({ namespace }),
  enable: (enable: readonly string[]) => ({ enable }),
  set: (assignments: readonly string[]) => ({
    set: Object.fromEntries(assignments.map((assignment) => assignment.split('='))),
  }),
  'content-hash': (contentHash: boolean) => ({ contentHash }),
  'kubernetes-version': (kubernetesVersion: string) => ({ kubernetesVersion }),
  'flux-namespace': (namespace: string) => ({ flux: { namespace } }),
  strict: (strict: boolean) => ({ strict }),
  accept: (words: readonly string[]) => ({
    accept: words.map((word) => {
      const [code, object] = word.split(/=(.*)/s);
      return { code, ...(object === undefined ? {} : { object }), reason: 'accepted by the test' };
    }),
  }),
};

/** Whether a fleet file can say the same. Its paths must exist, and it has no standard input. */
export function canAskFleet({ flags, path, stdin, variables }: AgreementInput, directory: string): boolean {
  const names = Object.keys(flags);
  const files = [path, ...names.flatMap((name) => (pathFlags.has(name) ? [flags[name] ?? []].flat() : []))];
  const areFiles = files.every(
    (file) => !/^[-/.~]|[*?[\]{}]/.test(`${file}`) && existsSync(join(directory, `${file}`)),
  );
  // In a fleet file, one of them overrides the other.
  const hasBoth = flags['profile'] !== undefined && flags['no-profile'] === true;
  const areWords = names.every((name) =>
    [flags[name]].flat().every((value) => !/^=?$|\s$/.test(`${value}`) && !`${value}`.startsWith('=')),
  );
  // Others would need the syntax of assignments.
  const { set = [] } = flags as { readonly set?: readonly string[] };
  const areSettings = set.every(
    (assignment) => /^[a-z]+=[a-z]+$/.test(assignment) && !/=(?:true|false|null)$/.test(assignment),
  );
  const isPlain = areWords && areSettings && stdin === '' && variables['KURE_DEBUG'] === undefined;
  return areFiles && isPlain && !hasBoth && names.every((name) => Object.hasOwn(settings, name));
}

const pathFlags = new Set(['values', 'patch', 'profile', 'policy', 'crds']);

export function settingsOf(flags: InputSettings, at: (path: string) => string): object {
  const parts = Object.entries(flags).map(([name, value]) => settings[name]?.(value as never, at) ?? {});
  return Object.assign({}, ...parts) as object;
}

export interface FleetAnswers {
  readonly validate: ReadonlyMap<string, Answer>;
  readonly build: ReadonlyMap<string, Answer>;
  /** What `kurel fleet diff` and `kurel fleet images` build on each side. */
  readonly render: ReadonlyMap<string, Answer>;
  /** Of those targets that can be built, the images. */
  readonly images: ReadonlyMap<string, Answer>;
  /** Of those targets, what `kurel fleet diff` says is new. */
  readonly diff: ReadonlyMap<string, Answer>;
}

/** One fleet with a target for each input, compared with a revision that has none of them. */
export async function askFleet(root: string, placed: readonly PlacedInput[]): Promise<FleetAnswers> {
  git(root, 'init', '--quiet', '--initial-branch=main');
  git(root, 'commit', '--quiet', '--allow-empty', '--message', 'nothing');
  const targets = placed.map(({ input: { path, flags }, target }) => ({
    name: target,
    cluster: target,
    package: `${target}/${path}`,
    output: `rendered/${target}`,
    layout: 'stream',
    ...settingsOf(flags, (file) => `${target}/${file}`),
  }));
  // A cluster of its own, because targets of one cluster must not have the same objects.
  const clusters = Object.fromEntries(targets.map(({ name }) => [name, {}]));
  const document = { apiVersion: 'launcher.gokure.dev/v1alpha1', kind: 'Fleet', spec: { clusters, targets } };
  writeText(join(root, 'kurel.fleet.yaml'), JSON.stringify(document));
  const names = placed.map(({ target }) => target);
  const render = await askRender(root, names);
  // It reviews nothing if one of the targets cannot be built.
  const built = names.filter((name) => render.get(name)?.exitCode === 0);
  return {
    validate: await askRun(root, 'validate', names),
    build: await askRun(root, 'build', names, (target) => readOutput(join(root, 'rendered', target))),
    render,
    images: await askImages(root, built),
    diff: await askDiff(root, built),
  };
}

function git(directory: string, ...words: readonly string[]): void {
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'commit.gpgsign=false'];
  execFileSync('git', [...identity, ...words], { cwd: directory, stdio: 'pipe' });
}

type PrintedFinding = Parameters<typeof findingOf>[0] & {
  readonly targets?: readonly string[];
  readonly accepted?: object;
};

interface Report {
  readonly results: readonly { readonly name: string; readonly state: string }[];
}

async function askRun(
  root: string,
  action: 'validate' | 'build',
  names: readonly string[],
  shownOf: (target: string) => readonly string[] | undefined = () => undefined,
): Promise<ReadonlyMap<string, Answer>> {
  const report = join(root, 'report.json');
  const rest = ['--no-cache', '--jobs=1', '--max-findings=1000', '--message-format=json', '--report=report.json'];
  const { stdout, stderr } = await runProgram(['fleet', action, ...rest], { workingDirectory: root });
  const printed = JSON.parse(stdout === '' ? stderr : stdout) as readonly PrintedFinding[];
  if (!existsSync(report)) throw new Error(`no report: ${stderr.slice(0, 3000)}`);
  const { results } = JSON.parse(readFileSync(report, 'utf8')) as Report;
  const failed = new Set(results.flatMap(({ name, state }) => (state === 'failed' ? [name] : [])));
  const findings = byTarget(printed);
  return new Map(
    names.map((name) => [
      name,
      {
        exitCode: failed.has(name) ? 1 : 0,
        findings: findings.get(name) ?? [],
        shown: failed.has(name) ? undefined : shownOf(name),
      },
    ]),
  );
}

/** Findings of each target, with places as they are in its directory. */
function byTarget(printed: readonly PrintedFinding[]): ReadonlyMap<string, readonly ReturnType<typeof findingOf>[]> {
  const lists = new Map<string, ReturnType<typeof findingOf>[]>();
  for (const { targets = [], accepted, ...finding } of printed) {
    if (accepted !== undefined) continue;
    for (const target of targets) {
      const found = findingOf(finding);
      const list = lists.get(target) ?? [];
      // What is about a setting is at its line in the fleet file.
      const place = found.place.startsWith('kurel.fleet.yaml:') ? '' : found.place.replace(`${target}/`, '');
      list.push({ ...found, place });
      lists.set(target, list);
    }
  }
  return lists;
}

function readOutput(directory: string): readonly string[] | undefined {
  if (!existsSync(directory)) return undefined;
  const files = readdirSync(directory).filter((name) => /^[^.].*\.ya?ml$/.test(name));
  const objects = files.flatMap((name) => {
    const text = readFileSync(join(directory, name), 'utf8');
    return readYaml({ path: name, text }).documents.flatMap(({ data }) =>
      data === undefined ? [] : [data as KubeObject],
    );
  });
  return textsOf(itemsOf(objects));
}

/** The renderer of `kurel fleet diff` and `kurel fleet images`, which gives whole objects. */
async function askRender(root: string, names: readonly string[]): Promise<ReadonlyMap<string, Answer>> {
  const environment: Environment = {
    workingDirectory: root,
    variables: { PATH: process.env['PATH'] },
    stdoutIsTerminal: false,
    stderrIsTerminal: false,
    toolsDirectories: [join(repository, '.tools', 'bin')],
    readStdin: async () => '',
    writeStdout: () => undefined,
    writeStderr: () => undefined,
  };
  const opened = await openFleet(undefined, environment);
  const fleet = opened.fleet!;
  const { flags } = parseFlags(fleetCommand, ['images']);
  const selection = { targets: fleet.targets, ofAllShards: fleet.targets, isWhole: true, owns: () => true };
  const objects = new Map<string, readonly string[]>();
  const { diagnostics, sources } = await renderTargets(
    { flags, environment, opened, fleet, selection, roots: openFleetRoots(root, [], environment) },
    ({ name }, rendered) => void objects.set(name, textsOf(rendered)),
  );
  const printed = JSON.parse(toJson(diagnostics, { sources, locate: locateInYaml })) as readonly PrintedFinding[];
  const findings = byTarget(printed);
  return new Map(
    names.map((name) => [
      name,
      { exitCode: objects.has(name) ? 0 : 1, findings: findings.get(name) ?? [], shown: objects.get(name) },
    ]),
  );
}

async function askImages(root: string, names: readonly string[]): Promise<ReadonlyMap<string, Answer>> {
  const { stdout } = await runProgram(['fleet', 'images', '--format=json', '--', ...names], { workingDirectory: root });
  const { images } = JSON.parse(stdout) as {
    readonly images: readonly { readonly image: string; readonly targets: readonly string[] }[];
  };
  return new Map(
    names.map((name) => {
      const own = images.filter(({ targets }) => targets.includes(name)).map(({ image }) => image);
      return [name, { exitCode: 0, findings: [], shown: own.toSorted() }] as const;
    }),
  );
}

/** The kind and name of each object that `kurel fleet diff` says is new. */
async function askDiff(root: string, names: readonly string[]): Promise<ReadonlyMap<string, Answer>> {
  const words = ['fleet', 'diff', '--since=HEAD', '--format=json', '--message-format=json', '--', ...names];
  const { stdout } = await runProgram(words, { workingDirectory: root });
  const { changes } = JSON.parse(stdout) as { readonly changes: readonly PrintedChange[] };
  const lists = new Map(names.map((name) => [name, new Set<string>()]));
  for (const { kind, name, targets } of changes) {
    for (const target of targets) lists.get(target)?.add(`${kind} ${name}`);
  }
  const answers = Array.from(lists, ([name, shown]) => {
    return [name, { exitCode: 0, findings: [], shown: [...shown].toSorted() }] as const;
  });
  return new Map(answers);
}

interface PrintedChange {
  readonly kind: string;
  readonly name: string;
  readonly targets: readonly string[];
}
