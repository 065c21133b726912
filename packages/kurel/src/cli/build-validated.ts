import { posix } from 'node:path';

import { build } from '../index.ts';
import type { BuildRequest, BuildResult } from '../index.ts';
import type { Form, SchemaStore } from '../index.ts';
import { FileAccessError } from '../model/index.ts';
import type { FlagValues } from './command.ts';
import { createStore, readDefinitions } from './open-schemas.ts';
import type { Environment } from './environment.ts';
import { openDisk } from './open-world.ts';
import { isRemotePath } from './packages/mount-packages.ts';
import type { Findings } from './print-diagnostics.ts';
import type { RequestReading } from './read-request.ts';
import type { PackageReport } from './report/package-report.ts';
import { isWrongUsage } from './usage-error.ts';
import type { validationFlags } from './input-flags.ts';

export interface ValidationCall {
  readonly form: Form;
  readonly flags: FlagValues<typeof validationFlags>;
  readonly environment: Environment;
}

export interface ValidatedBuild extends Findings {
  /** False if there is an error. */
  readonly ok: boolean;
  /** The exit code after errors. */
  readonly failure: 1 | 2;
  /** Absent if the flags are wrong. */
  readonly result: BuildResult | undefined;
  /** For patch packages only. */
  readonly report: PackageReport | undefined;
  readonly kubernetesVersion: string;
}

/** Builds and validates. Used by `kurel build` and `kurel validate`, so that both report the same findings. */
export async function buildValidated(given: RequestReading, call: ValidationCall): Promise<ValidatedBuild> {
  const schemas = await openSchemas(given.request, call);
  const { store } = schemas;
  const request = { ...given.request, trustedStore: schemas.trusted };
  const { kubernetesVersion } = store;
  const findings: Findings = {
    diagnostics: [...given.diagnostics, ...schemas.diagnostics],
    sources: [...given.sources, ...schemas.sources],
  };
  const isRead = given.ok && schemas.ok;
  if (call.form.hasParameterSchema === true) {
    // Loaded on demand: other forms have no parameter schema.
    const { refuseFlags, validatePackage } = await import('./validate-package.ts');
    const { flags, environment } = call;
    const isCached = !flags['no-cache'] && flags.crds.length === 0;
    const checked = { request, store, environment, flags: findings, schemaFile: flags.schema, isCached };
    const { report, sources, result, accepted } = isRead ? await validatePackage(checked) : refuseFlags(findings);
    const diagnostics = report.findings.map(({ diagnostic }) => diagnostic);
    return { ...conclude(diagnostics), diagnostics, sources, accepted, result, report, kubernetesVersion };
  }
  const report = undefined;
  if (!isRead) return { ...conclude(findings.diagnostics), ...findings, result: undefined, report, kubernetesVersion };
  const result = await build({ ...withStore(request, store), validation: { store } });
  const diagnostics = [...findings.diagnostics, ...result.diagnostics];
  const sources = [...findings.sources, ...result.sources];
  const { accepted } = result;
  return { ...conclude(diagnostics), diagnostics, sources, accepted, result, report, kubernetesVersion };
}

/** Patches take types and merge keys from the same schemas. */
export function withStore(request: BuildRequest, store: SchemaStore): BuildRequest {
  const { patches } = request;
  return { ...request, store: () => store, patches: patches && { ...patches, store } };
}

export function conclude(diagnostics: Findings['diagnostics']): Pick<ValidatedBuild, 'ok' | 'failure'> {
  const isUsage = isWrongUsage(diagnostics) || diagnostics.some(({ code }) => code === 'set-syntax');
  return { ok: diagnostics.every(({ severity }) => severity !== 'error'), failure: isUsage ? 2 : 1 };
}

interface SchemasReading extends Findings {
  readonly ok: boolean;
  readonly store: SchemaStore;
  /** The same without `schemas/crds` of the package. */
  readonly trusted: SchemaStore;
}

/** The bundled schemas, those in `schemas/crds` of the package, and those of `--crds`. */
export async function openSchemas(
  { path }: Pick<BuildRequest, 'path'>,
  { flags, environment }: ValidationCall,
): Promise<SchemasReading> {
  const store = createStore(flags['kubernetes-version'], { memory: environment.budget?.memory });
  const own = await ownDefinitions(path, environment);
  const paths = [...own, ...flags.crds];
  if (paths.length === 0) return { ok: true, store, trusted: store, diagnostics: [], sources: [] };
  const { ok, definitions, sourceOf, pathOf, diagnostics, sources } = await readDefinitions(paths, environment);
  const given = definitions.filter((definition) => !own.includes(pathOf(definition)));
  const [all, trusted] = [store.with(definitions, sourceOf), store.with(given, sourceOf)];
  return { ok, store: all, trusted, diagnostics, sources };
}

/** The CustomResourceDefinitions in `schemas/crds` of a package. */
async function ownDefinitions(path: string, environment: Environment): Promise<readonly string[]> {
  if (path === '-' || (/[*?[{]/.test(path) && !isRemotePath(path))) return [];
  const fileSystem = openDisk(environment);
  const root = path.replace(/\/+$/, '');
  try {
    // For a pipe of a shell, listing the path fails.
    if ((await fileSystem.kindOf(path)) !== 'directory') return [];
    for (const directory of ['', 'schemas/']) {
      const name = directory === '' ? 'schemas' : 'crds';
      const entry = (await fileSystem.list(`${root}/${directory}`)).find((one) => one.name === name);
      if (entry?.kind !== 'directory' || leadsOut(`${directory}${entry.target ?? ''}`)) return [];
    }
    const entries = await fileSystem.list(`${root}/schemas/crds`);
    const isSchema = ({ name, kind }: (typeof entries)[number]): boolean =>
      kind === 'directory' || /\.(?:ya?ml|json)$/.test(name);
    return entries.some(isSchema) ? [`${root}/schemas/crds`] : [];
  } catch (error) {
    // The build reports why a package cannot be read.
    if (error instanceof FileAccessError) return [];
    throw error;
  }
}

/** Whether a relative path points outside its directory; the build reports it. */
function leadsOut(way: string): boolean {
  return /^(?:\/|\.\.(?:\/|$))/.test(posix.normalize(way));
}
