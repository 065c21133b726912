import { checkAcceptances, createAcceptor } from './accept/index.ts';
import type { Acceptor, AcceptOptions } from './accept/index.ts';
import { DiagnosticError } from './diagnostics/index.ts';
import type { ProblemSummary } from './diagnostics/index.ts';
import type { Diagnostic, FileSystem, Report } from './model/index.ts';
import type { BuildRequest } from './build-request.ts';
import { findAcceptanceFiles, readAcceptanceSources } from './forms/index.ts';
import { validateProblems } from './validate/index.ts';

/** Reads all acceptances that apply to a build; `undefined` if there are none. Throws if one of them is invalid. */
export async function openAcceptor(
  request: Pick<BuildRequest, 'path' | 'morePaths' | 'package' | 'acceptances' | 'budget'>,
  // A build records its reads.
  { fileSystem, report }: { readonly fileSystem: FileSystem; readonly report: Report },
): Promise<Acceptor | undefined> {
  const { path, morePaths = [], package: settings, acceptances = [] } = request;
  const diagnostics: Diagnostic[] = [];
  const keep = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic);
  const search = { fileSystem, local: settings?.local, report: keep };
  const lists = await Promise.all([path, ...morePaths].map((input) => findAcceptanceFiles({ ...search, path: input })));
  if (diagnostics.length > 0) throw new DiagnosticError(diagnostics);
  const files = [...new Set(lists.flat())];
  if (files.length === 0 && acceptances.length === 0) return undefined;
  const options = await loadOptions();
  const sources = await Promise.all(files.map(async (file) => ({ path: file, text: await fileSystem.readText(file) })));
  const read = await readAcceptanceSources(sources, keep, request.budget?.memory);
  const all = [...(read ?? []), ...acceptances];
  checkAcceptances(all, options).forEach(keep);
  if (diagnostics.some(({ severity }) => severity === 'error')) throw new DiagnosticError(diagnostics);
  diagnostics.forEach(report);
  return createAcceptor(all, options);
}

/** Validation errors can be accepted, because a schema may be wrong about a cluster. Other errors stop the build. */
async function loadOptions(): Promise<AcceptOptions> {
  return {
    definitions: await loadProblemDefinitions(),
    canAcceptError: (code) => Object.hasOwn(validateProblems.definitions, code) && !isPolicy(code),
    isPolicy,
    isForUsers: (code) =>
      code === 'policy-not-checked' || code === 'policy-source-unknown' || code === 'policy-limit-missing',
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
