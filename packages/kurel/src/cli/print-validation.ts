import { escapeControls, formatDiagnostics, hideSecrets, toJson, toJunit, toSarif } from '../diagnostics/index.ts';
import { locateInYaml } from '../index.ts';
import type { Diagnostic } from '../model/index.ts';
import type { Environment } from './environment.ts';
import { useColor } from './paint.ts';
import { describeTool } from './print-diagnostics.ts';
import type { PrintOptions } from './print-diagnostics.ts';
import { formatReport } from './report/format-report.ts';
import { reportToJson } from './report/report-to-json.ts';
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

/** Writes the findings about an input to stdout. */
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

/** Several inputs: as text one report after the other, otherwise one list. Each finding is printed once. */
export async function printValidations(validations: readonly NamedValidation[], print: ValidationPrint): Promise<void> {
  const { format = 'text' } = print.flags;
  if (format !== 'text') return print.environment.writeStdout(await formatForMachines(join(validations), format));
  const takeNew = createNews();
  for (const [index, validation] of validations.entries()) {
    print.environment.writeStdout(`${index === 0 ? '' : '\n'}${escapeControls(validation.path)}:\n`);
    printText(validation, print, takeNew);
  }
}

/** Whether a finding is new: inputs can share files, and have all flags in common. */
function createNews(): (diagnostic: Diagnostic) => boolean {
  const seen = new Set<string>();
  return ({ severity, message, location, object }) => {
    const key = JSON.stringify([severity, message, location, object]);
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
    describe: (shown) => ({ checks: [], objects: [], diagnostics: shown }),
  };
}

/** Findings first, then the report, so that the last line is the summary. Findings that are not new are only counted. */
function printText(
  validation: InputValidation,
  { flags, environment }: ValidationPrint,
  isNew: (diagnostic: Diagnostic) => boolean = () => true,
): void {
  const { sources, diagnostics } = validation;
  const color = useColor(flags.color, environment, environment.stdoutIsTerminal);
  const places = { sources, locate: locateInYaml };
  const report = validation.describe(hideSecrets(diagnostics, places), flags.verbose);
  const ofResources = new Set(report.ofResources);
  // Findings that the report shows with the resources are not printed twice.
  const fresh = diagnostics.filter(isNew).filter((diagnostic) => !ofResources.has(diagnostic));
  const repeated = diagnostics.length - ofResources.size - fresh.length;
  const note = `${report.note ?? ''}${repeated === 0 ? '' : ` (${repeated} reported above)`}`;
  const width = terminalWidth(environment, environment.stdoutIsTerminal);
  const formatted = formatDiagnostics(fresh, { ...places, color, width, isReport: true });
  environment.writeStdout(`${formatted === '' ? '' : `${formatted}\n`}${formatReport({ ...report, note }, color)}`);
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
