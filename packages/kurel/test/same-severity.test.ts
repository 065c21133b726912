import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { runProgram } from './run-program.ts';

type Steps = readonly (string | number)[];

type Typing = 'patch' | 'parameter';

interface Mistake {
  /** `deployment`, as patches name the kind. */
  readonly kind: keyof typeof objects;
  readonly path: Steps;
  readonly value: string | number;
  /** Field patches, and parameters of applications, give some values the type of their field: there this is correct. */
  readonly typedBy?: readonly Typing[];
  readonly finding: string;
}

const metadata = { name: 'web' };
const objects = {
  deployment: {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata,
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: {
          containers: [{ name: 'web', image: 'example.com/web:1.0', ports: [{ name: 'http', containerPort: 8080 }] }],
        },
      },
    },
  },
  service: {
    apiVersion: 'v1',
    kind: 'Service',
    metadata,
    spec: { selector: { app: 'web' }, ports: [{ name: 'http', port: 80, targetPort: 'http' }] },
  },
  configmap: { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { a: 'b' } },
  ingress: {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata,
    spec: {
      rules: [
        {
          host: 'web.example.com',
          http: {
            paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 'web', port: { number: 80 } } } }],
          },
        },
      ],
    },
  },
} as const;

const portPath = ['spec', 'rules', 0, 'http', 'paths', 0, 'backend', 'service', 'port', 'number'];

const mistakes: Readonly<Record<string, Mistake>> = {
  'replicas: lots': {
    kind: 'deployment',
    path: ['spec', 'replicas'],
    value: 'lots',
    finding: 'error field-type',
  },
  'replica: 3': { kind: 'deployment', path: ['spec', 'replica'], value: 3, finding: 'error field-unknown' },
  'replicas: "5"': {
    kind: 'deployment',
    path: ['spec', 'replicas'],
    value: '5',
    typedBy: ['patch'],
    finding: 'error field-type',
  },
  'data: {a: 1}': {
    kind: 'configmap',
    path: ['data', 'a'],
    value: 1,
    typedBy: ['patch', 'parameter'],
    finding: 'error field-type',
  },
  'a route to a port that does not exist': {
    kind: 'ingress',
    path: portPath,
    value: 81,
    finding: 'warning port-missing',
  },
};

interface Input {
  readonly files: Readonly<Record<string, string>>;
  readonly words: readonly string[];
}

interface Entry {
  readonly typing?: Typing | undefined;
  readonly make: (mistake: Mistake) => Input;
}

const patches = {
  'a field patch': { file: '10-it.kpatch', write: writeFieldPatch, typing: 'patch' },
  'a strategic merge': { file: '10-it.patch.yaml', write: writeStrategicPatch, typing: undefined },
  'a JSON patch': { file: '10-it.patch.yaml', write: writeJsonPatch, typing: undefined },
} as const;

const variable = '${values.it}';

