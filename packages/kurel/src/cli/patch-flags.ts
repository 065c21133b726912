import { escapeControls, nearest, quote } from '../diagnostics/index.ts';
import { readPatchFile, writtenParameters } from '../index.ts';
import type { PatchFile, PatchSettings } from '../index.ts';
import type { Diagnostic, Report, SourceFile } from '../model/index.ts';
import type { BuildSettings } from '../settings/index.ts';
import type { Environment } from './environment.ts';
import { fileProblem, fileProblemWithHint } from './file-problem.ts';
import { openDisk } from './open-world.ts';
import { asErrors } from './sourced-findings.ts';
import type { SourcedFindings } from './sourced-findings.ts';
import { cliProblems } from './problems.ts';
import { UsageError } from './usage-error.ts';
import { readLayers, withoutRemoved } from './value-flags.ts';
import type { ValuesReading } from './value-flags.ts';

/** `--patch`, `--feature` and `KURE_DEBUG` → patches and the values of their variables. */
export async function readPatchFlags(
  { patches, features: words, strict }: Pick<BuildSettings, 'patches' | 'features' | 'strict'>,
  { paths, values, valueLayers }: Pick<ValuesReading, 'values' | 'valueLayers'> & { readonly paths: readonly string[] },
  environment: Environment,
): Promise<SourcedFindings & { readonly settings: PatchSettings }> {
  const features = readFeatures(words);
  if ([...patches, ...paths].filter((path) => path === '-').length > 1) {
    throw new UsageError('stdin can be read only once', 'use - once');
  }
  const { files, diagnostics, sources } = await readPatches(patches, environment);
  const { layers } = await readLayers(valueLayers, async () => ({}));
  const left = withoutRemoved(values, valueLayers);
  const trace = (line: string): void => environment.writeStderr(`${escapeControls(line)}\n`);
  return {
    settings: {
      files,
      layers,
      variables: { scope: 'alone', values: left, features, writtenAt: writtenParameters(left, layers) },
      ...(environment.variables['KURE_DEBUG'] === '1' ? { trace } : {}),
    },
    diagnostics: strict ? asErrors(diagnostics) : diagnostics,
    sources,
  };
}

/** `NAME`, `NAME=true` and `NAME=false`; the last one for a name wins. */
function readFeatures(words: readonly string[]): Readonly<Record<string, boolean>> {
  return Object.fromEntries(
    words.map((word) => {
      const equals = word.indexOf('=');
      const name = equals === -1 ? word : word.slice(0, equals);
      const state = equals === -1 ? 'true' : word.slice(equals + 1);
      if (name === '') {
        throw new UsageError(`--feature ${quote(word)} has no name`, 'use --feature NAME or --feature NAME=false');
      }
      if (state !== 'true' && state !== 'false') {
        const near = nearest(state, ['true', 'false']);
        const hint = near === undefined ? 'use NAME, NAME=true or NAME=false' : `did you mean ${name}=${near}?`;
        throw new UsageError(`--feature must be NAME, NAME=true or NAME=false, got ${quote(word)}`, hint);
      }
      return [name, state === 'true'];
    }),
  );
}

/** The patches of `--patch`, in order: files, the patches in directories, stdin. */
async function readPatches(paths: readonly string[], environment: Environment) {
  const diagnostics: Diagnostic[] = [];
  const sources: SourceFile[] = [];
  const files: PatchFile[] = [];
  const add = (source: SourceFile): void => {
    sources.push(source);
    files.push(readPatchFile(source, report, environment.budget));
  };
  const report = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic);
  for (const path of paths) {
    if (path === '-') {
      add({ path: 'stdin', text: await environment.readStdin() });
      continue;
    }
    const listed = await listPatches(path, environment, report);
    // Reading a pipe that merely lies in the directory would block.
    const fileSystem = openDisk(environment, listed === undefined ? { pipes: true } : { root: path });
    for (const file of listed ?? [path]) {
      try {
        add({ path: file, text: await fileSystem.readText(file) });
      } catch (error) {
        report(await fileProblemWithHint(error, fileSystem));
      }
    }
  }
  return { files, diagnostics, sources };
}

/** The patches in a directory, alphabetically; `undefined` if it is not one. Links must not point outside. */
async function listPatches(
  path: string,
  environment: Environment,
  report: Report,
): Promise<readonly string[] | undefined> {
  try {
    const fileSystem = openDisk(environment, { root: path });
    if ((await fileSystem.kindOf(path)) !== 'directory') return undefined;
    const entries = (await fileSystem.list(path)).filter(
      ({ name, kind }) => /^[^.].*\.(?:kpatch|ya?ml)$/s.test(name) && kind !== 'directory',
    );
    if (entries.length === 0) report(cliProblems.create('patch-directory-empty', { path }));
    const directory = path.replace(/\/+$/, '');
    return entries.flatMap(({ name, escapes = false }) => {
      const file = `${directory}/${name}`;
      if (escapes) report(cliProblems.create('patch-link-out', { file, path }, { location: { file } }));
      return escapes ? [] : [file];
    });
  } catch (error) {
    report(fileProblem(error));
    return [];
  }
}
