import { DiagnosticError } from '../diagnostics/index.ts';
import { build } from '../index.ts';
import type { BuildRequest, BuildResult, Form } from '../index.ts';
import type { SourceFile } from '../model/index.ts';
import type { BuildSettings } from '../settings/index.ts';
import type { ExitCode } from './command.ts';
import type { Environment } from './environment.ts';
import { fileProblem } from './file-problem.ts';
import { openDisk } from './open-world.ts';
import type { SourcedFindings } from './sourced-findings.ts';
import { cliProblems } from './problems.ts';
import type { RequestReading } from './read-request.ts';
import { exitCodeOf, hasErrors } from './usage-error.ts';

interface ValidationCall {
  readonly form: Form;
  readonly settings: Pick<BuildSettings, 'schema' | 'noCache' | 'noValidate' | 'crds'>;
  readonly environment: Environment;
}

interface ValidatedBuild extends SourcedFindings {
  readonly exitCode: ExitCode;
  /** Absent if the flags are wrong. */
  readonly result: BuildResult | undefined;
  readonly kubernetesVersion: string;
}

/** Builds and validates. Used by `kurel build` and `kurel validate`, so that both report the same findings. */
export async function buildValidated(reading: RequestReading, call: ValidationCall): Promise<ValidatedBuild> {
  const { request, diagnostics: findings } = reading;
  const store = request.store!();
  const { kubernetesVersion } = store;
  const sources: SourceFile[] = [...reading.sources];
  if (hasErrors(findings)) {
    return { diagnostics: findings, sources, exitCode: exitCodeOf(findings), result: undefined, kubernetesVersion };
  }
  const isUnvalidated = call.settings.noValidate;
  const result = await build(
    isUnvalidated
      ? request
      : { ...request, validation: { store }, package: { ...request.package, schema: await schemaOf(call, sources) } },
  );
  const note = isUnvalidated && result.ok ? [cliProblems.create('output-not-validated', {})] : [];
  const diagnostics = [...result.diagnostics, ...note];
  return {
    exitCode: exitCodeOf(diagnostics),
    diagnostics,
    sources: [...sources, ...result.sources],
    accepted: result.accepted,
    result,
    kubernetesVersion,
  };
}

/** The schema of a smaller package is generated sooner than it is read from the cache, which takes three hashes and a cipher. */
const leastCached = 8000;

/** Where the schema of parameters comes from: `--schema`, or the package, with a cache. */
async function schemaOf(
  { form, settings, environment }: ValidationCall,
  sources: SourceFile[],
): Promise<NonNullable<BuildRequest['package']>['schema']> {
  const { schema: path, noCache, crds } = settings;
  if (path !== undefined) {
    return {
      async read() {
        try {
          const source = { path, text: await openDisk(environment, { pipes: true }).readText(path) };
          sources.push(source);
          return source;
        } catch (error) {
          throw new DiagnosticError([fileProblem(error)]);
        }
      },
    };
  }
  if (form.hasParameterSchema !== true || noCache || crds.length > 0) return undefined;
  // Loaded on demand: other forms have no parameter schema.
  const { createCachedGenerate } = await import('./parameter-schema.ts');
  return { generate: createCachedGenerate(environment, { least: leastCached }) };
}
