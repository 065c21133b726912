import { didYouMean, nearest, quote, severityCodes, wrapText } from '../diagnostics/index.ts';
import { commandTable } from './command-table.ts';
import type { HelpOptions } from './format-help.ts';
import { loadDefinitions } from './print-diagnostics.ts';
import type { spellSummary } from './spell-findings.ts';
import { fitLine, paint, widest } from './terminal.ts';
import { UsageError } from './usage-error.ts';

export async function explainFinding(topic: string, options: HelpOptions): Promise<string> {
  // As printed: `error[field-unknown]`.
  const code = /^(?:error|warning|note)\[([\w-]+)\]:?$/.exec(topic)?.[1] ?? topic;
  const definitions = await loadDefinitions();
  const definition = Object.hasOwn(definitions, code) ? definitions[code] : undefined;
  if (definition !== undefined) return formatFinding(code, definition, options);
  const near = nearest(code, [...commandTable.map(({ name }) => name), ...Object.keys(definitions)]);
  throw new UsageError(
    `${quote(topic)} is neither a command nor a finding code`,
    didYouMean(near, (name) => `kurel help ${name}`) ?? 'see kurel help for the commands',
  );
}

/** What a finding means, a real example, and how to fix it. */
async function formatFinding(
  code: string,
  { severity, summary, fix }: ReturnType<typeof spellSummary>,
  options: HelpOptions,
): Promise<string> {
  const { width = widest, color = false } = options;
  const { default: examples } = await import('./finding-examples.json', { with: { type: 'json' } });
  const example = (examples as Readonly<Record<string, string>>)[code] ?? '';
  const heading = (text: string): string => paint('1', text, color);
  const lines = [
    `${paint(severityCodes[severity], severity, color)} ${heading(code)}`,
    '',
    ...wrapText(summary, { width }),
    '',
    heading('Example:'),
    ...example.split('\n').flatMap((line) => fitLine(`  ${line}`.trimEnd(), options.width)),
    '',
    heading('Fix:'),
    ...wrapText(fix, { width: width - 2 }).map((line) => `  ${line}`),
  ];
  return `${lines.join('\n')}\n`;
}
