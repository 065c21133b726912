import { formatDiagnostics, hideSecrets } from '../diagnostics/index.ts';
import { locateInYaml } from '../index.ts';
import type { BuildRequest, SchemaStore } from '../index.ts';
import type { CommandCall, ExitCode } from './command.ts';
import type { ValidateFlags } from './commands/validate.ts';
import { useColor } from './print-diagnostics.ts';
import type { Findings } from './print-diagnostics.ts';
import { formatReport } from './report/format-report.ts';
import { reportToJson } from './report/report-to-json.ts';
import { formatForMachines, subjectsOf } from './run-validate.ts';
import { terminalWidth } from './terminal-width.ts';
import { refuseFlags, validatePackage } from './validate-package.ts';
import type { PackageValidation } from './validate-package.ts';

type Call = CommandCall<ValidateFlags>;

export interface PackageCall {
  readonly request: BuildRequest;
  /** About the flags, and what they name. */
  readonly findings: Findings;
  readonly store: SchemaStore;
  /** The exit code when the flags are wrong already. */
  readonly failure: 1 | 2 | undefined;
}

/** The report goes to standard output; for people, the findings with their excerpts go to standard error. */
export async function runValidatePackage(call: Call, given: PackageCall): Promise<ExitCode> {
  const { flags, environment } = call;
  const { findings, failure } = given;
  const validation =
    failure === undefined
      ? await validatePackage({
          ...given,
          flags: findings,
          environment,
          schemaFile: flags.schema,
          isCached: !flags['no-cache'] && flags.crds.length === 0,
        })
      : refuseFlags(findings);
  await print(validation, call);
  const isValid = validation.report.findings.every(({ diagnostic }) => diagnostic.severity !== 'error');
  return failure ?? (isValid ? 0 : 1);
}

async function print({ report, sources, result }: PackageValidation, { flags, environment }: Call): Promise<void> {
  const diagnostics = report.findings.map(({ diagnostic }) => diagnostic);
  const { format = 'text', color, verbose } = flags;
  const places = { sources, locate: locateInYaml };
  if (format === 'json') return environment.writeStdout(reportToJson(report, places));
  if (format !== 'text') {
    const subjects = result === undefined ? [] : subjectsOf(result);
    return environment.writeStdout(await formatForMachines({ diagnostics, sources }, { format, subjects }));
  }
  const told = verbose ? diagnostics : diagnostics.filter(({ severity }) => severity !== 'note');
  const details = formatDiagnostics(told, {
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
