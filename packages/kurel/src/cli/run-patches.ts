import { escapeControls, escapeControlsInJson, quote } from '../diagnostics/index.ts';
import type { PatchPlan } from '../index.ts';
import type { CommandCall, ExitCode } from './command.ts';
import type { PatchesFlags } from './commands/patches.ts';
import { openInput } from './open-input.ts';
import { openPackage } from './open-package.ts';
import { printDiagnostics, useColor } from './print-diagnostics.ts';
import { describeDisabled, describeEnabled } from './report/describe-patch.ts';
import type { PatchDescription } from './report/describe-patch.ts';
import { paintMark } from './report/paint-mark.ts';
import { patchesToJson } from './report/report-to-json.ts';
import { UsageError } from './usage-error.ts';

export async function runPatches({ positionals, flags, environment }: CommandCall<PatchesFlags>): Promise<ExitCode> {
  const path = positionals[1]!;
  const { form } = await openInput(path, {}, environment);
  if (form.values === 'declared') {
    throw new UsageError(
      `${quote(path)} is an application package: all .kpatch files in its patches/ are always applied`,
      `kurel info ${path} lists them`,
    );
  }
  const { examination, diagnostics, sourcesOf, ok, failure } = await openPackage(positionals[1]!, flags, environment);
  const plan = examination?.plan;
  if (plan !== undefined) {
    const color = useColor(flags.color, environment, environment.stdoutIsTerminal);
    environment.writeStdout(
      flags.format === 'json'
        ? `${escapeControlsInJson(JSON.stringify(patchesToJson(plan), undefined, 2))}\n`
        : formatPatches(plan, { verbose: flags.verbose, color }),
    );
  }
  const sources = await sourcesOf(diagnostics);
  await printDiagnostics({ diagnostics, sources }, { format: 'text', color: flags.color }, environment);
  return ok ? 0 : failure;
}

interface ListOptions {
  readonly verbose: boolean;
  readonly color: boolean;
}

function formatPatches({ enabled, disabled }: PatchPlan, { verbose, color }: ListOptions): string {
  const patches = [...enabled.map(describeEnabled), ...disabled.map(describeDisabled)];
  return patches.map((one) => `${paintMark(patchLine(one), color)}\n${verbose ? descriptionOf(one) : ''}`).join('');
}

function patchLine({ mark, patch, reason }: PatchDescription): string {
  return escapeControls(`${mark} ${patch.id} (${reason}${patch.owner === 'local' ? ', local' : ''})`);
}

function descriptionOf({ patch }: PatchDescription): string {
  const { description = '' } = patch.sidecar ?? {};
  const lines = description === '' ? [] : description.trimEnd().split('\n');
  return lines.map((line) => `    ${escapeControls(line)}\n`).join('');
}
