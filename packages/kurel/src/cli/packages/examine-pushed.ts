import type { PackageForm, PackageParts } from '../../artifact/index.ts';
import { quote } from '../../diagnostics/index.ts';
import {
  checkDocument,
  createCatalog,
  createValuesSchema,
  detectInput,
  examineApplication,
  examinePackage,
  loadApplication,
  writeJson,
} from '../../index.ts';
import type { Diagnostic } from '../../model/index.ts';
import { recordReads } from '../../reads/index.ts';
import { createStore } from '../open-schemas.ts';
import type { Environment } from '../environment.ts';
import { openDisk, openInput } from '../open-world.ts';
import type { OpenedInput } from '../open-world.ts';
import { makeParameterSchema } from '../check-parameters.ts';
import type { Findings } from '../print-diagnostics.ts';
import { UsageError } from '../usage-error.ts';

/** A package directory that is checked and described, without the content of its files. */
export interface ExaminedDirectory extends Findings {
  readonly path: string;
  /** Absent after an error. */
  readonly parts?: Omit<PackageParts, 'files'>;
}

/** Checks the documents of a package, as far as that works without values and a profile. */
export async function examinePushed(argument: string, environment: Environment): Promise<ExaminedDirectory> {
  const disk = openDisk(environment);
  const input = await openInput(argument, {}, environment);
  // Throws why the form is not known.
  if (input.as === undefined) await detectInput({ fileSystem: disk, path: argument });
  const form = formOf(input, argument);
  if ((await disk.kindOf(input.path)) !== 'directory') {
    throw new UsageError(`${quote(argument)} is not the directory of a package`, 'pass the directory with app.yaml');
  }
  const texts = recordReads({ fileSystem: disk });
  const found = new Map<string, Diagnostic>();
  const report = (diagnostic: Diagnostic): void => void found.set(JSON.stringify(diagnostic), diagnostic);
  const examine = form === 'application' ? examineDeclared : examineLayered;
  const parts = await examine(input.path, { fileSystem: texts.fileSystem, environment, report });
  // Notes are about builds.
  const diagnostics = [...found.values()].filter(({ severity }) => severity !== 'note');
  const isFine = diagnostics.every(({ severity }) => severity !== 'error');
  return {
    path: input.path,
    diagnostics,
    sources: await texts.sourcesOf(diagnostics),
    ...(isFine && parts !== undefined ? { parts: { ...parts, form } } : {}),
  };
}

function formOf({ form }: OpenedInput, path: string): PackageForm {
  if (form.name === 'application' || form.name === 'patch-package') return form.name;
  const hint =
    form.name === 'chart' ? 'use helm push for a chart, or kurel push --rendered for its manifests' : undefined;
  throw new UsageError(
    `${quote(path)} is not a package`,
    hint ?? 'use kurel push --rendered to push the manifests of a build',
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
  const { package: pkg, plan, found } = await examinePackage(request);
  Object.values(found).flat().forEach(report);
  if (pkg === undefined) return undefined;
  const store = createStore(undefined, { descriptions: true });
  const { schema } = makeParameterSchema({
    package: pkg,
    parameters: undefined,
    plan,
    store,
    environment,
    isCached: false,
  });
  const { name, version, description, home, maintainers } = pkg.metadata;
  const authors = maintainers.map((one) => (one.email === undefined ? one.name : `${one.name} <${one.email}>`));
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
