import { hideSecrets, spellAsKeys } from '../../diagnostics/index.ts';
import type { FindSetting, Spelling } from '../../diagnostics/index.ts';
import type { FleetTarget } from '../../fleet/index.ts';
import { formatField, identityOf, readFunctionDocument, readOneDocument } from '../../index.ts';
import type { FunctionDocument } from '../../index.ts';
import { annotationsOf, nameOf, namespaceOf, parseApiVersion } from '../../kube/index.ts';
import { isKubeObject, valueAt } from '../../model/index.ts';
import type { Diagnostic, Json, JsonObject, KubeObject, Location, SourceFile } from '../../model/index.ts';
import { locateInYaml } from '../../yaml/index.ts';
import type { CommandCall, CommandResult } from '../command.ts';
import { describeRefusal } from '../describe-failure.ts';
import type { Environment } from '../environment.ts';
import { locatePlace } from '../explain/answer-from-build.ts';
import { createCall, validateCall } from '../fleet/build-target.ts';
import type { messageFormatFlag } from '../input-flags.ts';
import { createItemSources, isLocal, mergeItems, readResourceList, writeResourceList } from './resource-list.ts';
import type { ResourceList } from './resource-list.ts';
import { settingTable } from '../../settings/index.ts';
import type { SettingDefinition } from '../../settings/index.ts';
import type { SourcedFindings } from '../sourced-findings.ts';
import { spellFindings } from '../spell-findings.ts';
import { hasErrors, UsageError } from '../usage-error.ts';

export async function runFunction({ environment }: CommandCall<typeof messageFormatFlag>): Promise<CommandResult> {
  const problems: Diagnostic[] = [];
  const text = await environment.readStdin();
  const list = readResourceList(text, (diagnostic) => void problems.push(diagnostic), environment.budget);
  const ran = list === undefined ? { ...nothing, sources: [{ path: 'stdin', text }] } : await runOn(list, environment);
  const reported = { ...ran, diagnostics: [...problems, ...ran.diagnostics] };
  const outcome = spellFindings(reported, spellAsFields, findField(list?.data['functionConfig']));
  const isFailed = hasErrors(outcome.diagnostics);
  const results = describeResults(outcome, list?.data['functionConfig']);
  const items = list?.items ?? [];
  const merged = outcome.isBuilt && !isFailed ? mergeItems(items, outcome.objects, identityOf) : items;
  const { diagnostics, sources, accepted } = outcome;
  const stdout = writeResourceList(list, merged, results);
  // They are in the list as well, but kustomize shows only standard error.
  return { stdout, diagnostics, sources, accepted, exitCode: isFailed ? 1 : 0 };
}

const rows: Readonly<Record<string, SettingDefinition>> = settingTable;

/** Spells settings as fields of a KurelBuild. */
const spellAsFields: Spelling = spellAsKeys({
  keyOf(name) {
    const { key, inFunction } = rows[name] ?? {};
    return inFunction === undefined ? undefined : `spec.${key}`;
  },
});

/** The field of the functionConfig that has a setting. */
function findField(functionConfig: Json | undefined): FindSetting {
  return ({ setting }) => {
    const path = ['spec', ...(rows[setting]?.key?.split('.') ?? [])];
    const isSet = path.length > 1 && functionConfig !== undefined && valueAt(functionConfig, path) !== undefined;
    return isSet ? { file: 'functionConfig', document: 0, path } : undefined;
  };
}

interface FunctionOutcome extends SourcedFindings {
  readonly objects: readonly KubeObject[];
  /** Whether the objects are new. */
  readonly isBuilt: boolean;
  /** The items that were validated, by the name that findings have for them. */
  readonly validated: ReadonlyMap<string, KubeObject>;
}

const nothing: FunctionOutcome = { diagnostics: [], sources: [], objects: [], isBuilt: false, validated: new Map() };

async function runOn(list: ResourceList, environment: Environment): Promise<FunctionOutcome> {
  const problems: Diagnostic[] = [];
  const source = list.functionConfig;
  const report = (diagnostic: Diagnostic): void => void problems.push(diagnostic);
  const located = readOneDocument(source, report);
  const config = located && readFunctionDocument(located.data, { ...located, report });
  if (config === undefined) return { ...nothing, diagnostics: problems, sources: [source] };
  try {
    const outcome = await (config.kind === 'KurelBuild'
      ? runSettings(config, source, { ...environment, readStdin: refuseStdin })
      : validateItems(config, list, environment));
    return { ...outcome, diagnostics: [...problems, ...outcome.diagnostics], sources: [source, ...outcome.sources] };
  } catch (error) {
    environment.signal?.throwIfAborted();
    const refusal = describeRefusal(error);
    if (refusal === undefined) throw error;
    return { ...nothing, ...refusal, diagnostics: [...problems, ...refusal.diagnostics] };
  }
}

async function refuseStdin(): Promise<never> {
  throw new UsageError('standard input is the ResourceList', 'name files and directories in the KurelBuild');
}

type ValidateDocument = Extract<FunctionDocument, { readonly kind: 'KurelValidate' }>;

