import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { diagnosticsOf, sourcesOfError } from '../src/diagnostics/index.ts';
import { createOriginTable, createRenderContext } from '../src/engine/index.ts';
import { diskFileSystem, programRunner } from '../src/host/index.ts';
import { decodeObjects } from '../src/kube/index.ts';
import type {
  Diagnostic,
  FileSystem,
  KubeObject,
  OriginTable,
  ProgramRunner,
  Rendered,
  Renderer,
  SourceFile,
  Values,
} from '../src/model/index.ts';
import { locateInYaml, readYaml } from '../src/yaml/index.ts';
import { recordReads } from '../src/reads/index.ts';
import { listCases, openCase } from './golden-case.ts';
import type { GoldenCase } from './golden-case.ts';
import { formatPrinted } from './format-printed.ts';

/** Where the pinned programs are; `npm run tools` puts them there. */
const toolsDirectory = process.env.KUREL_TOOLS ?? join(import.meta.dirname, '../../../.tools/bin');

/** Where a pinned program is. */
export function toolFile(program: string): string {
  return join(toolsDirectory, process.platform === 'win32' ? `${program}.exe` : program);
}

/** Tests that need the real program: without it they are skipped loudly, and fail where `CI` is `true`. Only Debian and Ubuntu have nginx. */
export function describeWithProgram(
  program:
    | 'argocd-cmp'
    | 'control-plane'
    | 'cosign'
    | 'crane'
    | 'helm'
    | 'helm-4'
    | 'kustomize'
    | 'nginx'
    | 'registry'
    | 'sops'
    | 'source-controller'
    | 'yaml-live',
  name: string,
  body: (file: string) => void,
): void {
  const file = toolFile(program);
  if (existsSync(file)) {
    describe(name, () => body(file));
    return;
  }
  const message = `${program} is not in ${toolsDirectory}; run \`npm run tools\``;
  if (process.env.CI === 'true' && program !== 'nginx') it(`${name} needs ${program}`, () => expect.fail(message));
  else {
    console.warn(`SKIPPED: ${name}: ${message}`);
    describe.skip(name, () => body(file));
  }
}

export interface Helm {
  readonly major: 3 | 4;
  readonly file: string;
  /** A directory in which it is called `helm`, for `KUREL_TOOLS`. */
  readonly directory: string;
}

/** Tests that need the real helm, with each of its major versions. */
export function describeWithHelms(name: string, body: (helm: Helm) => void): void {
  describeWithProgram('helm', `${name} with helm 3`, (file) => body({ major: 3, file, directory: toolsDirectory }));
  describeWithProgram('helm-4', `${name} with helm 4`, (file) => {
    const directory = mkdtempSync(join(tmpdir(), 'kurel-helm-'));
    symlinkSync(file, join(directory, basename(toolFile('helm'))));
    afterAll(() => rmSync(directory, { recursive: true, force: true }));
    body({ major: 4, file, directory });
  });
}

export interface CaseWorld {
  /** Shows the case's directory; relative paths count from there. */
  readonly fileSystem: FileSystem;
  readonly programs: ProgramRunner;
}

export interface CaseOutcome {
  /** `undefined` when the render failed. */
  readonly objects: readonly KubeObject[] | undefined;
  readonly origins: OriginTable;
  /** Formatted; what is peculiar to this machine is replaced. */
  readonly findings: string;
}

/** Copies all cases of a folder into a directory, where programs can read them and one can name the files of another. */
export function copyCases(folder: string): string {
  const copy = mkdtempSync(join(tmpdir(), 'kurel-cases-'));
  for (const name of listCases(folder)) openCase(join(folder, name)).copyTo(join(copy, name));
  return copy;
}

/** Renders in the directory of a case, with the real program. */
export async function renderCase(
  directory: string,
  options: {
    readonly values?: Values;
    readonly tools?: string;
    readonly create: (world: CaseWorld) => Renderer<Rendered>;
  },
): Promise<CaseOutcome> {
  const texts = recordReads({ fileSystem: diskFileSystem({ workingDirectory: directory }) });
  const environment = { KUREL_TOOLS: options.tools ?? toolsDirectory };
  const programs = programRunner({ workingDirectory: directory, environment });
  const found: Diagnostic[] = [];
  const origins = createOriginTable();
  const context = createRenderContext({ origins, report: (diagnostic) => found.push(diagnostic) });
  let objects: readonly KubeObject[] | undefined;
  let printed: readonly SourceFile[] = [];
  try {
    const renderer = options.create({ fileSystem: texts.fileSystem, programs });
    ({ objects } = await renderer.process(options.values ?? {}, context));
  } catch (error) {
    const thrown = diagnosticsOf(error);
    if (thrown === undefined) throw error;
    found.push(...thrown);
    printed = sourcesOfError(error);
  }
  const sources = [...(await texts.sourcesOf(found)), ...printed];
  const findings = formatPrinted(found, { sources, locate: locateInYaml, color: false });
  return { objects, origins, findings: findings.replaceAll(directory, '<case>') };
}

/** The objects in what a program printed. */
export function decodeOutput(text: string): readonly KubeObject[] {
  const { documents } = readYaml({ path: 'output', text });
  return decodeObjects(documents, { file: 'output', report: () => undefined }).map(({ object }) => object);
}

/** A case is its settings and, if it has any, its values, read so that large integers stay exact. */
export function readCase(one: GoldenCase): { readonly source: unknown; readonly values: Values } {
  const data = (path: string): unknown => readYaml({ path, text: one.read(path) }).documents[0]?.data;
  return { source: data('case.json'), values: one.has('values.json') ? (data('values.json') as Values) : {} };
}
