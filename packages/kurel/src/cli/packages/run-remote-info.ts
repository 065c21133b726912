import { fetchPackage, reportRegistry } from '../../artifact/index.ts';
import type { PublishedPackage } from '../../artifact/index.ts';
import { DiagnosticError } from '../../diagnostics/index.ts';
import { createCatalog, examineApplication, examinePackage, loadApplication, memoryFileSystem } from '../../index.ts';
import { FileAccessError, isJsonArray, isJsonObject } from '../../model/index.ts';
import type { Diagnostic, FileSystem, Report } from '../../model/index.ts';
import { parseJson } from '../../registry/index.ts';
import type { CommandCall, ExitCode } from '../command.ts';
import { printInfo, printReadme } from '../commands/info.ts';
import type { InfoFlags } from '../commands/info.ts';
import { fileProblem } from '../file-problem.ts';
import { printDiagnostics } from '../print-diagnostics.ts';
import { createRegistryAccess } from '../registry-access.ts';
import { describeApplication, formatApplication } from '../report/package-info.ts';
import { headLines, listParameters } from '../report/package-info.ts';
import { refuseFlags } from '../usage-error.ts';
import { checkReference } from './open-remote-package.ts';

type Call = CommandCall<InfoFlags>;

/** Shows a package in a registry by its config and documents; its content is not fetched. */
export async function runRemoteInfo(call: Call): Promise<ExitCode> {
  const { positionals, flags, environment } = call;
  const reference = positionals[0]!;
  checkReference(reference, flags);
  const names = ['values', 'set', 'set-string', 'local', 'no-local', 'enable', 'max-depth', 'max-resources'] as const;
  const hint = 'remove it, or fetch the package with kurel pull';
  refuseFlags(flags, names, { owner: 'packages on this machine', hint });
  const reported: Diagnostic[] = [];
  try {
    await reportRegistry(async () => {
      const published = await fetchPackage(reference, createRegistryAccess(flags, environment));
      if (flags.readme) await showReadme(published, call);
      else await show(published, call, (diagnostic) => void reported.push(diagnostic));
    });
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    for (const diagnostic of error.diagnostics) reported.push(diagnostic);
  }
  const diagnostics = reported.filter(({ severity }) => severity === 'error');
  await printDiagnostics({ diagnostics, sources: [] }, flags, environment);
  return diagnostics.length === 0 ? 0 : 1;
}

async function showReadme({ layers, fetchLayer }: PublishedPackage, call: Call): Promise<void> {
  const layer = layers.documents.get('README.md');
  if (layer === undefined) {
    const missing = new FileAccessError(`${call.positionals[0]!}/README.md`, 'not-found');
    throw new DiagnosticError([fileProblem(missing)]);
  }
  printReadme(new TextDecoder().decode(await fetchLayer(layer)), call);
}

async function show(published: PublishedPackage, call: Call, report: Report): Promise<void> {
  const reference = call.positionals[0]!;
  const { layers, config, fetchLayer } = published;
  const files: [string, Uint8Array][] = [];
  for (const [name, layer] of layers.documents) {
    if (name !== 'README.md') files.push([`${reference}/${name}`, await fetchLayer(layer)]);
  }
  const fileSystem = memoryFileSystem(Object.fromEntries(files));
  const describe = config.form === 'application' ? describeDeclared : describeLayered;
  const info = await describe(published, { fileSystem, path: reference, all: call.flags.all, report });
  if (info !== undefined) {
    printInfo(
      {
        data: () => ({
          ...info.data,
          reference: published.pinned,
          annotations: { ...layers.annotations },
          files: config.files.map(({ path, size, sha256 }) => ({ path, size, sha256 })),
        }),
        lines: () => [`Reference: ${published.pinned}`, ...info.lines, ...listFiles(published)],
      },
      call,
    );
  }
}

interface Documents {
  readonly fileSystem: FileSystem;
  readonly path: string;
  readonly all: boolean;
  readonly report: Report;
}

async function describeDeclared(published: PublishedPackage, { fileSystem, path, report }: Documents) {
  const pkg = await loadApplication({ fileSystem, path, profile: false }, report);
  const examined = pkg && examineApplication(pkg, { catalog: createCatalog(), layers: [], report });
  if (examined === undefined) return undefined;
  const patches = published.config.files
    .map((file) => file.path)
    .filter((path) => /^patches\/[^/]+\.kpatch$/.test(path));
  // Patches use parameters, too, so that only the schema knows which are required.
  const schema = parseJson(await published.fetchLayer(published.layers.schema));
  const required = isJsonObject(schema) && isJsonArray(schema['required']) ? schema['required'] : [];
  const optional = new Set(examined.declarations.map(({ name }) => name).filter((name) => !required.includes(name)));
  const examination = { ...examined, patches, optional };
  return { data: describeApplication(examination), lines: formatApplication(examination) };
}

async function describeLayered({ config }: PublishedPackage, { fileSystem, path, all, report }: Documents) {
  const { package: pkg, parameters, found: findings } = await examinePackage({ fileSystem, path, local: false });
  findings.load.forEach(report);
  if (pkg === undefined) return undefined;
  const { kurel: _, ...values } = parameters?.merged ?? pkg.layers[0]!.data;
  const patches = config.files.flatMap((file) => /^patches\/(.+\.kpatch)$/.exec(file.path)?.[1] ?? []);
  const metadata = Object.fromEntries(Object.entries(pkg.metadata).filter(([, value]) => value !== undefined));
  return {
    data: { ...metadata, path, parameters: values, patches },
    lines: [
      ...headLines(pkg, []),
      '',
      ...listParameters(values, all),
      `Patches (${patches.length}):`,
      ...patches.map((patch) => `  - ${patch}`),
    ],
  };
}

function listFiles({ config, layers }: PublishedPackage): readonly string[] {
  const annotations = Object.entries(layers.annotations);
  return [
    `Files (${config.files.length}):`,
    ...config.files.map(({ path, size }) => `  ${path} (${size} bytes)`),
    `Annotations (${annotations.length}):`,
    ...annotations.map(([key, value]) => `  ${key}: ${value}`),
  ];
}