async function validateItems(
  config: ValidateDocument,
  { items, functionConfig }: ResourceList,
  environment: Environment,
): Promise<FunctionOutcome> {
  const own = createItemSources(items.filter((item) => !isLocal(item)));
  if (own.text === '') return nothing;
  const build = { kind: 'KurelBuild', spec: { ...config.spec, package: '-' } } as const;
  const outcome = await runSettings(build, functionConfig, { ...environment, readStdin: async () => own.text });
  const { diagnostics, sources } = own.relocate(outcome);
  return {
    ...outcome,
    // The caller decides how the items are applied.
    diagnostics: diagnostics.filter(({ code }) => code !== 'definition-in-stream'),
    sources,
    isBuilt: false,
    validated: own.items,
  };
}

/** Builds as `kurel build` does with the same settings. */
async function runSettings(
  { spec }: Extract<FunctionDocument, { readonly kind: 'KurelBuild' }>,
  source: SourceFile,
  environment: Environment,
): Promise<FunctionOutcome> {
  const { values = [], set, patches = [], enable = [], crds = [], accept = [] } = spec;
  const settings: FleetTarget['settings'] = {
    ...spec,
    values,
    patches,
    enable,
    crds,
    contentHash: spec.contentHash ?? false,
    strict: spec.strict ?? false,
    set: set === undefined ? [] : [{ path: ['spec', 'set'], data: set }],
    accept: accept.map(({ code, object, reason }, index) => ({
      code,
      object,
      reason,
      path: ['spec', 'accept', index],
    })),
    output: '',
  };
  const built = await validateCall(createCall({ settings }, {}, { source, environment }));
  return { ...nothing, ...built, objects: built.result?.rendering.objects ?? [], isBuilt: true };
}

const severities = { error: 'error', warning: 'warning', note: 'info' } as const;

/** SourcedFindings as results of a KRM function, without the values of Secrets. */
function describeResults(outcome: FunctionOutcome, functionConfig: Json | undefined): readonly JsonObject[] {
  const { diagnostics, sources } = outcome;
  const texts = new Map(sources.map((source) => [source.path, source]));
  const lineOf = (location: Location): number | undefined => {
    const source = texts.get(location.file);
    return source && locatePlace(source, location).line;
  };
  const shown = hideSecrets(diagnostics, { sources, locate: locateInYaml });
  return shown.map((diagnostic) => describeResult(diagnostic, subjectOf(diagnostic, outcome, functionConfig), lineOf));
}

function describeResult(
  { code, severity, message, hint, location }: Diagnostic,
  subject: ResultSubject | undefined,
  lineOf: (location: Location) => number | undefined,
): JsonObject {
  const inFile = subject?.location === undefined ? location : undefined;
  const line = inFile && lineOf(inFile);
  return {
    message: hint === undefined ? message : `${message}; ${hint}`,
    severity: severities[severity],
    ...(subject === undefined ? {} : { resourceRef: refer(subject.object) }),
    ...(subject?.location === undefined ? {} : describeField(subject.location, subject.object)),
    // Parts of standard input are not files.
    ...(inFile === undefined || /^(?:stdin|functionConfig)$/.test(inFile.file) ? {} : { file: { path: inFile.file } }),
    tags: { code, ...(line === undefined ? {} : { line: String(line) }) },
  };
}

interface ResultSubject {
  readonly object: KubeObject;
  /** Present if the finding is about a field that the caller knows. */
  readonly location?: Location | undefined;
}

function subjectOf(
  { location, object: name }: Diagnostic,
  { validated, objects }: FunctionOutcome,
  functionConfig: Json | undefined,
): ResultSubject | undefined {
  if (location?.file === 'functionConfig' && isKubeObject(functionConfig)) return { object: functionConfig, location };
  const item = validated.get(location?.file ?? '');
  if (item !== undefined) return { object: item, location };
  const object = objects.find(
    (object) =>
      object.kind === name?.kind &&
      nameOf(object) === name.name &&
      namespaceOf(object) === name.namespace &&
      parseApiVersion(object.apiVersion)?.group === name.group,
  );
  return object === undefined ? undefined : { object };
}

function refer(object: KubeObject): JsonObject {
  const { apiVersion, kind } = object;
  const [name, namespace] = [nameOf(object), namespaceOf(object)];
  return { apiVersion, kind, ...(name === '' ? {} : { name }), ...(namespace === '' ? {} : { namespace }) };
}

function describeField({ path = [] }: Location, object: KubeObject): JsonObject {
  const annotations = annotationsOf(object);
  const read = (key: string): string | undefined =>
    annotations[`internal.config.kubernetes.io/${key}`] ?? annotations[`config.kubernetes.io/${key}`];
  const [file, index] = [read('path'), Number(read('index') ?? '0')];
  return {
    ...(path.length === 0 ? {} : { field: { path: formatField(path, object) } }),
    ...(file === undefined ? {} : { file: { path: file, ...(Number.isInteger(index) ? { index } : {}) } }),
  };
}
