import { formatDiagnostics, hideSecrets } from '../../diagnostics/index.ts';
import { locateInYaml } from '../../index.ts';
import type { CommandCall } from '../command.ts';
import type { ValidateFlags } from '../commands/validate.ts';
import { useColor } from '../print-diagnostics.ts';
import { formatForMachines, subjectsOf } from '../run-validate.ts';
import { terminalWidth } from '../terminal-width.ts';
import type { PackageValidation } from '../validate-package.ts';
import { formatReport } from './format-report.ts';
import { reportToJson } from './report-to-json.ts';

type Call = CommandCall<ValidateFlags>;

/** The report goes to standard output; for people, the findings with their excerpts go to standard error. */
export async function printReport(
  { report, sources, result, accepted }: PackageValidation,
  { flags, environment }: Call,
): Promise<void> {
  const diagnostics = report.findings.map(({ diagnostic }) => diagnostic);
  const { format = 'text', color, verbose } = flags;
  const places = { sources, locate: locateInYaml };
  if (format === 'json') return environment.writeStdout(reportToJson(report, places));
  if (format !== 'text') {
    const subjects = result === undefined ? [] : subjectsOf(result);
    return environment.writeStdout(await formatForMachines({ diagnostics, sources, accepted }, { format, subjects }));
  }
  const details = formatDiagnostics(diagnostics, {
    ...places,
    color: useColor(color, environment),
    width: terminalWidth(environment),
  });
  // The report stands below the details on a terminal, so that the last line says how it went.
  if (details !== '') environment.writeStderr(`${details}\n`);
  const colored = useColor(color, environment, environment.stdoutIsTerminal);
  const shown = hideSecrets(diagnostics, places);
  const findings = report.findings.map((finding, index) => ({ ...finding, diagnostic: shown[index]! }));
  const isTold = environment.stdoutIsTerminal && environment.stderrIsTerminal;
  return environment.writeStdout(formatReport({ ...report, findings }, { verbose, color: colored, isTold }));
}
