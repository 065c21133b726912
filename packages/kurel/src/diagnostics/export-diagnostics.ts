import type { AcceptedFinding, Diagnostic, Location, Message, Severity } from '../model/index.ts';
import { createPlaceFinder } from './find-place.ts';
import type { Place, PlaceOptions } from './find-place.ts';
import { hideWords } from './hide-words.ts';
import { escapeControls, escapeControlsInJson } from './quote.ts';
import { spell, spellPlainly } from './spell-message.ts';

export interface JsonOptions extends PlaceOptions {
  readonly accepted?: readonly AcceptedFinding[] | undefined;
}

/** The findings as a list for other programs, accepted ones last. Lines and columns count from 1; the end is exclusive. */
export function toJson(diagnostics: readonly Diagnostic[], { accepted = [], ...options }: JsonOptions): string {
  const findPlace = createPlaceFinder(options);
  const results = [...diagnostics.map((diagnostic) => ({ diagnostic, reason: undefined })), ...accepted];
  const list = results.map(({ diagnostic, reason }) =>
    describeAsJson(hideWords(diagnostic, findPlace), { findPlace, reason }),
  );
  return `${escapeControlsInJson(JSON.stringify(list, undefined, 2))}\n`;
}

/** JSON has no undefined fields. */
function describeAsJson(
  { code, severity, message, hint, location, related, omitted, object, targets }: Diagnostic,
  { findPlace, reason }: { readonly findPlace: (location: Location) => Place; readonly reason: string | undefined },
): object {
  return {
    code,
    severity,
    message,
    omitted,
    hint,
    object,
    ...(location && describePlace(findPlace(location))),
    related: related?.map((other) => ({ message: other.message, ...describePlace(findPlace(other.location)) })),
    targets,
    accepted: reason === undefined ? undefined : { reason },
  };
}

function describePlace({ file, found: span }: Place): object {
  if (span === undefined) return { file };
  const { start, end } = span;
  return { file, line: start.line, column: start.column, endLine: end.line, endColumn: end.column };
}

export interface SarifOptions extends PlaceOptions {
  readonly toolVersion: string;
  /** Definitions of all findings by code; the reported ones become rules. */
  readonly definitions: Readonly<Record<string, { readonly severity: Severity; readonly summary: Message }>>;
  /** Listed as suppressed results, so that a code host shows them as dismissed, with the reason. */
  readonly accepted?: readonly AcceptedFinding[] | undefined;
}

/** The findings as SARIF 2.1.0, which code hosts and editors show next to the lines. */
export function toSarif(diagnostics: readonly Diagnostic[], options: SarifOptions): string {
  const findPlace = createPlaceFinder(options);
  const { accepted = [] } = options;
  const results = [...diagnostics.map((diagnostic) => ({ diagnostic, reason: undefined })), ...accepted];
  const codes = [...new Set(results.map(({ diagnostic }) => diagnostic.code))].toSorted();
  const ruleIndexes = new Map(codes.map((code, index) => [code, index]));
  const log = {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'kurel',
            version: options.toolVersion,
            rules: codes.map((code) => describeRule(code, options)),
          },
        },
        columnKind: 'unicodeCodePoints',
        results: results.map(({ diagnostic, reason }) =>
          describeResult(hideWords(diagnostic, findPlace), {
            findPlace,
            ruleIndex: ruleIndexes.get(diagnostic.code),
            reason,
          }),
        ),
      },
    ],
  };
  return `${escapeControlsInJson(JSON.stringify(log, undefined, 2))}\n`;
}

interface ResultContext {
  readonly findPlace: (location: Location) => Place;
  readonly ruleIndex: number | undefined;
  /** Why the finding is accepted, if it is. */
  readonly reason: string | undefined;
}

function describeResult(
  { code, severity, message, hint, location, related: others = [] }: Diagnostic,
  { findPlace, ruleIndex, reason }: ResultContext,
): object {
  const related = others.map((other, id) => ({
    id,
    ...describeLocation(findPlace(other.location)),
    message: { text: other.message },
  }));
  return {
    ruleId: code,
    ruleIndex,
    level: severity,
    suppressions: reason === undefined ? undefined : [{ kind: 'external', justification: reason }],
    message: { text: hint === undefined ? message : `${message}\nhint: ${hint}` },
    locations: location && [describeLocation(findPlace(location))],
    relatedLocations: related.length === 0 ? undefined : related,
  };
}

function describeRule(code: string, { definitions }: SarifOptions): object {
  if (!Object.hasOwn(definitions, code)) return { id: code };
  const { severity, summary } = definitions[code]!;
  return {
    id: code,
    shortDescription: { text: spell(summary, spellPlainly) },
    defaultConfiguration: { level: severity },
  };
}

function describeLocation({ file, found: span }: Place): object {
  return {
    physicalLocation: {
      artifactLocation: { uri: toUri(file) },
      region: span && {
        startLine: span.start.line,
        startColumn: span.start.column,
        endLine: span.end.line,
        endColumn: span.end.column,
      },
    },
  };
}

/** Relative paths stay relative, because SARIF readers resolve them against the root of the checkout. */
function toUri(path: string): string {
  const [, drive = '', rest = path] = /^([A-Za-z]:)(\/[^]*)$/.exec(path) ?? [];
  const encoded = rest.split('/').map(encodeSegment).join('/');
  if (drive !== '') return `file:///${drive}${encoded}`;
  return path.startsWith('/') ? `file://${encoded}` : encoded;
}

function encodeSegment(segment: string): string {
  // Half of a surrogate pair cannot be encoded.
  return encodeURIComponent(segment.replace(/\p{Cs}/gu, '\uFFFD'));
}

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
  const reported = diagnostics.map((diagnostic) => hideWords(diagnostic, findPlace));
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
