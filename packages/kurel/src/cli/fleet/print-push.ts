import { escapeControls, quote } from '../../diagnostics/index.ts';
import type { Fleet, FleetTarget } from '../../fleet/index.ts';
import type { CommandCall, ExitCode } from '../command.ts';
import { checkTags, readAnnotations } from '../packages/run-push.ts';
import { printDiagnostics } from '../print-diagnostics.ts';
import { createRegistryAccess } from '../registry-access.ts';
import { UsageError } from '../usage-error.ts';
import { wordsForTargets } from './fleet-flags.ts';
import type { FleetFlags } from './fleet-flags.ts';
import type { OpenedFleet } from './open-fleet.ts';
import { makeStrict } from './print-run.ts';
import { pushTargets } from './push-targets.ts';
import type { PushedTarget } from './push-targets.ts';
import { relocate } from './run-fleet.ts';

export interface PushCall extends Pick<CommandCall<FleetFlags>, 'flags' | 'environment'> {
  readonly opened: OpenedFleet;
  readonly fleet: Fleet;
  readonly targets: readonly FleetTarget[];
  /** Names and patterns of targets. */
  readonly words: readonly string[];
}

/** Pushes the output of all targets that have an artifact, and prints their references. */
export async function printPush({ flags, environment, opened, fleet, targets, words }: PushCall): Promise<ExitCode> {
  checkTags(flags.tag);
  const annotations = readAnnotations(flags.annotation);
  const chosen = targets.filter(({ settings }) => settings.artifact !== undefined);
  const without = targets.find(({ name, settings }) => settings.artifact === undefined && words.includes(name));
  if (without !== undefined || (chosen.length === 0 && targets.length > 0)) {
    const who = without === undefined ? 'no target has' : `target ${quote(without.name)} does not have`;
    throw new UsageError(`${who} an artifact`, 'set "artifact" in the fleet file, such as oci://host/{cluster}/{app}');
  }
  const { pushed, diagnostics, sources } = await pushTargets({
    fleet,
    targets: chosen,
    words: wordsForTargets(flags),
    environment: opened.environment,
    access: flags['dry-run'] ? undefined : createRegistryAccess(flags, opened.environment),
    tags: flags.tag,
    annotations,
    force: flags.force,
  });
  environment.writeStdout(formatPushed(pushed));
  const all = [...opened.diagnostics, ...diagnostics].map((one) => makeStrict(one, flags.strict));
  const findings = { diagnostics: all, sources: [...opened.sources, ...sources] };
  await printDiagnostics(relocate(findings, { opened, environment }), flags, environment);
  if ((flags['message-format'] ?? 'text') === 'text') environment.writeStderr(`${summarisePushed(pushed)}\n`);
  const hasFailed = pushed.some(({ state }) => state === 'failed');
  return hasFailed || all.some(({ severity }) => severity === 'error') ? 1 : 0;
}

/** One line per target, for other programs. */
function formatPushed(pushed: readonly PushedTarget[]): string {
  const rows = pushed.filter(({ reference }) => reference !== undefined);
  const width = rows.reduce((most, { name }) => Math.max(most, name.length), 0);
  return rows
    .map(({ name, reference }) => `${escapeControls(name.padEnd(width))}  ${escapeControls(reference!)}\n`)
    .join('');
}

/** `12 targets: 10 pushed, 2 unchanged` */
function summarisePushed(pushed: readonly PushedTarget[]): string {
  const states = ['failed', 'pushed', 'moved', 'unchanged', 'not pushed'] as const;
  const counts = states.flatMap((state) => {
    const count = pushed.filter((one) => one.state === state).length;
    return count === 0 ? [] : [`${count.toLocaleString('en-US')} ${state}`];
  });
  const noun = pushed.length === 1 ? 'target' : 'targets';
  return `${pushed.length.toLocaleString('en-US')} ${noun}: ${counts.join(', ')}`;
}
