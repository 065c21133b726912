import type { Diagnostic } from '../model/index.ts';
import { escapeControls } from './quote.ts';
import { createPlaceFinder } from './find-place.ts';
import type { Place, PlaceOptions } from './find-place.ts';
import { hideWords } from './hide-words.ts';

/** Something that was checked; it becomes a test case even if it has no findings. */
export interface CheckedSubject {
  readonly name: string;
  readonly file: string;
  readonly document?: number;
}

export interface JunitOptions extends PlaceOptions {
  readonly subjects: readonly CheckedSubject[];
}

interface TestCase {
  readonly name: string;
  readonly findings: Diagnostic[];
}

/** The findings as a JUnit report, one suite per file, for systems that show test results. Only errors are failures. */
export function toJunit(diagnostics: readonly Diagnostic[], options: JunitOptions): string {
  const findPlace = createPlaceFinder(options);
  const reported = diagnostics.map((one) => hideWords(one, findPlace));
  const suites = collectSuites(reported, options.subjects);
  const lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<testsuites name="kurel">'];
  for (const [file, cases] of suites) {
    const failures = cases.filter(({ findings }) => findings.some(isError)).length;
    lines.push(`  <testsuite name="${escapeXml(file)}" tests="${cases.length}" failures="${failures}">`);
    for (const { name, findings } of cases) {
      const tag = `testcase classname="${escapeXml(file)}" name="${escapeXml(name)}"`;
      if (findings.length === 0) {
        lines.push(`    <${tag}/>`);
        continue;
      }
      lines.push(`    <${tag}>`);
      for (const finding of findings) {
        const place = finding.location === undefined ? undefined : findPlace(finding.location);
        lines.push(`      ${describeFinding(finding, place)}`);
      }
      lines.push('    </testcase>');
    }
    lines.push('  </testsuite>');
  }
  return `${[...lines, '</testsuites>'].join('\n')}\n`;
}

function collectSuites(
  diagnostics: readonly Diagnostic[],
  subjects: readonly CheckedSubject[],
): ReadonlyMap<string, readonly TestCase[]> {
  const suites = new Map<string, TestCase[]>();
  const byDocument = new Map<string, TestCase>();
  const add = (file: string, name: string): TestCase => {
    const added: TestCase = { name, findings: [] };
    const cases = suites.get(file);
    if (cases === undefined) suites.set(file, [added]);
    else cases.push(added);
    return added;
  };
  for (const { name, file, document } of subjects) {
    const added = add(file, name);
    const key = `${document ?? ''} ${file}`;
    // Items of a List share a document; the first item represents all of them.
    if (!byDocument.has(key)) byDocument.set(key, added);
  }
  for (const diagnostic of diagnostics) {
    const { file = 'kurel', document } = diagnostic.location ?? {};
    const subject = byDocument.get(`${document ?? ''} ${file}`) ?? add(file, diagnostic.code);
    subject.findings.push(diagnostic);
  }
  return suites;
}

function isError({ severity }: Diagnostic): boolean {
  return severity === 'error';
}

function describeFinding(finding: Diagnostic, place: Place | undefined): string {
  const { code, severity, message, hint } = finding;
  const start = place?.found?.start;
  const where =
    place === undefined ? '' : `${place.file}${start === undefined ? '' : `:${start.line}:${start.column}`}\n`;
  const text = escapeXml(`${where}${message}${hint === undefined ? '' : `\nhint: ${hint}`}`);
  if (severity !== 'error') return `<system-out>${escapeXml(`${severity}[${code}] `)}${text}</system-out>`;
  return `<failure type="${escapeXml(code)}" message="${escapeXml(message)}">${text}</failure>`;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** XML 1.0 cannot represent most control characters, so they are shown as in messages. */
function escapeXml(text: string): string {
  return text
    .split('\n')
    .map((line) => escapeControls(line))
    .join('\n')
    .replaceAll(/[&<>"]/g, (character) => entities[character]!);
}
