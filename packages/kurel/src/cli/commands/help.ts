import { nearest, quote, wrapText } from '../../diagnostics/index.ts';
import type { ProblemSummary } from '../../diagnostics/index.ts';
import { hostProblems } from '../../host/index.ts';
import { loadProblemDefinitions } from '../../index.ts';
import { defineCommand } from '../command.ts';
import type { CommandCall, ExitCode } from '../command.ts';
import { commandTable } from '../command-table.ts';
import { formatCommandHelp, formatProgramHelp } from '../format-help.ts';
import { paint } from '../paint.ts';
import { useColor } from '../print-diagnostics.ts';
import { cliProblems } from '../problems.ts';
import { readingWidth, widest } from '../terminal-width.ts';
import { UsageError } from '../usage-error.ts';

export const help = defineCommand({
  name: 'help',
  summary: 'Show help for a command or explain a finding code.',
  description:
    'Long help is shown in a pager on a terminal: KUREL_PAGER, then PAGER, then less. Set KUREL_PAGER to an empty string to disable it.',
  arguments: [
    {
      name: 'TOPIC',
      summary: 'a command, or a finding code such as field-unknown',
      required: false,
      completes: 'topic',
    },
    { name: 'SUBCOMMAND', summary: 'a subcommand, such as generate of schema', required: false },
  ],
  flags: {},
  examples: [
    { says: 'all flags of a command', line: 'kurel help build' },
    { says: 'a finding: what it means, an example and how to fix it', line: 'kurel help field-unknown' },
  ],
  run: runHelp,
});

async function runHelp({ positionals, flags, environment }: CommandCall<{}>): Promise<ExitCode> {
  const [topic, part] = positionals;
  const color = useColor(flags.color, environment, environment.stdoutIsTerminal);
  const options = { width: readingWidth(environment), color };
  const text =
    topic === undefined ? formatProgramHelp(commandTable, options) : await explainTopic(topic, part, options);
  const show = environment.page ?? environment.writeStdout;
  await show(text);
  return 0;
}

interface Options {
  readonly width: number | undefined;
  readonly color: boolean;
}

async function explainTopic(topic: string, part: string | undefined, options: Options): Promise<string> {
  const entry = commandTable.find(({ name }) => name === topic);
  if (entry !== undefined) {
    const command = await entry.load();
    const parts = command.arguments[0]?.choices ?? [];
    if (part === undefined || parts.includes(part)) return formatCommandHelp(command, options);
    const near = nearest(part, parts);
    throw new UsageError(
      `unknown subcommand ${quote(part)} of ${topic}`,
      near === undefined ? `see kurel help ${topic}` : `did you mean kurel help ${topic} ${near}?`,
    );
  }
  // As printed: `error[field-unknown]`.
  const code = /^(?:error|warning|note)\[([\w-]+)\]:?$/.exec(topic)?.[1] ?? topic;
  const definitions: Readonly<Record<string, ProblemSummary>> = {
    ...(await loadProblemDefinitions()),
    ...hostProblems.definitions,
    ...cliProblems.definitions,
  };
  const definition = Object.hasOwn(definitions, code) ? definitions[code] : undefined;
  if (definition !== undefined) return formatFinding(code, definition, options);
  const near = nearest(code, [...commandTable.map(({ name }) => name), ...Object.keys(definitions)]);
  throw new UsageError(
    `${quote(topic)} is neither a command nor a finding code`,
    near === undefined ? 'see kurel help for the commands' : `did you mean kurel help ${near}?`,
  );
}

/** What a finding means, a real example, and how to fix it. */
async function formatFinding(
  code: string,
  { severity, summary, fix = '' }: ProblemSummary,
  options: Options,
): Promise<string> {
  const { width = widest, color } = options;
  const { default: examples } = await import('../finding-examples.json', { with: { type: 'json' } });
  const example = (examples as Readonly<Record<string, string>>)[code] ?? '';
  const heading = (text: string): string => paint('1', text, color);
  const style = { error: '1;31', warning: '1;33', note: '1;36' }[severity];
  const lines = [
    `${paint(style, severity, color)} ${heading(code)}`,
    '',
    ...wrapText(summary, { width }),
    '',
    heading('Example:'),
    ...example.split('\n').map((line) => `  ${line}`.trimEnd()),
    '',
    heading('Fix:'),
    ...wrapText(fix, { width: width - 2 }).map((line) => `  ${line}`),
  ];
  return `${lines.join('\n')}\n`;
}
