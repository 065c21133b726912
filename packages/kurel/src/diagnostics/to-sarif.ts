import type { AcceptedFinding, Diagnostic, Location, Severity } from '../model/index.ts';
import { escapeControlsInJson } from './quote.ts';
import { createPlaceFinder } from './find-place.ts';
import type { Place, PlaceOptions } from './find-place.ts';
import { hideWords } from './hide-words.ts';

export interface SarifOptions extends PlaceOptions {
  readonly toolVersion: string;
  /** Definitions of all findings by code; the reported ones become rules. */
  readonly definitions: Readonly<Record<string, { readonly severity: Severity; readonly summary: string }>>;
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
  { code, severity, message, hint, location, related }: Diagnostic,
  { findPlace, ruleIndex, reason }: ResultContext,
): object {
  return {
    ruleId: code,
    ruleIndex,
    level: severity,
    ...(reason === undefined ? {} : { suppressions: [{ kind: 'external', justification: reason }] }),
    message: { text: hint === undefined ? message : `${message}\nhint: ${hint}` },
    ...(location === undefined ? {} : { locations: [describeLocation(findPlace(location))] }),
    ...(related === undefined || related.length === 0
      ? {}
      : {
          relatedLocations: related.map((one, id) => ({
            id,
            ...describeLocation(findPlace(one.location)),
            message: { text: one.message },
          })),
        }),
  };
}

function describeRule(code: string, { definitions }: SarifOptions): object {
  if (!Object.hasOwn(definitions, code)) return { id: code };
  const { severity, summary } = definitions[code]!;
  return { id: code, shortDescription: { text: summary }, defaultConfiguration: { level: severity } };
}

function describeLocation({ file, found }: Place): object {
  return {
    physicalLocation: {
      artifactLocation: { uri: toUri(file) },
      ...(found === undefined
        ? {}
        : {
            region: {
              startLine: found.start.line,
              startColumn: found.start.column,
              endLine: found.end.line,
              endColumn: found.end.column,
            },
          }),
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
