import { checkAcceptances, createAcceptor } from './accept/index.ts';
import type { Acceptor, AcceptOptions } from './accept/index.ts';
import { DiagnosticError } from './diagnostics/index.ts';
import type { ProblemSummary } from './diagnostics/index.ts';
import type { Diagnostic, FileSystem, Report } from './model/index.ts';
import type { BuildRequest } from './build-request.ts';
import { findAcceptanceFiles, readAcceptanceSources } from './forms/index.ts';
import { validateProblems } from './validate/index.ts';

interface Opening {
  /** Reads the files; a build records its reads. */
  readonly fileSystem: FileSystem;
  readonly report: Report;
}

/** Reads all acceptances that apply to a build; `undefined` if there are none. Throws if one of them is invalid. */
export async function openAcceptor(
  request: Pick<BuildRequest, 'path' | 'morePaths' | 'package' | 'acceptances' | 'budget'>,
  { fileSystem, report }: Opening,
): Promise<Acceptor | undefined> {
  const found: Diagnostic[] = [];
  const keep = (diagnostic: Diagnostic): void => void found.push(diagnostic);
  const files = await findAll(request, { fileSystem, report: keep });
  if (found.length > 0) throw new DiagnosticError(found);
  const { acceptances = [] } = request;
  if (files.length === 0 && acceptances.length === 0) return undefined;
  const options = await loadOptions();
  const sources = await Promise.all(files.map(async (path) => ({ path, text: await fileSystem.readText(path) })));
  const read = await readAcceptanceSources(sources, keep, request.budget?.memory);
  const all = [...(read ?? []), ...acceptances];
  for (const diagnostic of checkAcceptances(all, options)) found.push(diagnostic);
  if (found.some(({ severity }) => severity === 'error')) throw new DiagnosticError(found);
  found.forEach(report);
  return createAcceptor(all, options);
}

async function findAll(
  { path, morePaths = [], package: settings }: Pick<BuildRequest, 'path' | 'morePaths' | 'package'>,
  opening: Opening,
): Promise<readonly string[]> {
  const lists = await Promise.all(
    [path, ...morePaths].map((each) => findAcceptanceFiles({ ...opening, path: each, local: settings?.local })),
  );
  return [...new Set(lists.flat())];
}

/** Validation errors can be accepted, because a schema may be wrong about a cluster. Other errors stop the build. */
async function loadOptions(): Promise<AcceptOptions> {
  return {
    definitions: await loadProblemDefinitions(),
    canAcceptError: (code) => Object.hasOwn(validateProblems.definitions, code) && !isPolicy(code),
    isPolicy,
    isForUsers: (code) => code === 'policy-not-checked' || code === 'policy-source-unknown',
  };
}

function isPolicy(code: string): boolean {
  return code.startsWith('policy-');
}

/** The definition of every finding by code: the rules of a SARIF log and the rows of the reference. */
export async function loadProblemDefinitions(): Promise<Readonly<Record<string, ProblemSummary>>> {
  const { problemDefinitions } = await import('./problem-definitions.ts');
  return problemDefinitions;
}
