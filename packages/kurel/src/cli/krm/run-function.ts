import type { FleetTarget } from '../../fleet/index.ts';
import { identityOf, readFunctionDocument, readOneDocument } from '../../index.ts';
import type { FunctionDocument } from '../../index.ts';
import type { Diagnostic, KubeObject } from '../../model/index.ts';
import { buildValidated } from '../build-validated.ts';
import type { CommandCall, ExitCode } from '../command.ts';
import { build as buildCommand } from '../commands/build.ts';
import type { Environment } from '../environment.ts';
import { describeRefusal } from '../fleet/build-target.ts';
import { checkWordsOf, inlineOf, inputWordsOf } from '../fleet/target-command.ts';
import type { messageFormatFlag } from '../input-flags.ts';
import { openInput } from '../open-input.ts';
import { openWorld } from '../open-world.ts';
import { parseFlags } from '../parse-flags.ts';
import { printDiagnostics } from '../print-diagnostics.ts';
import type { Findings } from '../print-diagnostics.ts';
import { readRequest } from '../read-request.ts';
import { UsageError } from '../usage-error.ts';
import { describeResults } from './describe-results.ts';
import { createItemSources } from './item-sources.ts';
import { isLocal, mergeItems, readResourceList, writeResourceList } from './resource-list.ts';
import type { ResourceList } from './resource-list.ts';

/** One call of the KRM function. */
export async function runFunction({ flags, environment }: CommandCall<typeof messageFormatFlag>): Promise<ExitCode> {
  const found: Diagnostic[] = [];
  const text = await environment.readStdin();
  const list = readResourceList(text, { report: (one) => void found.push(one), budget: environment.budget });
  const outcome = list === undefined ? undefined : await runOn(list, environment);
  const diagnostics = [...found, ...(outcome?.diagnostics ?? [])];
  const findings = { ...outcome, diagnostics, sources: outcome?.sources ?? [{ path: 'stdin', text }] };
  const isFailed = diagnostics.some(({ severity }) => severity === 'error');
  const results = describeResults(findings, {
    items: outcome?.validated ?? new Map(),
    functionConfig: list?.data['functionConfig'],
    objects: outcome?.objects ?? [],
  });
  const items =
    outcome?.isBuilt === true && !isFailed ? mergeItems(list!.items, outcome.objects, identityOf) : list?.items;
  environment.writeStdout(writeResourceList(list, { items: items ?? [], results }));
  // kustomize shows only standard error.
  await printDiagnostics(findings, { format: flags['message-format'], color: flags.color }, environment);
  return isFailed ? 1 : 0;
}

interface FunctionOutcome extends Findings {
  readonly objects: readonly KubeObject[];
  /** Whether the objects are new. */
  readonly isBuilt: boolean;
  /** The items that were validated, by the name of their text. */
  readonly validated: ReadonlyMap<string, KubeObject>;
}

const nothing: FunctionOutcome = { diagnostics: [], sources: [], objects: [], isBuilt: false, validated: new Map() };

async function runOn(list: ResourceList, environment: Environment): Promise<FunctionOutcome> {
  const found: Diagnostic[] = [];
  const source = list.functionConfig;
  const report = (diagnostic: Diagnostic): void => void found.push(diagnostic);
  const located = readOneDocument(source, report);
  const config = located && readFunctionDocument(located.data, { locate: located.locate, report });
  if (config === undefined) return { ...nothing, diagnostics: found, sources: [source] };
  try {
    const outcome = await (config.kind === 'KurelBuild'
      ? runSettings(config, { source, environment, stdin: refuseStdin })
      : validateItems(config, list, environment));
    return { ...outcome, diagnostics: [...found, ...outcome.diagnostics], sources: [source, ...outcome.sources] };
  } catch (error) {
    environment.signal?.throwIfAborted();
    const refusal = describeRefusal(error);
    if (refusal === undefined) throw error;
    return { ...nothing, ...refusal, diagnostics: [...found, ...refusal.diagnostics] };
  }
}

function refuseStdin(): never {
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
  const outcome = await runSettings(build, { source: functionConfig, environment, stdin: () => own.text });
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

interface Run {
  readonly source: ResourceList['functionConfig'];
  readonly environment: Environment;
  readonly stdin: () => string;
}

/** Builds as `kurel build` does with the same settings. */
async function runSettings(
  { spec }: Extract<FunctionDocument, { readonly kind: 'KurelBuild' }>,
  { source, environment: outer, stdin }: Run,
): Promise<FunctionOutcome> {
  const {
    values = [],
    set,
    patches = [],
    enable = [],
    crds = [],
    accept = [],
    contentHash = false,
    strict = false,
  } = spec;
  const path = ['spec'];
  const settings: FleetTarget['settings'] = {
    ...spec,
    values,
    patches,
    enable,
    crds,
    contentHash,
    strict,
    set: set === undefined ? [] : [{ path: [...path, 'set'], data: set }],
    accept: accept.map(({ code, object, reason }, index) => ({
      code,
      object,
      reason,
      path: [...path, 'accept', index],
    })),
    output: '',
  };
  const environment = { ...outer, readStdin: async () => stdin() };
  const words = [...inputWordsOf({ settings }), ...checkWordsOf({ settings }), '--', spec.package];
  const { positionals, flags } = parseFlags(buildCommand, words);
  const input = await openInput(positionals[0]!, flags, environment);
  const world = { ...openWorld(environment), inline: inlineOf({ settings }, source) };
  const given = await readRequest(input, flags, environment, world);
  const built = await buildValidated(given, { form: input.form, flags, environment });
  return { ...nothing, ...built, objects: built.result?.rendering.objects ?? [], isBuilt: true };
}
