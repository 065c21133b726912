import { largestContent } from '../../archive/index.ts';
import type { ArchiveFile } from '../../archive/index.ts';
import { isLeftOut } from '../../artifact/index.ts';
import type { PackageForm, PackageParts } from '../../artifact/index.ts';
import { DiagnosticError, quote } from '../../diagnostics/index.ts';
import { inventoryName } from '../../host/index.ts';
import {
  checkDocument,
  createCatalog,
  createValuesSchema,
  detectInput,
  examineApplication,
  examinePackage,
  generateParameterSchema,
  loadApplication,
  writeJson,
} from '../../index.ts';
import type { Diagnostic, DirectoryEntry, FileSystem } from '../../model/index.ts';
import { recordReads } from '../../reads/index.ts';
import { createStore } from '../open-schemas.ts';
import type { Environment } from '../environment.ts';
import { fileProblem } from '../file-problem.ts';
import { openInput } from '../open-input.ts';
import type { OpenedInput } from '../open-input.ts';
import { openDisk } from '../open-world.ts';
import { cliProblems } from '../problems.ts';
import { UsageError } from '../usage-error.ts';

/** Checks and describes a package directory, as far as that works without values and a profile. There are no parts after an error. */
export async function examinePushed(argument: string, environment: Environment) {
  const disk = openDisk(environment);
  const input = await openInput(argument, {}, environment);
  // Throws why the form is not known.
  if (input.as === undefined) await detectInput({ fileSystem: disk, path: argument });
  const form = formOf(input, argument);
  if ((await disk.kindOf(input.path)) !== 'directory') {
    throw new UsageError(`${quote(argument)} is not the directory of a package`, 'pass the directory with app.yaml');
  }
  const texts = recordReads({ fileSystem: disk });
  const reported = new Map<string, Diagnostic>();
  const report = (diagnostic: Diagnostic): void => void reported.set(JSON.stringify(diagnostic), diagnostic);
  const examine = form === 'application' ? examineDeclared : examineLayered;
  const parts = await examine(input.path, { fileSystem: texts.fileSystem, environment, report });
  // Notes are about builds.
  const diagnostics = [...reported.values()].filter(({ severity }) => severity !== 'note');
  const isFine = diagnostics.every(({ severity }) => severity !== 'error');
  return {
    path: input.path,
    diagnostics,
    sources: await texts.sourcesOf(diagnostics),
    parts: isFine && parts !== undefined ? { ...parts, form } : undefined,
  };
}

function formOf({ form }: OpenedInput, path: string): PackageForm {
  if (form.name === 'application' || form.name === 'patch-package') return form.name;
  throw new UsageError(
    `${quote(path)} is not a package`,
    form.name === 'chart'
      ? 'use helm push for a chart, or kurel push --rendered for its manifests'
      : 'use kurel push --rendered to push the manifests of a build',
  );
}

interface Examination {
  readonly fileSystem: ReturnType<typeof openDisk>;
  readonly environment: Environment;
  readonly report: (diagnostic: Diagnostic) => void;
}

type Described = Omit<PackageParts, 'files' | 'form'>;

async function examineDeclared(
  path: string,
  { fileSystem, environment, report }: Examination,
): Promise<Described | undefined> {
  const limits = environment.limits?.package;
  const pkg = await loadApplication({ fileSystem, path, profile: false, limits }, report);
  if (pkg === undefined) return undefined;
  const catalog = createCatalog();
  const examination = examineApplication(pkg, { catalog, layers: [], report });
  for (const source of [pkg.declaration, ...pkg.definitions]) {
    if (source !== undefined) checkDocument(source, { catalog, definitions: pkg.definitions, report });
  }
  if (examination === undefined) return undefined;
  const { package: declared, name, declarations, optional } = examination;
  const { version, description } = declared?.metadata ?? {};
  return {
    name: declared?.metadata.name ?? name,
    version,
    description,
    schema: `${writeJson(createValuesSchema(declarations, { optional }))}\n`,
    annotations: {},
  };
}

async function examineLayered(
  path: string,
  { fileSystem, environment, report }: Examination,
): Promise<Described | undefined> {
  // A local extension is not part of the package.
  const request = { fileSystem, path, local: false as const, limits: environment.limits?.package };
  const { package: pkg, plan, found: findings } = await examinePackage(request);
  Object.values(findings).flat().forEach(report);
  if (pkg === undefined) return undefined;
  const store = createStore(undefined, { descriptions: true });
  const schema = generateParameterSchema({ package: pkg, plan, store }, () => undefined);
  const { name, version, description, home, maintainers } = pkg.metadata;
  const authors = maintainers.map((maintainer) =>
    maintainer.email === undefined ? maintainer.name : `${maintainer.name} <${maintainer.email}>`,
  );
  return {
    name,
    version,
    description,
    schema: `${writeJson(schema)}\n`,
    annotations: {
      ...(home === undefined ? {} : { 'org.opencontainers.image.url': home }),
      ...(authors.length === 0 ? {} : { 'org.opencontainers.image.authors': authors.join(', ') }),
    },
  };
}

/**
 * All files of a package directory, with paths relative to it, except hidden ones, local extensions and output of kurel. Throws a
 * `DiagnosticError` with everything that cannot be part of a package.
 */
export async function collectFiles(path: string, fileSystem: FileSystem): Promise<readonly ArchiveFile[]> {
  const root = path.replace(/\/+$/, '');
  const files: ArchiveFile[] = [];
  const problems: Diagnostic[] = [];
  let size = 0;

  function refuse(path: string, reason: string, hint?: string): void {
    const location = { file: `${root}/${path}` };
    problems.push(cliProblems.create('push-file-refused', { path: location.file, reason, hint }, { location }));
  }

  async function add(path: string): Promise<void> {
    // Everything beyond it is too much, so nothing more is read.
    if (size > largestContent) return;
    try {
      const bytes = await fileSystem.readBytes!(`${root}/${path}`);
      size += bytes.length;
      files.push({ path, bytes });
      if (size > largestContent) refuse(path, `the package has more than ${largestContent / 1_048_576} MiB`);
    } catch (error) {
      problems.push(fileProblem(error));
    }
  }

  async function walk(directory: string): Promise<void> {
    for (const entry of await list(directory)) {
      const path = directory === '' ? entry.name : `${directory}/${entry.name}`;
      if (isLeftOut(entry.name)) continue;
      if (entry.target !== undefined || entry.escapes === true) refuse(path, 'it is a link', 'replace it with a copy');
      else if (entry.kind === 'other') refuse(path, 'it is a broken link, a device, a pipe or a socket', 'remove it');
      else if (entry.kind === 'file') await add(path);
      else await walk(path);
    }
  }

  async function list(directory: string): Promise<readonly DirectoryEntry[]> {
    try {
      const entries = await fileSystem.list(directory === '' ? root : `${root}/${directory}`);
      const isOutput = directory !== '' && entries.some(({ name }) => name === inventoryName);
      return isOutput ? [] : entries;
    } catch (error) {
      problems.push(fileProblem(error));
      return [];
    }
  }

  await walk('');
  if (problems.length > 0) throw new DiagnosticError(problems);
  return files;
}
