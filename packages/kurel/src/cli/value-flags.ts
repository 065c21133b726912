import { DiagnosticError } from '../diagnostics/index.ts';
import { applyAssignment, parseAssignment, readValues } from '../index.ts';
import type { Assignment, Form, OwnValuesRequest, ParameterLayer } from '../index.ts';
import { isScalar, TreeEdits, valueAt } from '../model/index.ts';
import type { Diagnostic, FileSystem, Json, SourceFile, Values } from '../model/index.ts';
import {
  createSeveral,
  parseReferencePath,
  placeAssignment,
  splitAssignments,
  walkValues,
} from '../parameters/index.ts';
import type { BuildSettings } from '../settings/index.ts';
import type { Environment } from './environment.ts';
import { fileProblemWithHint } from './file-problem.ts';
import { openDisk } from './open-world.ts';
import type { GivenValues } from './open-world.ts';
import { applicationLayers } from './package-flags.ts';
import { cliProblems } from './problems.ts';
import type { SourcedFindings } from './sourced-findings.ts';
import { UsageError } from './usage-error.ts';

type ValueSettings = Pick<BuildSettings, 'values' | 'set' | 'setString'>;

export interface ValuesReading extends SourcedFindings {
  /** All values merged; for `layered`, only those from files. */
  readonly values: Values;
  /** One by one, later ones win. */
  readonly valueLayers: readonly GivenValues[];
}

interface ValueOptions {
  /**
   * `layered` values override the parameters of a package, so assignments alone may be incomplete; for `declared` values, the
   * declarations determine their types. `plain` values may be for a chart, which reads YAML as Kubernetes does.
   */
  readonly reading?: Form['values'] | 'core';
  /** The inputs of the command, which may be stdin as well. */
  readonly paths: readonly string[];
  /** Files of `--values`, which may be pipes of a shell. */
  readonly files?: FileSystem | undefined;
  /** Values of a fleet file; they override those of values files. */
  readonly inline?: readonly GivenValues[] | undefined;
}

/** Stdin can be read only once. */
function checkStdin({ values }: Pick<BuildSettings, 'values'>, paths: readonly string[]): void {
  const count = values.filter((path) => path === '-').length;
  if (count > 1) throw new UsageError('--values - is given twice', 'standard input can be read once');
  if (count === 1 && paths.includes('-')) {
    throw new UsageError(
      '--values - and PATH - cannot be combined',
      'standard input can be read once: put the values or the manifests into a file',
    );
  }
}

/** Layers, later ones win: each `--values` in order, each `--set`, each `--set-string`. Reports all problems. */
export async function readValueFlags(
  settings: ValueSettings,
  { reading = 'core', paths, inline = [], files: valueFiles }: ValueOptions,
  environment: Environment,
): Promise<ValuesReading> {
  const { budget, readStdin } = environment;
  const files = valueFiles ?? openDisk(environment, { pipes: true });
  checkStdin(settings, paths);
  const diagnostics: Diagnostic[] = [];
  const sources: SourceFile[] = [];
  const valueLayers: GivenValues[] = [];
  const edits = new TreeEdits();
  let values: Values = {};
  for (const path of settings.values) {
    try {
      const source =
        path === '-' ? { path: 'stdin', text: await readStdin() } : { path, text: await files.readText(path) };
      sources.push(source);
      const words = reading === 'plain' ? 'kubernetes' : 'core';
      const data = readValues(source, (diagnostic) => diagnostics.push(diagnostic), { words, budget });
      if (data === undefined) continue;
      const misplaced = findDocument(source, data);
      if (misplaced !== undefined) {
        diagnostics.push(misplaced);
        continue;
      }
      valueLayers.push({ source, data });
      values = edits.merge(values, data);
    } catch (error) {
      diagnostics.push(await fileProblemWithHint(error, files));
    }
  }
  for (const valueLayer of inline) {
    valueLayers.push(valueLayer);
    sources.push(valueLayer.source);
    if ('data' in valueLayer) values = edits.merge(values, valueLayer.data);
  }
  const assignments = [
    ...settings.set.map((text, index) => ({ text, path: `--set[${index}]`, type: 'typed' as const })),
    ...settings.setString.map((text, index) => ({ text, path: `--set-string[${index}]`, type: 'text' as const })),
  ];
  for (const { type, ...source } of assignments) {
    try {
      sources.push(source);
      const assignment = parseAs(source, type, reading);
      valueLayers.push(assignment);
      if (reading === 'plain' || reading === 'core') values = placeAssignment(values, assignment, edits);
    } catch (error) {
      if (!(error instanceof DiagnosticError)) throw error;
      for (const diagnostic of error.diagnostics) diagnostics.push(diagnostic);
    }
  }
  return { values, valueLayers, diagnostics, sources };
}

