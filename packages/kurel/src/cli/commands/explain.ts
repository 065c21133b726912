import { countColumns, escapeControls, quote } from '../../diagnostics/index.ts';
import {
  findObject,
  formatField,
  formatObject,
  formatObjects,
  hiddenText,
  hideSecretValues,
  selectFields,
  traceOf,
  writeJson,
  writeYaml,
} from '../../index.ts';
import type { BuildResult, FieldTrace, ParameterTrace, TraceStep } from '../../index.ts';
import { isJsonArray, isJsonObject, TreeEdits, valueAt } from '../../model/index.ts';
import type { Json, JsonObject, KubeObject, Location, Path } from '../../model/index.ts';
import { findSecretParameters } from '../../provenance/index.ts';
import { defineCommand, formatFlag } from '../command.ts';
import type { CommandCall, CommandResult, FlagDefinitions } from '../command.ts';
import { answerFromBuild, findPlaces, listLocations } from '../explain/answer-from-build.ts';
import type { Answer, AnsweredTarget } from '../explain/answer-from-build.ts';
import {
  formatChains,
  formatPlace,
  hideSecretTraces,
  listShortened,
  nameFiles,
  wordsAsFlags,
} from '../explain/format-chains.ts';
import type { ChainOptions, FileNames, ShownTrace } from '../explain/format-chains.ts';
import { inputFlags, messageFormatFlag } from '../input-flags.ts';
import { cutMiddle, paint, styleOfStdout, wrapWords } from '../terminal.ts';

type Call = CommandCall<typeof flags>;

/** A target of a fleet is built in the directory of the fleet file. */
interface ExplainedTarget extends AnsweredTarget {
  /** A path as seen from the user's working directory. */
  readonly show: (path: string) => string;
}

export async function runExplain(
  call: Call,
  target: ExplainedTarget = { show: (path) => path },
): Promise<CommandResult> {
  const { positionals, environment } = call;
  const answer = await answerFromBuild(call, (result) => answerTo(call, result, target.show), target);
  if (answer.exitCode !== 0 || positionals.length > 1 || !environment.stderrIsTerminal) return answer;
  return { ...answer, remark: 'pass an object to see where its fields come from: kurel explain PATH OBJECT\n' };
}

function answerTo(
  { positionals, flags, environment }: Call,
  result: BuildResult,
  show: ExplainedTarget['show'],
): Answer {
  const { provenance } = result.rendering;
  const [input = '', words, field] = positionals;
  const path = show(input);
  if (words === undefined) return { text: listObjects(result.objects, flags.format), diagnostics: [] };
  const match = findObject(result.objects, words, provenance.removed());
  if ('problem' in match) return { diagnostics: [match.problem] };
  const { object } = match;
  const traces = traceOf(object, provenance);
  const selected = field === undefined ? { fields: traces } : selectFields(traces, { object, text: field });
  if ('problem' in selected) return { diagnostics: [selected.problem] };
  // Removed before formatting, so that no format can show the values of Secrets.
  const hidden = findSecretParameters(result.rendering);
  const fields = hideSecretTraces(selected.fields, object, hidden);
  const style = styleOfStdout(flags, environment);
  const findPlace = findPlaces(fields, provenance.texts(), show);
  const shown = hideFields(hideSecretValues(object), hideSecretTraces(traces, object, hidden));
  const options = { object: shown, findPlace, ...style };
  if (flags.format === 'json') return { text: tracesToJson(fields, options), diagnostics: [] };
  if (field !== undefined) return { text: formatChains(fields, options), diagnostics: [] };
  const files = new Set(listLocations(fields).map(({ file }) => show(file)));
  const names = nameFiles(files, path, style.width !== undefined);
  return { text: formatOverview(fields, { ...options, path, names }), diagnostics: [] };
}

/** The object as the traces show it. */
function hideFields(object: KubeObject, traces: readonly ShownTrace[]): KubeObject {
  const edits = new TreeEdits();
  const isHere = ({ path, hidden }: ShownTrace): boolean => hidden === true && valueAt(object, path) !== undefined;
  const fields = traces.filter(isHere);
  return fields.reduce<Json>((tree, { path }) => edits.editAt(tree, path, () => hiddenText), object) as KubeObject;
}

/** In the spelling that OBJECT accepts. */
function listObjects(objects: readonly KubeObject[], format: 'text' | 'json' | undefined): string {
  const names = formatObjects(objects);
  if (format === 'json') return `${writeJson({ objects: names })}\n`;
  return names.map((name) => `${escapeControls(name)}\n`).join('');
}

