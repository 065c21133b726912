import { build } from '../index.ts';
import type { BuildResult, Form } from '../index.ts';
import type { ExitCode, FlagValues } from './command.ts';
import type { Environment } from './environment.ts';
import type { validationFlags } from './input-flags.ts';
import { openSchemas, withStore } from './open-schemas.ts';
import type { SourcedFindings } from './print-diagnostics.ts';
import { cliProblems } from './problems.ts';
import type { RequestReading } from './read-request.ts';
import type { PackageReport } from './report/package-report.ts';
import { exitCodeOf } from './usage-error.ts';

interface ValidationCall {
  readonly form: Form;
  readonly flags: FlagValues<typeof validationFlags> & { readonly 'no-validate'?: boolean };
  readonly environment: Environment;
}

interface ValidatedBuild extends SourcedFindings {
  readonly exitCode: ExitCode;
  /** Absent if the flags are wrong. */
  readonly result: BuildResult | undefined;
  /** For patch packages only. */
  readonly report?: PackageReport;
  readonly kubernetesVersion: string;
}

/** Builds and validates. Used by `kurel build` and `kurel validate`, so that both report the same findings. */
export async function buildValidated(
  reading: RequestReading,
  { form, flags, environment }: ValidationCall,
): Promise<ValidatedBuild> {
  const schemas = await openSchemas(reading.request, flags, environment);
  const { store, trusted: trustedStore } = schemas;
  const { kubernetesVersion } = store;
  const request = { ...reading.request, trustedStore };
  const findings: SourcedFindings = {
    diagnostics: [...reading.diagnostics, ...schemas.diagnostics],
    sources: [...reading.sources, ...schemas.sources],
  };
  const isRead = reading.ok && schemas.ok;
  const isUnvalidated = flags['no-validate'] === true;
  if (form.hasParameterSchema === true && !isUnvalidated) {
    // validatePackage calls the same build, and reports by steps. Loaded on demand: other forms have no parameter schema.
    const { reportFlags, validatePackage } = await import('./validate-package.ts');
    const isCached = !flags['no-cache'] && flags.crds.length === 0;
    const check = { request, store, environment, flags: findings, schemaFile: flags.schema, isCached };
    const validation = isRead ? await validatePackage(check) : reportFlags(findings);
    const diagnostics = validation.report.findings.map(({ diagnostic }) => diagnostic);
    return { ...validation, exitCode: exitCodeOf(diagnostics), diagnostics, kubernetesVersion };
  }
  if (!isRead) return { ...findings, exitCode: exitCodeOf(findings.diagnostics), result: undefined, kubernetesVersion };
  // Without validation, patches and properties still need the schemas for their types.
  const result = await build({ ...withStore(request, store), ...(isUnvalidated ? {} : { validation: { store } }) });
  const diagnostics = [...findings.diagnostics, ...result.diagnostics];
  const note = isUnvalidated && result.ok ? [cliProblems.create('output-not-validated', {})] : [];
  return {
    exitCode: exitCodeOf(diagnostics),
    diagnostics: [...diagnostics, ...note],
    sources: [...findings.sources, ...result.sources],
    accepted: result.accepted,
    result,
    kubernetesVersion,
  };
}