/** The declared type determines how a string is read, and the parameters of a package whether `a=1,b=2` is one value. */
function parseAs(source: SourceFile, type: 'typed' | 'text', reading: ValueOptions['reading']): Assignment {
  if (reading !== 'declared') return parseAssignment(source, type, { keepsSeveral: reading === 'layered' });
  return { ...parseAssignment(source, 'text'), isText: type === 'text' };
}

/** One finding about the file instead of one for each unknown key. */
function findDocument({ path }: SourceFile, { apiVersion, kind }: Values): Diagnostic | undefined {
  const isDocument = typeof apiVersion === 'string' && apiVersion.startsWith('launcher.gokure.dev/');
  if (!isDocument || typeof kind !== 'string') return undefined;
  return cliProblems.create('values-document', { path, kind }, { location: { file: path, path: ['kind'] } });
}

/** The values without those that `--set x=null` removes; charts get the null, which has the same effect. */
export function withoutRemoved(values: Values, valueLayers: readonly GivenValues[]): Values {
  const edits = new TreeEdits();
  let rest: Json = values;
  for (const valueLayer of valueLayers) {
    if (!('path' in valueLayer) || valueLayer.value !== null) continue;
    const { path } = valueLayer;
    const isItem = typeof path.at(-1) === 'number';
    if (!isItem && valueAt(rest, path) === null) rest = edits.editAt(rest, path, () => undefined);
  }
  return rest as Values;
}

/** Values as the layers of parameters that a form takes; `undefined` for plain values. */
export async function readLayersFor(
  form: Form,
  valueLayers: readonly GivenValues[],
  request: OwnValuesRequest,
): Promise<{ readonly layers?: readonly ParameterLayer[]; readonly diagnostics: readonly Diagnostic[] }> {
  if (form.values === 'declared') return { layers: applicationLayers(valueLayers), diagnostics: [] };
  if (form.values === 'plain') return { diagnostics: [] };
  return await readLayers(valueLayers, async () => (await form.load()).readOwnValues?.(request));
}

/**
 * Flags as layers over the parameters of a package. A layer replaces lists, so `--set hosts[1]=x` becomes the list as
 * it is below with one item changed; `readBelow` reads the package's own parameters only then.
 */
export async function readLayers(valueLayers: readonly GivenValues[], readBelow: () => Promise<Values | undefined>) {
  const layers: ParameterLayer[] = [];
  const diagnostics: Diagnostic[] = [];
  const needsBelow = valueLayers.some(
    (valueLayer) => 'path' in valueLayer && (listStepOf(valueLayer) !== -1 || mayBeSeveral(valueLayer)),
  );
  let below = needsBelow ? await readBelow() : {};
  // The package cannot be read, which is reported elsewhere.
  if (below === undefined) return { layers, diagnostics };
  const edits = new TreeEdits();
  for (const valueLayer of valueLayers) {
    try {
      const layer =
        'path' in valueLayer ? layerOf(valueLayer, below, edits) : { kind: 'values' as const, ...valueLayer };
      layers.push(layer);
      if (needsBelow) below = edits.merge(below, layer.data);
    } catch (error) {
      if (!(error instanceof DiagnosticError)) throw error;
      for (const diagnostic of error.diagnostics) diagnostics.push(diagnostic);
    }
  }
  return { layers, diagnostics };
}

function mayBeSeveral({ source, isText }: Assignment): boolean {
  return isText !== true && splitAssignments(source.text).length > 1;
}

/** `a=1,b=2` is one value, unless b is a parameter as well, or a is a number or boolean, which cannot have such a value. */
function refuseSeveral({ source, path: own }: Assignment, below: Values): void {
  const before = valueAt(below, own);
  const isTyped = isScalar(before) && before !== null && typeof before !== 'string';
  const parts = splitAssignments(source.text, (key) => {
    if (isTyped) return true;
    const path = parseReferencePath(key);
    return path !== undefined && 'value' in walkValues(below, path);
  });
  if (parts.length > 1) throw new DiagnosticError([createSeveral(source, parts)]);
}

function listStepOf({ path }: Assignment): number {
  return path.findIndex((step) => typeof step === 'number');
}

/** Layers with items of one list share it, because the last one decides and a thousand copies take memory. */
function layerOf(assignment: Assignment, below: Values, edits: TreeEdits): ParameterLayer {
  if (mayBeSeveral(assignment)) refuseSeveral(assignment, below);
  const { source, path, isText } = assignment;
  const end = listStepOf(assignment);
  if (end === -1) return { kind: 'set', source, data: applyAssignment({}, assignment), path, isText };
  const list = path.slice(0, end);
  const value = valueAt(placeAssignment(below, assignment, edits), list)!;
  return { kind: 'set', source, data: applyAssignment({}, { ...assignment, path: list, value }), path, isText };
}
