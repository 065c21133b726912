import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundledSchemas, diskFileSystem } from '../src/host/index.ts';
import { createSchemaStore, readValues } from '../src/index.ts';
import type { BuildRequest, ParameterLayer } from '../src/index.ts';
import type { ProgramRunner } from '../src/model/index.ts';
import { repository } from './source-tree.ts';

/** What a case may say besides its documents, in `options.json`. */
interface CaseOptions {
  readonly namespace?: string;
  readonly strict?: boolean;
  readonly set?: readonly string[];
  readonly noProfile?: boolean;
}

export const applicationSource = join(repository, 'packages/kurel/src/renderers/application');
const applicationStore = createSchemaStore({ files: bundledSchemas() });

const handlers = ['catalog/components', 'catalog/traits', 'catalog/policies'];

interface ApplicationCase {
  readonly name: string;
  readonly directory: string;
  /** Whether something comes out of it. */
  readonly isBuilt: boolean;
}

/** Golden applications: those of each handler, and those of all of them together. */
export const applicationCases: readonly ApplicationCase[] = [
  ...handlers.flatMap((folder) =>
    list(join(applicationSource, folder, 'cases')).flatMap((type) =>
      list(join(applicationSource, folder, 'cases', type)).map((name) => `${folder}/cases/${type}/${name}`),
    ),
  ),
  ...list(join(applicationSource, 'cases')).map((name) => `cases/${name}`),
].map((name) => {
  const directory = join(applicationSource, name);
  return { name, directory, isBuilt: existsSync(join(directory, 'expected.yaml')) };
});

/** Files that the platform names are found below the case; messages name them as they are written there. */
export function requestOfCase(directory: string): Omit<BuildRequest, 'transformers'> {
  const at = (file: string): string | undefined => (existsSync(join(directory, file)) ? file : undefined);
  const options: CaseOptions =
    at('options.json') === undefined ? {} : JSON.parse(readCaseFile(directory, 'options.json'));
  return {
    path: '.',
    fileSystem: diskFileSystem({ workingDirectory: directory }),
    as: 'application',
    namespace: options.namespace,
    strict: options.strict,
    application: {
      profile: options.noProfile === true ? false : (at('cluster.yaml') ?? false),
    },
    policy: at('policy.yaml'),
    package: { layers: layersOf(directory, options) },
    programs: at('helm-output.yaml') === undefined ? undefined : recordedHelm(directory),
    store: () => applicationStore,
    validation: { store: applicationStore },
  };
}

/** Prints what helm printed when the case was made; a test of charts holds it against the real helm. */
function recordedHelm(directory: string): ProgramRunner {
  return { run: () => ({ exitCode: 0, stdout: readCaseFile(directory, 'helm-output.yaml'), stderr: '' }) };
}

function layersOf(directory: string, { set = [] }: CaseOptions): readonly ParameterLayer[] {
  const text = existsSync(join(directory, 'values.yaml')) ? readCaseFile(directory, 'values.yaml') : '';
  const values = { path: 'values.yaml', text };
  const data = readValues(values, () => undefined, { words: 'core' }) ?? {};
  return [
    ...(text === '' ? [] : [{ kind: 'values' as const, source: values, data }]),
    ...set.map((words, index) => ({
      kind: 'set' as const,
      source: { path: `--set[${index}]`, text: words },
      data: {},
    })),
  ];
}

function list(directory: string): readonly string[] {
  return existsSync(directory) ? readdirSync(directory).toSorted() : [];
}

export function readCaseFile(directory: string, file: string): string {
  return readFileSync(join(directory, file), 'utf8');
}
