import { join } from 'node:path';
import { bundledSchemas } from '../src/host/index.ts';
import { createSchemaStore, readValues } from '../src/index.ts';
import type { BuildRequest, ParameterLayer, SchemaStore } from '../src/index.ts';
import type { ProgramRunner } from '../src/model/index.ts';
import { fileSystemOf } from './case-file-system.ts';
import { listCases, openCase } from './golden-case.ts';
import type { GoldenCase } from './golden-case.ts';
import { repository } from './source-tree.ts';

/** What a case may say besides its documents, in `options.json`. */
interface CaseOptions {
  readonly namespace?: string;
  readonly strict?: boolean;
  readonly set?: readonly string[];
  readonly noProfile?: boolean;
  readonly kubernetesVersion?: string;
}

export const applicationSource = join(repository, 'packages/kurel/src/forms/application');
const applicationStore = createSchemaStore({ files: bundledSchemas() });
const storeFor = (kubernetesVersion: string): SchemaStore =>
  createSchemaStore({ files: bundledSchemas(), kubernetesVersion });

const handlers = ['catalog/components', 'catalog/traits', 'catalog/policies'];

interface ApplicationCase {
  readonly name: string;
  readonly files: GoldenCase;
  /** Whether something comes out of it. */
  readonly isBuilt: boolean;
}

/** Golden applications: those of each handler, and those of all of them together. */
export const applicationCases: readonly ApplicationCase[] = [
  ...handlers.flatMap((folder) =>
    listCases(join(applicationSource, folder, 'cases')).flatMap((type) =>
      listCases(join(applicationSource, folder, 'cases', type)).map((name) => `${folder}/cases/${type}/${name}`),
    ),
  ),
  ...listCases(join(applicationSource, 'cases')).map((name) => `cases/${name}`),
].map((name) => {
  const files = openCase(join(applicationSource, name));
  return { name, files, isBuilt: files.has('expected.yaml') };
});

/** Files that the platform names are found below the case; messages name them as they are written there. */
export function requestOfCase(files: GoldenCase): Omit<BuildRequest, 'transformers'> {
  const at = (file: string): string | undefined => (files.has(file) ? file : undefined);
  const options: CaseOptions = at('options.json') === undefined ? {} : JSON.parse(files.read('options.json'));
  const { kubernetesVersion } = options;
  const store = kubernetesVersion === undefined ? applicationStore : storeFor(kubernetesVersion);
  return {
    path: '.',
    fileSystem: fileSystemOf(files),
    as: 'application',
    namespace: options.namespace,
    strict: options.strict,
    application: {
      profile: options.noProfile === true ? false : (at('cluster.yaml') ?? false),
    },
    policy: at('policy.yaml'),
    package: { layers: layersOf(files, options) },
    programs: at('helm-output.yaml') === undefined ? undefined : recordedHelm(files),
    store: () => store,
    validation: { store },
  };
}

/** Prints what helm printed when the case was recorded; a test of charts compares that with the real helm. */
function recordedHelm(files: GoldenCase): ProgramRunner {
  return { run: () => ({ exitCode: 0, stdout: files.read('helm-output.yaml'), stderr: '' }) };
}

function layersOf(files: GoldenCase, { set = [] }: CaseOptions): readonly ParameterLayer[] {
  const text = files.has('values.yaml') ? files.read('values.yaml') : '';
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