const entries: Readonly<Record<string, Entry>> = {
  'a manifest': { make: (mistake) => ({ files: manifests(mistake), words: ['in'] }) },
  '--jq': { make: (mistake) => ({ files: manifests(), words: ['in', '--jq', writeJq(mistake)] }) },
  ...Object.fromEntries(
    Object.entries(patches).flatMap(([title, { file, write: writePatch, typing }]): [string, Entry][] => [
      [
        `${title} with --patch`,
        {
          typing,
          make: (mistake) => ({
            files: { ...manifests(), [file]: writePatch(mistake) },
            words: ['in', '--patch', file],
          }),
        },
      ],
      [
        `${title} of a patch package`,
        {
          typing,
          make: (mistake) => ({
            files: { ...packageFiles(), [`web.kurel/patches/${file}`]: writePatch(mistake) },
            words: ['web.kurel'],
          }),
        },
      ],
    ]),
  ),
  'a resource of a patch package': {
    make: (mistake) => ({ files: packageFiles(mistake), words: ['web.kurel'] }),
  },
  'a values file, through a patch': {
    typing: 'patch',
    make: (mistake) => ({
      files: {
        ...manifests(),
        'p.kpatch': writeFieldPatch(mistake, variable),
        'v.yaml': JSON.stringify({ it: mistake.value }),
      },
      words: ['in', '--patch', 'p.kpatch', '--values', 'v.yaml'],
    }),
  },
  '--set, through a patch': {
    typing: 'patch',
    make: (mistake) => ({
      files: { ...manifests(), 'p.kpatch': writeFieldPatch(mistake, variable) },
      words: ['in', '--patch', 'p.kpatch', '--set', `it=${mistake.value}`],
    }),
  },
  'a property': { make: (mistake) => ({ files: applicationFiles(mistake), words: ['app', '--no-profile'] }) },
  'a values file, through a property': {
    typing: 'parameter',
    make: (mistake) => ({
      files: {
        ...applicationFiles({ ...mistake, value: '${it}' }, mistake.value),
        'v.yaml': JSON.stringify({ it: mistake.value }),
      },
      words: ['app', '--no-profile', '--values', 'v.yaml'],
    }),
  },
  '--set, through a property': {
    typing: 'parameter',
    make: (mistake) => ({
      files: applicationFiles({ ...mistake, value: '${it}' }, mistake.value),
      words: ['app', '--no-profile', '--set', `it=${mistake.value}`],
    }),
  },
  'a patch of an application package': {
    typing: 'patch',
    make: (mistake) => ({
      files: { ...applicationFiles(), 'app/patches/it.kpatch': writeFieldPatch(mistake) },
      words: ['app', '--no-profile'],
    }),
  },
};

let workingDirectory: string;

beforeEach(() => {
  workingDirectory = mkdtempSync(join(tmpdir(), 'kurel-mistake-'));
});

afterEach(() => rmSync(workingDirectory, { recursive: true }));

/** Every entry in which the mistake is one. */
function fitting<Kind extends Pick<Entry, 'typing'>>(
  { typedBy = [] }: Mistake,
  table: Readonly<Record<string, Kind>>,
): readonly [string, Kind][] {
  return Object.entries(table).filter(([, { typing }]) => typing === undefined || !typedBy.includes(typing));
}

// The same mistake has the same code and severity, whatever way it comes in, and `build` reports what `validate` reports.
describe.each(Object.entries(mistakes))('%s', (_title, mistake) => {
  const isError = mistake.finding.startsWith('error');

  it.each(fitting(mistake, entries))('in %s', async (_entry, { make }) => {
    const { files, words } = make(mistake);
    write(files);
    const built = await runProgram(['build', ...words, '--message-format', 'json'], { workingDirectory });
    expect(findingsIn(built.stderr)).toEqual([mistake.finding]);
    expect([built.exitCode, built.stdout === '']).toEqual(isError ? [1, true] : [0, false]);
    const validated = await runProgram(['validate', ...words, '--format', 'json'], { workingDirectory });
    expect(findingsIn(validated.stdout)).toEqual([mistake.finding]);
    expect(validated.exitCode).toBe(isError ? 1 : 0);
    const strict = await runProgram(['build', ...words, '--strict'], { workingDirectory });
    expect([strict.exitCode, strict.stdout]).toEqual([1, '']);
    const unvalidated = await runProgram(['build', ...words, '--no-validate'], { workingDirectory });
    expect([unvalidated.exitCode, unvalidated.stderr]).toEqual([
      0,
      'note[output-not-validated]: the output was not validated; remove --no-validate to validate it\n\n1 note\n',
    ]);
  });

  // Files to patch are a part of what runs in a cluster, so references from them are not followed.
  it.runIf(isError).each(fitting(mistake, patches))('in %s of kurel patch', async (_patch, patch) => {
    write({ ...manifests(), [patch.file]: patch.write(mistake) });
    const words = ['patch', 'in', '--patch', patch.file, '--message-format', 'json'];
    const { exitCode, stdout, stderr } = await runProgram(words, { workingDirectory });
    expect([exitCode, stdout, findingsIn(stderr)]).toEqual([1, '', [mistake.finding]]);
  });
});

