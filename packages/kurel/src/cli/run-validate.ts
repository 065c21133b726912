import { runValidateDocument } from './run-validate-document.ts';
import { printReport } from './report/print-report.ts';
import { formatDiagnostics, summarise, toJson, toJunit, toSarif } from '../diagnostics/index.ts';
import { describeObject, locateInYaml } from '../index.ts';
import type { BuildResult } from '../index.ts';
import type { Diagnostic } from '../model/index.ts';
import type { CommandCall, ExitCode } from './command.ts';
import type { ValidateFlags } from './commands/validate.ts';
import { buildValidated } from './build-validated.ts';
import { openInput } from './open-input.ts';
import { describeTool, useColor } from './print-diagnostics.ts';
import type { Findings } from './print-diagnostics.ts';
import { readRequest } from './read-request.ts';
import { terminalWidth } from './terminal-width.ts';
import { UsageError } from './usage-error.ts';

type Call = CommandCall<ValidateFlags>;

export async function runValidate(call: Call): Promise<ExitCode> {
  const { positionals, flags, environment } = call;
  const path = positionals[0]!;
  const input = await openInput(path, flags, environment);
  const { form } = input;
  if (form.values === 'plain' && flags.as === undefined) {
    const exitCode = await runValidateDocument(call);
    if (exitCode !== undefined) return exitCode;
  }
  if (form.hasParameterSchema !== true) checkUsage(flags);
  const given = await readRequest(input, flags, environment);
  const validated = await buildValidated(given, { form, flags, environment });
  const { ok, failure, report, result, kubernetesVersion, ...findings } = validated;
  if (report !== undefined) {
    await printReport({ report, result, sources: findings.sources, accepted: findings.accepted ?? [] }, call);
    return ok ? 0 : failure;
  }
  if (result === undefined) {
    await printFindings(findings, [], { flags, environment, summary: '' });
    return failure;
  }
  const checkedCount = result.isChecked ? result.rendering.objects.length : 0;
  const count = checkedCount === 1 ? '1 object' : `${checkedCount} objects`;
  const verdict = summarise(findings.diagnostics, findings.accepted);
  const checked = `${count} checked against Kubernetes ${kubernetesVersion}: ${verdict === '' ? 'nothing found' : verdict}`;
  // What cannot be built is not checked against anything.
  const summary = checkedCount === 0 && !ok ? verdict : checked;
  await printFindings(findings, subjectsOf(result), { flags, environment, summary });
  return ok ? 0 : failure;
}

function checkUsage(flags: Call['flags']): void {
  const stranger = flags.schema === undefined ? (flags.verbose ? 'verbose' : undefined) : 'schema';
  if (stranger === undefined) return;
  throw new UsageError(`--${stranger} is for patch packages`, 'PATH is none: it has no parameters.yaml');
}

/** The objects that were checked, for a report that lists them. */
export function subjectsOf({ isChecked, rendering }: BuildResult) {
  const { origins } = rendering.provenance;
  return (isChecked ? rendering.objects : []).map((object) => {
    const origin = origins.get(object);
    const text = origin?.text;
    const name = describeObject(object);
    if (text === undefined) return { name, file: origin?.file ?? origin?.source ?? 'kurel' };
    return { name, file: text.source.path, document: text.document };
  });
}

interface Print extends Pick<Call, 'flags' | 'environment'> {
  readonly summary: string;
}

/** Writes them to standard output in the form that was asked for; a text ends with the summary. */
export async function printFindings(
  findings: Findings,
  subjects: ReturnType<typeof subjectsOf>,
  how: Print,
): Promise<void> {
  const { flags, environment, summary } = how;
  const { format = 'text' } = flags;
  environment.writeStdout(
    format === 'text' ? text(findings.diagnostics) : await formatForMachines(findings, { format, subjects }),
  );

  function text(diagnostics: readonly Diagnostic[]): string {
    const color = useColor(flags.color, environment, environment.stdoutIsTerminal);
    const width = terminalWidth(environment, environment.stdoutIsTerminal);
    const formatted = formatDiagnostics(diagnostics, { sources: findings.sources, locate: locateInYaml, color, width });
    const last = summary === '' ? summarise(diagnostics) : summary;
    return formatted === '' ? `${last}\n` : `${formatted}\n${last}\n`;
  }
}

export interface MachineFormat {
  readonly format: 'json' | 'sarif' | 'junit';
  readonly subjects: ReturnType<typeof subjectsOf>;
}

export async function formatForMachines(
  { diagnostics, sources, accepted }: Findings,
  { format, subjects }: MachineFormat,
): Promise<string> {
  const options = { sources, locate: locateInYaml };
  if (format === 'json') return toJson(diagnostics, { ...options, accepted });
  if (format === 'junit') return toJunit(diagnostics, { ...options, subjects });
  return toSarif(diagnostics, { ...options, accepted, ...(await describeTool()) });
}
