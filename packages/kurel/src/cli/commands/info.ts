import { escapeControls } from '../../diagnostics/index.ts';
import { markedDirectory, writeJson, writeYaml } from '../../index.ts';
import type { PackageInfo } from '../../index.ts';
import { defineCommand, formatFlag, switchFlag } from '../command.ts';
import type { CommandCall, CommandResult, FlagDefinitions } from '../command.ts';
import { valueFlags } from '../input-flags.ts';
import { timeLimitFlags } from '../limits.ts';
import { openPackage, openPackageInput } from '../open-package.ts';
import { createStore } from '../open-schemas.ts';
import { openDisk } from '../open-world.ts';
import { packageFlags, patchPackageFlags } from '../package-flags.ts';
import { registryFlags } from '../registry-access.ts';
import { fitLine, paint, styleOfStdout } from '../terminal.ts';
import { failureOf, refuseFlags } from '../usage-error.ts';
import { settingsOf } from '../setting-flags.ts';

export function formatInfo({ data, lines }: PackageInfo, { flags, environment }: CommandCall<InfoFlags>): string {
  const { format = 'text' } = flags;
  if (format === 'json') return `${writeJson(data())}\n`;
  if (format === 'yaml') return writeYaml(data());
  const { color, width } = styleOfStdout(flags, environment);
  const fitted = lines(flags.all).flatMap((line) => fitLine(escapeControls(line), width));
  // Labels are bold.
  const painted = fitted.map((line) => line.replace(/^[A-Z][^:]*:/, (label) => paint('1', label, color)));
  return painted.map((line) => `${line}\n`).join('');
}

/** A README may have been written by anybody, so its control characters must not reach the terminal. */
export function formatReadme(text: string): string {
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/);
  return lines.map((line) => `${escapeControls(line)}\n`).join('');
}

const flags = {
  all: switchFlag('Patch package: print long parameter values in full, as YAML.', { section: 'package' }),
  readme: switchFlag('Print README.md of the package instead.'),
  ...valueFlags,
  ...packageFlags,
  ...registryFlags,
  ...timeLimitFlags,
  format: formatFlag(['text', 'yaml', 'json'], 'Output format: text (the default), yaml or json.'),
} as const satisfies FlagDefinitions;

export type InfoFlags = typeof flags;

export const info = defineCommand({
  name: 'info',
  description:
    'For a patch package: parameters with their references, and the resources it produces. For an application package: declared ' +
    'parameters, components, and what it requires from the profile. Of a package in a registry, only its documents are fetched.',
  arguments: [
    {
      name: 'PKG',
      summary: 'directory of a package, or oci://HOST/REPOSITORY:TAG',
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

async function runInfo(call: Call): Promise<CommandResult> {
  const { positionals, flags, environment } = call;
  if (positionals[0]!.startsWith('oci://')) {
    // Loaded on demand: most packages are on the disk.
    const { runRemoteInfo } = await import('../packages/run-remote-info.ts');
    return await runRemoteInfo(call);
  }
  const ofRegistries = ['timeout', ...Object.keys(registryFlags)];
  refuseFlags(flags, ofRegistries, { owner: 'packages in registries', hint: 'remove it' });
  if (flags.readme) return runReadme(call);
  const input = await openPackageInput(positionals[0]!, environment);
  const { settings, package: form } = input.form;
  if (!settings.includes('package')) {
    refuseFlags(flags, ['all', ...patchPackageFlags], {
      owner: 'patch packages',
      hint: `remove it: PKG is ${form.noun}`,
    });
  }
  const opened = await openPackage(input, settingsOf(flags), environment, { store: () => createStore(undefined) });
  const shown = await opened.usable?.createInfo();
  const findings = await opened.findings();
  if (shown === undefined) return { ...findings, exitCode: failureOf(findings.diagnostics) };
  return { ...findings, stdout: formatInfo(shown, call), exitCode: 0 };
}

async function runReadme({ positionals, environment }: Call): Promise<CommandResult> {
  const directory = markedDirectory(positionals[0]!).replace(/\/+$/, '');
  return { stdout: formatReadme(await openDisk(environment).readText(`${directory}/README.md`)) };
}
