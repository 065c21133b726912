import { largestContent } from '../../archive/index.ts';
import type { ArchiveFile } from '../../archive/index.ts';
import { isLeftOut } from '../../artifact/index.ts';
import { DiagnosticError, quote } from '../../diagnostics/index.ts';
import { inventoryName } from '../../host/index.ts';
import { detectInput, writeJson } from '../../index.ts';
import type { Form, PackageDescription } from '../../index.ts';
import type { Diagnostic, DirectoryEntry, FileSystem } from '../../model/index.ts';
import { createStore } from '../open-schemas.ts';
import type { Environment } from '../environment.ts';
import { fileProblem } from '../file-problem.ts';
import { isPackage, openInput, publishedForm } from '../open-input.ts';
import { noSettings, openPackage } from '../open-package.ts';
import { openDisk } from '../open-world.ts';
import { cliProblems } from '../problems.ts';
import { UsageError } from '../usage-error.ts';

/** Checks and describes a package directory, as far as that works without values and a profile. There are no parts after an error. */
export async function examinePushed(argument: string, environment: Environment) {
  const disk = openDisk(environment);
  const { form, path, as } = await openInput(argument, {}, environment);
  // Throws why the form is not known.
  if (as === undefined) await detectInput({ fileSystem: disk, path: argument });
  if (!isPackage(form)) throw refuseForm(form, argument);
  if ((await disk.kindOf(path)) !== 'directory') {
    const hint = `pass the directory with ${form.package.requires}`;
    throw new UsageError(`${quote(argument)} is not the directory of a package`, hint);
  }
  const opened = await openPackage({ form, path }, noSettings, environment, {
    store: () => createStore(undefined, { descriptions: true }),
    isToBePublished: true,
    // A local extension is not part of the package.
    package: { local: false },
  });
  const { usable } = opened;
  const { diagnostics, sources } = await opened.findings();
  const distinct = new Map(diagnostics.map((diagnostic) => [JSON.stringify(diagnostic), diagnostic]));
  return {
    path,
    // Notes are about builds.
    diagnostics: [...distinct.values()].filter(({ severity }) => severity !== 'note'),
    sources,
    parts: usable && { ...partsOf(usable), form: publishedForm(form) },
  };
}

function refuseForm({ publishedWith, name }: Form, path: string): UsageError {
  const hint =
    publishedWith === undefined
      ? 'use kurel push --rendered to push the manifests of a build'
      : `use ${publishedWith} for a ${name}, or kurel push --rendered for its manifests`;
  return new UsageError(`${quote(path)} is not a package`, hint);
}

function partsOf({ name, version, description, annotations = {}, createSchema }: PackageDescription) {
  // Findings about the schema are those of kurel schema generate.
  const schema = createSchema(() => undefined);
  return { name, version, description, annotations, schema: `${writeJson(schema)}\n` };
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
