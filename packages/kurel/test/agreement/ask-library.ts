import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { deepMerge } from '../../src/engine/index.ts';
import { bundledSchemas, diskFileSystem, programRunner } from '../../src/host/index.ts';
import { build, createSchemaStore, locateInYaml, readPatchFile, readValues, toJson } from '../../src/index.ts';
import type { BuildRequest, ParameterLayer, PatchFile } from '../../src/index.ts';
import { createBudget } from '../../src/budget/index.ts';
import type { Diagnostic, FileSystem, SourceFile, Values } from '../../src/model/index.ts';
import { repository } from '../source-tree.ts';
import { readFindings, textsOf } from './ask-commands.ts';
import type { Answer, Place } from './ask-commands.ts';
import type { AgreementInput } from './collect-inputs.ts';
import { asPrinted } from '../format-printed.ts';

/** The flags that somebody who calls `build` writes as they are; others are about words of the command line. */
const known = new Set([
  'as',
  'values',
  'patch',
  'namespace',
  'strict',
  'profile',
  'no-profile',
  'policy',
  'enable',
  'kubernetes-version',
  'crds',
  'release-name',
  'include-crds',
  'name-prefix',
  'name-suffix',
  'content-hash',
  'flux-namespace',
]);

type Known = Readonly<Record<string, string & boolean & readonly string[]>>;

/** Somebody who calls it has read the files, and passes text. */
export function canAskLibrary({ flags, path, stdin, variables }: AgreementInput, directory: string): boolean {
  const { values = [], patch = [] } = flags as { values?: readonly string[]; patch?: readonly string[] };
  const isRead = [...values, ...patch].every(
    (file) => existsSync(join(directory, file)) && /\.(?:kpatch|ya?ml)$/.test(file),
  );
  const isPlain = path !== '-' && path !== '.' && stdin === '' && variables['KURE_DEBUG'] === undefined;
  return isPlain && isRead && Object.keys(flags).every((name) => known.has(name));
}

/** Calls `build` as a program of another author would, without the code that reads flags. */
export async function askLibrary(input: AgreementInput, place: Place): Promise<Answer> {
  const { path } = input;
  const flags = input.flags as Partial<Known>;
  const fileSystem = diskFileSystem({ workingDirectory: place.directory });
  const findings: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic): void => void findings.push(diagnostic);
  const { files, layers, sources } = await readFiles(flags, { fileSystem, report });
  if (findings.some(({ severity }) => severity === 'error')) {
    return {
      exitCode: 1,
      findings: readFindings(toJson(findings, { sources, locate: locateInYaml })),
      shown: undefined,
    };
  }
  const store = createSchemaStore({
    files: bundledSchemas(),
    kubernetesVersion: flags['kubernetes-version'],
    memory: place.memory,
  });
  const values = layers.reduce<Values>((merged, { data }) => deepMerge(merged, data), {});
  const request: BuildRequest = {
    path,
    fileSystem,
    programs: programRunner({
      workingDirectory: place.directory,
      environment: { PATH: process.env['PATH'] },
      toolsDirectories: [join(repository, '.tools', 'bin')],
    }),
    as: flags.as,
    values,
    package: { layers, force: flags.enable },
    patches: files.length === 0 ? undefined : { files, layers, variables: { scope: 'alone', values } },
    namespace: flags.namespace,
    strict: flags.strict,
    application: {
      profile: flags['no-profile'] === true ? false : flags.profile,
      fluxNamespace: flags['flux-namespace'],
    },
    policy: flags.policy,
    chart: { releaseName: flags['release-name'], includeCrds: flags['include-crds'] },
    names: { prefix: flags['name-prefix'], suffix: flags['name-suffix'], contentHash: flags['content-hash'] },
    validation: { store },
    crds: flags.crds,
    findings,
    budget: createBudget({}, place.memory),
  };
  const result = await build(request);
  return {
    exitCode: result.ok ? 0 : 1,
    findings: readFindings(toJson(asPrinted(result.diagnostics), { sources: result.sources, locate: locateInYaml })),
    shown: result.ok ? textsOf(result.objects) : undefined,
  };
}

interface Reading {
  readonly fileSystem: FileSystem;
  readonly report: (diagnostic: Diagnostic) => void;
}

async function readFiles(flags: Partial<Known>, { fileSystem, report }: Reading) {
  const files: PatchFile[] = [];
  const sources: SourceFile[] = [];
  for (const path of flags.patch ?? []) {
    const source = { path, text: await fileSystem.readText(path) };
    sources.push(source);
    files.push(readPatchFile(source, report));
  }
  const layers: ParameterLayer[] = [];
  for (const path of flags.values ?? []) {
    const source = { path, text: await fileSystem.readText(path) };
    sources.push(source);
    const data = readValues(source, report, { words: flags.as === 'chart' ? 'kubernetes' : 'core' });
    if (data !== undefined) layers.push({ kind: 'values', source, data });
  }
  return { files, layers, sources };
}
