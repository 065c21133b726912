import { fetchPackage, reportRegistry } from '../../artifact/index.ts';
import type { PublishedPackage } from '../../artifact/index.ts';
import { DiagnosticError } from '../../diagnostics/index.ts';
import { memoryFileSystem } from '../../index.ts';
import { FileAccessError } from '../../model/index.ts';
import type { Diagnostic, Report } from '../../model/index.ts';
import { parseDocument } from '../../registry/index.ts';
import type { CommandCall, CommandResult } from '../command.ts';
import { formatInfo, formatReadme } from '../commands/info.ts';
import type { InfoFlags } from '../commands/info.ts';
import { fileProblem } from '../file-problem.ts';
import { valueFlags } from '../input-flags.ts';
import { formNamed, publishedForms } from '../open-input.ts';
import { patchPackageFlags } from '../package-flags.ts';
import { createRegistryAccess } from '../registry-access.ts';
import { refuseFlags } from '../usage-error.ts';
import { checkReference } from './open-remote-package.ts';
import { settingsOf } from '../setting-flags.ts';

type Call = CommandCall<InfoFlags>;

/** Shows a package in a registry by its config and documents; its content is not fetched. */
export async function runRemoteInfo(call: Call): Promise<CommandResult> {
  const { positionals, flags, environment } = call;
  const reference = positionals[0]!;
  checkReference(reference, flags);
  const hint = 'remove it, or fetch the package with kurel pull';
  refuseFlags(flags, [...Object.keys(valueFlags), ...patchPackageFlags], { owner: 'packages on this machine', hint });
  const reported: Diagnostic[] = [];
  const stdout = await reportRegistry(async () => {
    const forms = publishedForms(environment);
    const published = await fetchPackage(reference, createRegistryAccess(settingsOf(flags), environment), { forms });
    if (flags.readme) return await readReadme(published, call);
    return await describe(published, call, (diagnostic) => void reported.push(diagnostic));
  });
  return { stdout, diagnostics: reported.filter(({ severity }) => severity === 'error') };
}

async function readReadme({ layers, fetchLayer }: PublishedPackage, call: Call): Promise<string> {
  const layer = layers.documents.get('README.md');
  if (layer === undefined) {
    const missing = new FileAccessError(`${call.positionals[0]!}/README.md`, 'not-found');
    throw new DiagnosticError([fileProblem(missing)]);
  }
  return formatReadme(new TextDecoder().decode(await fetchLayer(layer)));
}

async function describe(published: PublishedPackage, call: Call, report: Report): Promise<string | undefined> {
  const reference = call.positionals[0]!;
  const { layers, config, fetchLayer } = published;
  const files: [string, Uint8Array][] = [];
  for (const [name, layer] of layers.documents) {
    if (name !== 'README.md') files.push([`${reference}/${name}`, await fetchLayer(layer)]);
  }
  const fileSystem = memoryFileSystem(Object.fromEntries(files));
  const { describe: describePackage } = await formNamed(config.form, call.environment).package.load();
  const parts = {
    files: config.files.map(({ path }) => path),
    fetchSchema: async () => parseDocument(await fetchLayer(layers.schema), { url: reference, name: 'schema' }),
  };
  const request = { fileSystem, path: reference, package: { local: false as const }, published: parts };
  const info = await (await describePackage(request, report))?.createInfo();
  if (info === undefined) return undefined;
  return formatInfo(
    {
      data: () => ({
        ...info.data(),
        reference: published.pinned,
        annotations: { ...layers.annotations },
        files: config.files.map(({ path, size, sha256 }) => ({ path, size, sha256 })),
      }),
      lines: (all) => [`Reference: ${published.pinned}`, ...info.lines(all), ...listFiles(published)],
    },
    call,
  );
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