describe('inputs without a mistake', () => {
  it.each([
    [manifests(), ['in']],
    [packageFiles(), ['web.kurel']],
    [applicationFiles(), ['app', '--no-profile']],
  ] as const)('are built in silence', async (files, words) => {
    write(files);
    const { exitCode, stderr } = await runProgram(['build', ...words, '--strict'], { workingDirectory });
    expect([exitCode, stderr]).toEqual([0, '']);
  });
});

function write(files: Input['files']): void {
  for (const [path, text] of Object.entries(files)) {
    const file = join(workingDirectory, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/** `error field-type`, of everything but notes; the report about a patch package has them in two lists. */
function findingsIn(json: string): readonly string[] {
  const data = JSON.parse(json);
  const findings: readonly { severity: string; code: string }[] = Array.isArray(data)
    ? data
    : [...data.errors, ...data.warnings];
  return findings.filter(({ severity }) => severity !== 'note').map(({ severity, code }) => `${severity} ${code}`);
}

type Data = Record<string | number, unknown>;

/** The object with the mistake in it. */
function spoil({ kind, path, value }: Mistake): Data {
  const object = structuredClone<unknown>(objects[kind]) as Data;
  let holder = object;
  for (const step of path.slice(0, -1)) holder = holder[step] as Data;
  holder[path.at(-1)!] = value;
  return object;
}

function manifests(mistake?: Mistake): Record<string, string> {
  return Object.fromEntries(
    Object.entries(objects).map(([kind, object]) => [
      `in/${kind}.yaml`,
      JSON.stringify(mistake?.kind === kind ? spoil(mistake) : object),
    ]),
  );
}

function packageFiles(mistake?: Mistake): Record<string, string> {
  const resources = Object.entries(manifests(mistake)).map(([path, text]) => [
    path.replace(/^in/, 'web.kurel/resources'),
    text,
  ]);
  const kurel = { name: 'web', version: '1.0.0', appVersion: '1.0.0' };
  return { ...Object.fromEntries(resources), 'web.kurel/parameters.yaml': JSON.stringify({ kurel }) };
}

const apiVersion = 'launcher.gokure.dev/v1alpha1';

/** Each object in a component of its own; `given` is what the parameter will be. */
function applicationFiles(mistake?: Mistake, given?: string | number): Record<string, string> {
  const components = Object.entries(objects).map(([kind, object]) => ({
    name: kind,
    type: 'passthrough',
    properties: { object: mistake?.kind === kind ? spoil(mistake) : object },
  }));
  const app = { apiVersion, kind: 'Application', metadata: { name: 'web', namespace: 'web' }, spec: { components } };
  const files = { 'app/app.yaml': JSON.stringify(app) };
  if (given === undefined) return files;
  const type = typeof given === 'string' ? 'string' : 'integer';
  const spec = { parameters: [{ name: 'it', type, required: true }] };
  const own = { apiVersion, kind: 'Package', metadata: { name: 'web', version: '1.0.0' }, spec };
  return { ...files, 'app/kurel.yaml': JSON.stringify(own) };
}

function writeFieldPatch({ kind, path, value }: Mistake, text: string = JSON.stringify(value)): string {
  const steps = path.map((step, index) =>
    typeof step === 'number' ? `[${step}]` : `${index === 0 ? '' : '.'}${step}`,
  );
  return `[${kind}.web]\n${steps.join('')}: ${text}\n`;
}

function writeStrategicPatch(mistake: Mistake): string {
  const [field = ''] = mistake.path;
  return JSON.stringify([
    { target: `${mistake.kind}.web`, type: 'strategic', patch: { [field]: spoil(mistake)[field] } },
  ]);
}

function writeJsonPatch({ kind, path, value }: Mistake): string {
  return JSON.stringify([
    { target: `${kind}.web`, type: 'json', patch: [{ op: 'add', path: `/${path.join('/')}`, value }] },
  ]);
}

function writeJq({ kind, path, value }: Mistake): string {
  const steps = path.map((step) => `[${JSON.stringify(step)}]`).join('');
  return `if .kind == "${objects[kind].kind}" then .${steps} = ${JSON.stringify(value)} else . end`;
}