/** Lines and columns count from 1. */
function tracesToJson(fields: readonly ShownTrace[], { object, findPlace }: ChainOptions): string {
  const place = (location: Location | undefined): JsonObject =>
    location === undefined ? {} : { place: { ...findPlace(location) } };
  const parameter = ({ name, value, words, location, refersTo }: ParameterTrace): JsonObject => ({
    name,
    ...(value === undefined ? {} : { value }),
    words: wordsAsFlags({ words }),
    ...place(location),
    ...(refersTo.length === 0 ? {} : { refersTo: refersTo.map(parameter) }),
  });
  const step = ({ kind, words, location, before, after, parameters }: TraceStep): JsonObject => ({
    kind,
    ...(words === '' ? {} : { words: wordsAsFlags({ words }) }),
    ...place(location),
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
    ...(parameters.length === 0 ? {} : { parameters: parameters.map(parameter) }),
  });
  const text = writeJson({
    object: formatObject(object),
    fields: fields.map(({ path, value, steps, hidden }) => ({
      field: formatField(path, object),
      path,
      ...(value === undefined ? { gone: true } : { value }),
      ...(hidden === undefined ? {} : { hidden }),
      steps: steps.map(step),
    })),
  });
  return `${text}\n`;
}

interface OverviewOptions extends ChainOptions {
  readonly path: string;
  readonly names: FileNames;
}

interface Line {
  readonly text: string;
  /** The path of the field on this line, if any. */
  readonly path?: Path;
}

// On longer lines the comment follows immediately.
const widestLine = 56;
const longestScalar = 120;

/** The object as YAML, with the origin of each field as a comment, the last step first. */
function formatOverview(fields: readonly FieldTrace[], options: OverviewOptions): string {
  const { object, path: built, width } = options;
  const byPath = new Map(fields.map((field) => [JSON.stringify(field.path), field]));
  const lines: Line[] = [];
  write(object, { lead: '', column: 0, path: [], lines });
  const column = Math.min(
    widestLine,
    // On a terminal, comments keep at least half of the width.
    Math.floor((width ?? Infinity) / 2),
    lines.reduce((most, { text }) => Math.max(most, countColumns(text)), 0),
  );
  const body = lines.flatMap(({ text, path }) => {
    const field = path === undefined ? undefined : byPath.get(JSON.stringify(path));
    const chain = field === undefined ? '' : describeSteps(field, options);
    const line = width === undefined ? text : cutMiddle(text, width);
    return chain === '' ? [line] : addComment(line, chain, { column, width });
  });
  const gone = fields.filter(({ value }) => value === undefined);
  const comment = (text: string): readonly string[] =>
    wrapWords(text, (width ?? Infinity) - 2).map((line) => `# ${line}`);
  const rest = gone.flatMap((field) =>
    comment(`${formatField(field.path, object)} was removed: ${describeSteps(field, options)}`),
  );
  const head = `${formatObject(object)}${built === '-' ? '' : ` in ${built}`}`;
  const titles = comment(escapeControls(head)).map((line) => paint('1', line, options.color));
  const files = listShortened(options.names, built).flatMap(comment);
  return `${[...titles, ...files, ...body, ...rest].join('\n')}\n`;
}

/** Puts the comment after the line or, where it does not fit the terminal, on lines of its own in the same column. */
function addComment(
  text: string,
  chain: string,
  { column, width }: { readonly column: number; readonly width: number | undefined },
): readonly string[] {
  const columns = countColumns(text);
  const line = `${text}${' '.repeat(Math.max(0, column - columns))}`;
  if (width === undefined || Math.max(column, columns) + countColumns(chain) + 4 <= width)
    return [`${line}  # ${chain}`];
  const parts = wrapWords(chain, Math.max(20, width - column - 4));
  const below = (part: string): string => `${' '.repeat(column)}  # ${part}`;
  const [first = '', ...rest] = parts;
  return columns > column ? [text, ...parts.map(below)] : [`${line}  # ${first}`, ...rest.map(below)];
}

interface Writing {
  /** Printed before the value on its first line: `key: `, `- `. */
  readonly lead: string;
  /** Of the keys or dashes of the value. */
  readonly column: number;
  readonly path: Path;
  readonly lines: Line[];
}

