import { escapeControls } from '../../diagnostics/index.ts';
import {
  createCatalog,
  createOriginTable,
  examineApplication,
  loadApplication,
  markedDirectory,
  renderPackage,
  writeJson,
  writeYaml,
} from '../../index.ts';
import type { PackageRendering } from '../../index.ts';
import type { Diagnostic, JsonObject } from '../../model/index.ts';
import { recordReads } from '../../reads/index.ts';
import { applicationLayers, packageFlags } from '../package-flags.ts';
import { defineCommand } from '../command.ts';
import type { CommandCall, ExitCode, FlagDefinitions } from '../command.ts';
import { createStore } from '../open-schemas.ts';
import { refusedBy } from '../explain/answer-from-build.ts';
import { fileProblem } from '../file-problem.ts';
import { openDisk, openInput } from '../open-world.ts';
import { openPackage } from '../open-package.ts';
import { fitLine, paint, terminalWidth, useColor } from '../terminal.ts';
import { printDiagnostics } from '../print-diagnostics.ts';
import { registryFlags } from '../registry-access.ts';
import { timeLimitFlags } from '../limits.ts';
import { describeApplication, describePackage, formatApplication, formatPackage } from '../report/package-info.ts';
import { findGiven, UsageError } from '../usage-error.ts';
import { readValueFlags, valueFlags } from '../value-flags.ts';

/** Reads an application package without building it. */
async function runInfoApplication(call: CommandCall<InfoFlags>): Promise<ExitCode> {
  const { positionals, flags, environment } = call;
  checkUsage(flags);
  const values = await readValueFlags(flags, openDisk(environment, { pipes: true }), {
    reading: 'declared',
    readStdin: environment.readStdin,
    paths: positionals,
  });
  const found: Diagnostic[] = [...values.diagnostics];
  const report = (diagnostic: Diagnostic): void => void found.push(diagnostic);
  const texts = recordReads({ fileSystem: openDisk(environment) });
  values.sources.forEach(texts.remember);
  const path = markedDirectory(positionals[0]!);
  const limits = environment.limits?.package;
  const isRead = found.length === 0;
  const pkg = isRead
    ? await loadApplication({ fileSystem: texts.fileSystem, path, profile: false, limits }, report)
    : undefined;
  const options = { catalog: createCatalog(), layers: applicationLayers(values.given), report };
  const examination = pkg === undefined ? undefined : examineApplication(pkg, options);
  const ok = examination !== undefined && found.every(({ severity }) => severity !== 'error');
  if (ok)
    printInfo({ data: () => describeApplication(examination), lines: () => formatApplication(examination) }, call);
  const sources = [...values.sources, ...(await texts.sourcesOf(found))];
  await printDiagnostics({ diagnostics: found, sources }, flags, environment);
  return ok ? 0 : found.some(({ code }) => code === 'set-syntax') ? 2 : 1;
}

function checkUsage(flags: CommandCall<InfoFlags>['flags']): void {
  const stranger = findGiven(flags, ['all', 'local', 'no-local', 'enable', 'max-depth', 'max-resources']);
  if (stranger !== undefined)
    throw new UsageError(`--${stranger} is only for patch packages`, 'remove it: PKG is an application package');
}

/** A package as data and as text. */
interface PackageInfo {
  readonly data: () => JsonObject;
  readonly lines: () => readonly string[];
}

export function printInfo({ data, lines }: PackageInfo, { flags, environment }: CommandCall<InfoFlags>): void {
  const { format = 'text' } = flags;
  if (format === 'json') return environment.writeStdout(`${writeJson(data())}\n`);
  if (format === 'yaml') return environment.writeStdout(writeYaml(data()));
  const width = terminalWidth(environment, environment.stdoutIsTerminal);
  const color = useColor(flags.color, environment, environment.stdoutIsTerminal);
  const fitted = lines().flatMap((line) => fitLine(escapeControls(line), width));
  // Labels are bold.
  const painted = fitted.map((line) => line.replace(/^[A-Z][^:]*:/, (label) => paint('1', label, color)));
  return environment.writeStdout(painted.map((line) => `${line}\n`).join(''));
}

