import { positionAt } from '../../diagnostics/index.ts';
import { build, examinedPackageOf, findRefusedParameters, locateInYaml } from '../../index.ts';
import type { BuildResult, FieldTrace, ParameterTrace } from '../../index.ts';
import { compareText } from '../../model/index.ts';
import type { Diagnostic, Location, SourceFile } from '../../model/index.ts';
import { markSecrets } from '../../provenance/index.ts';
import type { CommandCall, CommandResult } from '../command.ts';
import type { InputFlags, messageFormatFlag } from '../input-flags.ts';
import { openInput } from '../open-input.ts';
import type { SourcedFindings } from '../sourced-findings.ts';
import { readRequest } from '../read-request.ts';
import type { RequestReading } from '../read-request.ts';
import { failureOf, hasErrors } from '../usage-error.ts';
import { settingsOf } from '../setting-flags.ts';

type Call = CommandCall<InputFlags & typeof messageFormatFlag>;

export interface Answer {
  /** Absent if there is none; the diagnostics explain why. */
  readonly text?: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** What a question about a target of a fleet has besides flags. */
export interface AnsweredTarget {
  /** Its settings, in place of flags. */
  readonly reading?: RequestReading | undefined;
  /** Findings with paths as the user sees them. */
  readonly relocate?: (findings: SourcedFindings) => SourcedFindings;
}

/** Builds the first argument and answers a question about it, or says why there is no answer. */
export async function answerFromBuild(
  call: Call,
  answerTo: (result: BuildResult) => Answer,
  { reading, relocate = (findings) => findings }: AnsweredTarget = {},
): Promise<CommandResult> {
  const { positionals, flags, environment } = call;
  const settings = settingsOf(flags);
  const open = async () => readRequest(await openInput(positionals[0]!, settings, environment), settings, environment);
  const built = await buildForQuestion(reading ?? (await open()));
  const { result, failure } = built;
  if (result !== undefined) {
    environment.progress?.begin(() => `tracing ${result.objects.length.toLocaleString('en-US')} objects`);
  }
  const answer = result === undefined ? { diagnostics: [] } : answerTo(result);
  const findings = {
    diagnostics: [...built.diagnostics, ...answer.diagnostics],
    sources: [...built.sources, ...(result?.rendering.provenance.texts() ?? [])],
  };
  return { ...relocate(findings), stdout: answer.text, exitCode: answer.text === undefined ? failure : 0 };
}

interface QuestionedBuild extends SourcedFindings {
  /** Absent after errors. */
  readonly result?: BuildResult | undefined;
  /** The exit code if there is no answer. */
  readonly failure: 1 | 2;
}

/** Builds what a question is about. Notes of a build are not of interest for it. */
export async function buildForQuestion({ request, diagnostics, sources }: RequestReading): Promise<QuestionedBuild> {
  if (hasErrors(diagnostics)) return { diagnostics, sources, failure: failureOf(diagnostics) };
  const result = await build(request);
  const examined = result.ok ? examinedPackageOf(result.rendering.facts) : undefined;
  const { strict, budget } = request;
  const refused =
    examined === undefined
      ? { diagnostics: [], sources: [] }
      : await findRefusedParameters(examined, { store: result.store!(), strict, budget });
  const reported = result.diagnostics.filter(({ severity }) => severity !== 'note');
  return {
    result: result.ok && !hasErrors(refused.diagnostics) ? result : undefined,
    diagnostics: [...refused.diagnostics, ...reported],
    sources: markSecrets([...sources, ...refused.sources, ...result.sources], result.rendering),
    failure: failureOf(result.diagnostics),
  };
}

export interface Place {
  readonly file: string;
  /** Absent if the location is a whole file. */
  readonly line?: number;
  readonly column?: number;
}

/** Finds the lines of all locations in traces, file by file, so that each text is parsed once. */
export function findPlaces(
  traces: readonly FieldTrace[],
  sources: readonly SourceFile[],
  show: (file: string) => string = (file) => file,
): (location: Location) => Place {
  const texts = new Map(sources.map((source) => [source.path, source]));
  const places = new Map<Location, Place>();
  for (const location of listLocations(traces).toSorted(byFile)) {
    const source = texts.get(location.file);
    const place = source === undefined ? {} : locatePlace(source, location);
    places.set(location, { ...place, file: show(location.file) });
  }
  return (location) => places.get(location) ?? { file: show(location.file) };
}

/** Where the steps of the traces, and the parameters in them, were written. */
export function listLocations(traces: readonly FieldTrace[]): readonly Location[] {
  const steps = traces.flatMap((trace) => trace.steps);
  const parameters = steps.flatMap((step) => withReferences(step.parameters));
  return [...steps, ...parameters].flatMap(({ location }) => location ?? []);
}

function byFile(a: Location, b: Location): number {
  return compareText(a.file, b.file);
}

function withReferences(parameters: readonly ParameterTrace[]): readonly ParameterTrace[] {
  return parameters.flatMap((parameter) => [parameter, ...withReferences(parameter.refersTo)]);
}

export function locatePlace(source: SourceFile, location: Location): Place {
  const { file, document, path } = location;
  const isWhole = document === undefined && path === undefined && location.range === undefined;
  const range = isWhole ? undefined : locateInYaml(source, location);
  return range === undefined ? { file } : { file, ...positionAt(source.text, range.start) };
}