function write(value: Json, { lead, column, path, lines }: Writing): void {
  const isList = isJsonArray(value);
  const entries = isList ? [...value.entries()] : isJsonObject(value) ? Object.entries(value) : [];
  if (entries.length === 0) {
    lines.push({ text: `${lead}${formatScalar(value)}`, path });
    return;
  }
  const isBehindDash = lead.endsWith('- ');
  if (lead !== '' && !isBehindDash) lines.push({ text: lead.trimEnd() });
  for (const [index, [step, inner]] of entries.entries()) {
    const start = isBehindDash && index === 0 ? lead : ' '.repeat(column);
    const key = isList ? '- ' : `${formatKey(String(step))}: `;
    // Dashes align with their key; the content of an item follows the dash.
    const deeper = isList || !isJsonArray(inner) ? column + 2 : column;
    write(inner, { lead: `${start}${key}`, column: deeper, path: [...path, step], lines });
  }
}

function formatKey(key: string): string {
  const text = writeYaml(key).trimEnd();
  return text.includes('\n') ? quote(key) : escapeControls(text);
}

/** On one line: long strings such as ConfigMap data would hide the structure. */
function formatScalar(value: Json): string {
  if (typeof value !== 'string') return escapeControls(writeYaml(value).trimEnd());
  const text = writeYaml(value).trimEnd();
  return text.includes('\n') || text.length > longestScalar ? quote(value) : escapeControls(text);
}

function describeSteps({ steps }: FieldTrace, options: OverviewOptions): string {
  const described: string[] = [];
  for (const [index, step] of steps.entries()) {
    // Parameters are described together with the value they were substituted into.
    if (step.kind === 'parameter') continue;
    const next = steps[index + 1];
    const filled = next?.kind === 'parameter' ? next.parameters : [];
    const parameters = [...step.parameters, ...filled];
    const named = parameters.map((parameter) => describeParameter(parameter, options)).join(', ');
    const place = describePlace(step, options);
    described.push(named === '' ? place : `${place} (${named})`);
  }
  return described.toReversed().join(' ← ');
}

function describeParameter(parameter: ParameterTrace, options: OverviewOptions): string {
  const inTurn = parameter.refersTo.map((inner) => describeParameter(inner, options)).join(' + ');
  const place = describePlace(parameter, options);
  return inTurn === '' ? place : `${place} ← ${inTurn}`;
}

function describePlace(
  { words, location }: Pick<TraceStep, 'words' | 'location'>,
  { findPlace, names }: OverviewOptions,
): string {
  if (location === undefined) return escapeControls(wordsAsFlags({ words }));
  const place = findPlace(location);
  return escapeControls(formatPlace({ ...place, file: names.get(place.file) ?? place.file }));
}

const flags = {
  ...inputFlags,
  format: formatFlag(['text', 'json'], 'Output format: text (the default) or json (every field with all steps).'),
  ...messageFormatFlag,
} as const satisfies FlagDefinitions;

export const explain = defineCommand({
  name: 'explain',
  description:
    'PATH and the flags are those of kurel build. Without FIELD, the whole object is printed with the last change of each field first. ' +
    'With FIELD, every step is printed in order, with the value before and after. For application packages the steps include the ' +
    'author, parameters, profile, policy and the component or trait itself. Values of Secrets are never shown.',
  arguments: [
    { name: 'PATH', summary: 'any input of kurel build', completes: 'path', inRegistry: 'content' },
    {
      name: 'OBJECT',
      summary:
        'web, deployment.web, deployment/web, deployment.apps/web or shop/deployment/web; abbreviations such as deploy work. Without it, ' +
        'all objects are listed',
      optional: true,
      completes: 'object',
    },
    {
      name: 'FIELD',
      summary: 'spec.replicas, replicas or containers.name=web.image; defaults to all fields',
      optional: true,
      completes: 'field',
    },
  ],
  flags,
  examples: [
    { says: 'what sets the number of replicas', line: 'kurel explain app.kurel deployment.web replicas' },
    { says: 'the whole object with production values', line: 'kurel explain app.kurel web --values prod.yaml' },
    {
      says: 'an Ingress of an application package',
      line: 'kurel explain shop ingress.web --profile cluster.yaml',
    },
    {
      says: 'manifests with a patch',
      line: 'kurel explain deploy/ svc.web -p prod.kpatch --set version=1.10',
    },
  ],
  run: (call) => runExplain(call),
});
