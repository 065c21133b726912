import { escapeControls, escapeControlsInJson, quote } from '../../diagnostics/index.ts';
import type { PatchPlan } from '../../index.ts';
import { defineCommand, formatFlag, switchFlag } from '../command.ts';
import type { CommandCall, CommandResult, FlagDefinitions } from '../command.ts';
import type { Environment } from '../environment.ts';
import { valueFlags } from '../input-flags.ts';
import { timeLimitFlags } from '../limits.ts';
import { openPackage, openPackageInput } from '../open-package.ts';
import { packageFlags } from '../package-flags.ts';
import { registryFlags } from '../registry-access.ts';
import { paintMark } from '../report/format-report.ts';
import { describeDisabled, describeEnabled, patchesToJson } from '../report/package-report.ts';
import { fitLine, paint, styleOfStdout } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';
import { settingsOf } from '../setting-flags.ts';

const flags = {
  ...valueFlags,
  ...packageFlags,
  ...registryFlags,
  ...timeLimitFlags,
  verbose: switchFlag('Print the description of each patch.', { short: 'v' }),
  format: formatFlag(['text', 'json'], 'Output format: text (the default) or json.'),
} as const satisfies FlagDefinitions;

type Call = CommandCall<typeof flags>;

export const patches = defineCommand({
  name: 'patches',
  description:
    'Enabled patches come first, in apply order, then disabled ones. ✓ enabled, → enabled because another patch requires it, ' +
    '- disabled, ✗ in conflict with another enabled patch.',
  arguments: [
    { name: 'ACTION', summary: 'list', choices: ['list'] },
    { name: 'PKG', summary: 'directory of a patch package', completes: 'path', inRegistry: 'content' },
  ],
  flags,
  examples: [{ says: 'with production values', line: 'kurel patches list shop.kurel --values production.yaml' }],
  run: runPatches,
});

async function runPatches({ positionals, flags, environment }: Call): Promise<CommandResult> {
  const path = positionals[1]!;
  const input = await openPackageInput(path, environment);
  const { settings, package: form } = input.form;
  if (!settings.includes('package')) {
    throw new UsageError(
      `${quote(path)} is ${form.noun}: all .kpatch files in its patches/ are always applied`,
      `kurel info ${path} lists them`,
    );
  }
  const opened = await openPackage(input, settingsOf(flags), environment);
  const plan = opened.description?.plan;
  const format = (shown: PatchPlan): string =>
    flags.format === 'json'
      ? `${escapeControlsInJson(JSON.stringify(patchesToJson(shown), undefined, 2))}\n`
      : formatPatches(shown, flags, environment);
  return { stdout: plan && format(plan), ...(await opened.findings()) };
}

function formatPatches({ enabled, disabled }: PatchPlan, flags: Call['flags'], environment: Environment): string {
  const { color, width } = styleOfStdout(flags, environment);
  const patches = [...enabled.map(describeEnabled), ...disabled.map(describeDisabled)];
  return patches
    .flatMap(({ mark, patch, reason }) => {
      const title = `${mark} ${patch.id} (${reason}${patch.owner === 'local' ? ', local' : ''})`;
      const description = (flags.verbose && patch.sidecar?.description) || '';
      const below = description === '' ? [] : description.trimEnd().split('\n');
      return [title, ...below.map((line) => `    ${line}`)]
        .flatMap((line) => fitLine(escapeControls(line), width))
        .map((line) => (mark === '-' ? paint('2', line, color) : paintMark(line, color)));
    })
    .map((line) => `${line}\n`)
    .join('');
}
