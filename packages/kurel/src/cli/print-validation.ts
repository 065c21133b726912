import {
  escapeControls,
  formatDiagnostics,
  hideSecrets,
  summarise,
  toJson,
  toJunit,
  toSarif,
} from '../diagnostics/index.ts';
import { locateInYaml } from '../index.ts';
import type { Diagnostic } from '../model/index.ts';
import type { Environment } from './environment.ts';
import { describeTool, useColor } from './print-diagnostics.ts';
import type { PrintOptions } from './print-diagnostics.ts';
import { formatReport } from './report/format-report.ts';
import { reportToJson } from './report/report-to-json.ts';
import type { PackageReport } from './report/package-report.ts';
import { terminalWidth } from './terminal-width.ts';
import type { InputValidation } from './validate-input.ts';

export interface ValidationPrint {
  readonly flags: {
    readonly format?: 'text' | 'json' | 'sarif' | 'junit' | undefined;
    readonly color?: PrintOptions['color'];
    readonly verbose: boolean;
  };
  readonly environment: Environment;
}

/** Writes to standard output what was found about an input, in the form that was asked for. */
export async function printValidation(validation: InputValidation, print: ValidationPrint): Promise<void> {
  const { format = 'text' } = print.flags;
  if (format === 'text') return printText(validation, print);
  const { report, sources } = validation;
  const isReport = format === 'json' && report !== undefined;
  const text = isReport
    ? reportToJson(report, { sources, locate: locateInYaml })
    : await formatForMachines(validation, format);
  return print.environment.writeStdout(text);
}

export interface NamedValidation extends InputValidation {
  readonly path: string;
}

/** The same of several inputs: for people one report after the other, for programs one list. Each finding is printed once. */
export async function printValidations(validations: readonly NamedValidation[], print: ValidationPrint): Promise<void> {
  const { format = 'text' } = print.flags;
  if (format !== 'text') return print.environment.writeStdout(await formatForMachines(join(validations), format));
  const takeNew = createNews();
  for (const [index, validation] of validations.entries()) {
    print.environment.writeStdout(`${index === 0 ? '' : '\n'}${escapeControls(validation.path)}:\n`);
    printText(validation, print, takeNew);
  }
}

/** Says of each finding whether it is new: inputs can share files, and have all flags in common. */
function createNews(): (diagnostic: Diagnostic) => boolean {
  const seen = new Set<string>();
  return ({ code, severity, message, location, object }) => {
    const key = JSON.stringify([code, severity, message, location, object]);
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  };
}

function join(validations: readonly InputValidation[]): InputValidation {
  const takeNew = createNews();
  const takeAccepted = createNews();
  const subjects = validations.flatMap((one) => one.subjects);
  return {
    diagnostics: validations.flatMap((one) => one.diagnostics).filter(takeNew),
    sources: validations.flatMap((one) => one.sources),
    accepted: validations.flatMap((one) => one.accepted ?? []).filter(({ diagnostic }) => takeAccepted(diagnostic)),
    subjects: [...new Map(subjects.map((subject) => [JSON.stringify(subject), subject])).values()],
    summarise,
  };
}

/**
 * The report of a package goes to standard output, and the findings with their excerpts to standard error. Findings that are not new are
 * only counted.
 */
function printText(
  { sources, diagnostics, summarise: conclude, report }: InputValidation,
  { flags, environment }: ValidationPrint,
  isNew: (diagnostic: Diagnostic) => boolean = () => true,
): void {
  const isReport = report !== undefined;
  const isTerminal = isReport ? environment.stderrIsTerminal : environment.stdoutIsTerminal;
  const fresh = diagnostics.filter(isNew);
  const formatted = formatDiagnostics(fresh, {
    sources,
    locate: locateInYaml,
    color: useColor(flags.color, environment, isTerminal),
    width: terminalWidth(environment, isTerminal),
  });
  if (!isReport) {
    const repeated = diagnostics.length - fresh.length;
    const last = `${conclude(diagnostics)}${repeated === 0 ? '' : ` (${repeated} reported above)`}`;
    return environment.writeStdout(formatted === '' ? `${last}\n` : `${formatted}\n${last}\n`);
  }
  // The report stands below the details on a terminal, so that the last line says how it went.
  if (formatted !== '') environment.writeStderr(`${formatted}\n`);
  return printReport(report, sources, { flags, environment });
}

function printReport(
  report: PackageReport,
  sources: InputValidation['sources'],
  { flags, environment }: ValidationPrint,
): void {
  const diagnostics = report.findings.map(({ diagnostic }) => diagnostic);
  const color = useColor(flags.color, environment, environment.stdoutIsTerminal);
  const shown = hideSecrets(diagnostics, { sources, locate: locateInYaml });
  const findings = report.findings.map((finding, index) => ({ ...finding, diagnostic: shown[index]! }));
  const isTold = environment.stdoutIsTerminal && environment.stderrIsTerminal;
  return environment.writeStdout(formatReport({ ...report, findings }, { verbose: flags.verbose, color, isTold }));
}

async function formatForMachines(
  { diagnostics, sources, accepted, subjects }: InputValidation,
  format: 'json' | 'sarif' | 'junit',
): Promise<string> {
  const options = { sources, locate: locateInYaml };
  if (format === 'json') return toJson(diagnostics, { ...options, accepted });
  if (format === 'junit') return toJunit(diagnostics, { ...options, subjects });
  return toSarif(diagnostics, { ...options, accepted, ...(await describeTool()) });
}