/** A README may have been written by anybody, so its control characters must not reach the terminal. */
export function printReadme(text: string, { environment }: CommandCall<InfoFlags>): void {
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/);
  environment.writeStdout(lines.map((line) => `${escapeControls(line)}\n`).join(''));
}

const flags = {
  all: {
    type: 'switch',
    section: 'package',
    summary: 'Patch package: print long parameter values in full, as YAML.',
  },
  readme: { type: 'switch', summary: 'Print README.md of the package instead.' },
  ...valueFlags,
  ...packageFlags,
  ...registryFlags,
  ...timeLimitFlags,
  format: {
    type: 'text',
    placeholder: 'FORMAT',
    choices: ['text', 'yaml', 'json'],
    summary: 'Output format: text (the default), yaml or json.',
  },
} as const satisfies FlagDefinitions;

export type InfoFlags = typeof flags;

export const info = defineCommand({
  name: 'info',
  summary: 'Show a package: metadata, parameters, components, patches.',
  description:
    'For a patch package: parameters with their references, and the resources it produces. For an application package: declared ' +
    'parameters, components, and what it requires from the profile. Of a package in a registry, only its documents are fetched.',
  arguments: [
    {
      name: 'PKG',
      summary: 'directory of a package, or oci://HOST/REPOSITORY:TAG',
      required: true,
      completes: 'path',
      inRegistry: 'reference',
    },
  ],
  flags,
  examples: [
    { says: 'a package', line: 'kurel info shop.kurel' },
    { says: 'a package in a registry', line: 'kurel info oci://registry.example.com/packages/shop:1.2.0' },
  ],
  run: runInfo,
});

type Call = CommandCall<InfoFlags>;

async function runInfo(call: Call): Promise<ExitCode> {
  const { positionals, flags, environment } = call;
  if (positionals[0]!.startsWith('oci://')) {
    // Loaded on demand: most packages are on the disk.
    const { runRemoteInfo } = await import('../packages/run-remote-info.ts');
    return await runRemoteInfo(call);
  }
  const ofRegistries = Object.keys(registryFlags) as (keyof typeof registryFlags)[];
  const foreign = findGiven(flags, ['timeout', ...ofRegistries]);
  if (foreign !== undefined) throw new UsageError(`--${foreign} is only for packages in registries`, 'remove it');
  if (flags.readme) return runReadme(call);
  const { form } = await openInput(positionals[0]!, {}, environment);
  if (form.values === 'declared') return runInfoApplication(call);
  const opened = await openPackage(positionals[0]!, flags, environment);
  const { diagnostics, sourcesOf, failure } = opened;
  const found = [...diagnostics];
  const store = createStore(undefined);
  const rendering = opened.ok ? render() : undefined;
  const refused = rendering && (await refusedBy(opened.examined, { store, environment }));
  refused?.diagnostics.forEach((diagnostic) => found.push(diagnostic));
  if (rendering !== undefined) {
    printInfo({ data: () => describePackage(rendering), lines: () => formatPackage(rendering, flags.all) }, call);
  }
  const findings = { diagnostics: found, sources: await sourcesOf(found) };
  await printDiagnostics(findings, flags, environment);
  return rendering === undefined ? failure : 0;

  function render(): PackageRendering | undefined {
    const report = (diagnostic: Diagnostic): void => {
      // Notes are only of interest when building.
      if (diagnostic.severity !== 'note') found.push(diagnostic);
    };
    return renderPackage(opened.examined!, { origins: createOriginTable(), store, report }).rendering;
  }
}

async function runReadme(call: Call): Promise<ExitCode> {
  const { positionals, flags, environment } = call;
  const directory = markedDirectory(positionals[0]!).replace(/\/+$/, '');
  try {
    printReadme(await openDisk(environment).readText(`${directory}/README.md`), call);
    return 0;
  } catch (error) {
    const findings = { diagnostics: [fileProblem(error)], sources: [] };
    await printDiagnostics(findings, flags, environment);
    return 1;
  }
}
