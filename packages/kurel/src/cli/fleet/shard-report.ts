import { sha256 } from '../../engine/index.ts';
import { hideSecrets } from '../../diagnostics/index.ts';
import { mostShards } from '../../fleet/index.ts';
import type { Fleet } from '../../fleet/index.ts';
import { writeOutputFile } from '../../host/index.ts';
import { locateInYaml } from '../../index.ts';
import { isJsonObject } from '../../model/index.ts';
import type { Diagnostic } from '../../model/index.ts';
import type { Environment } from '../environment.ts';
import { kurelVersion } from '../kurel-version.ts';
import { placeOnDisk } from '../open-world.ts';
import { sourcesOf } from './build-target.ts';
import type { TargetResult } from './collect-outcomes.ts';
import { fieldsOf, findingWith, isCount, isPath, isSwitch, isText, listOf, mapOf, oneOf } from './data-shapes.ts';
import type { FinishedRun } from './print-run.ts';
import type { TargetSelection } from './select-shard.ts';

/** What `--report` writes: the result of a run, so that the results of several shards can be printed as one. */
export interface ShardReport extends Omit<FinishedRun, 'results' | 'sources'> {
  readonly version: typeof format;
  /** What all shards of a run have in common, by its name in messages. */
  readonly run: Readonly<Record<CommonFact, string>>;
  readonly shard: { readonly index: number; readonly count: number };
  readonly strict: boolean;
  /** With the position of each target among those of all shards. */
  readonly results: readonly (TargetResult & { readonly position: number })[];
  /** The files that findings point into, by the digest of their text. Texts may contain secrets, so they stay where they are. */
  readonly texts: Readonly<Record<string, string>>;
}

export const commonFacts = ['number of shards', 'version of kurel', 'fleet file', 'command', 'targets'] as const;

type CommonFact = (typeof commonFacts)[number];

const format = 1;

interface ReportWriting {
  readonly path: string;
  readonly fleet: Fleet;
  readonly selection: TargetSelection;
  /** Flags that apply to every target. */
  readonly words: readonly string[];
  readonly prune: boolean;
  readonly strict: boolean;
  readonly environment: Environment;
}

export function writeReport(finished: FinishedRun, run: ReportWriting): void {
  const { fleet, selection, words, prune, strict, environment } = run;
  const { index, count } = selection.shard ?? { index: 1, count: 1 };
  const names = selection.ofAllShards.map(({ name }) => name);
  const positions = new Map(names.map((name, position) => [name, position]));
  const { results, sources, found, own, ...rest } = finished;
  const hide = (list: readonly Diagnostic[]): readonly Diagnostic[] =>
    hideSecrets(list, { sources, locate: locateInYaml });
  const report: ShardReport = {
    version: format,
    run: {
      'number of shards': `${count}`,
      'version of kurel': kurelVersion,
      'fleet file': `${finished.file} ${sha256(fleet.source.text)}`,
      command: [finished.action, ...words, ...(prune ? ['--prune'] : [])].join(' '),
      targets: sha256(JSON.stringify(names)),
    },
    shard: { index, count },
    strict,
    ...rest,
    isWhole: selection.isWhole,
    own: hide(own),
    found: hide(found),
    results: results.map((one) => Object.assign({ position: positions.get(one.name)! }, one)),
    texts: digestTexts(finished),
  };
  writeOutputFile(placeOnDisk(run.path, environment), `${JSON.stringify(report)}\n`);
}

/** An excerpt of a text with values that end up in a Secret could only be shown by a run that knows them. */
function digestTexts({ file, own, found, sources }: FinishedRun): Readonly<Record<string, string>> {
  const pointedAt = sourcesOf([...own, ...found], sources);
  const shown = sources.filter((one) => one.path === file || pointedAt.includes(one));
  const open = shown.filter(({ secrets = [] }) => secrets.length === 0);
  return Object.fromEntries(open.map(({ path, text }) => [path, sha256(text)]));
}

/** Reads a report; returns the reason if it is not one. */
export function parseReport(text: string): ShardReport | string {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return 'it is not JSON';
  }
  if (!isJsonObject(data) || !('version' in data) || !isJsonObject(data['run'])) return 'it is another document';
  if (data['version'] !== format) return 'it has another version';
  return isReport(data) ? data : 'it is damaged';
}

const isFinding = findingWith(oneOf('error', 'warning', 'note'));

const isResult = fieldsOf(
  {
    position: isCount,
    name: isText,
    state: oneOf('built', 'unchanged', 'up to date', 'failed'),
    errors: isCount,
    warnings: isCount,
    objects: isCount,
    milliseconds: (value) => typeof value === 'number',
    stdout: isText,
  },
  { isCached: isSwitch },
);

const hasForm = fieldsOf({
  version: oneOf(format),
  run: fieldsOf(Object.fromEntries(commonFacts.map((fact) => [fact, isText]))),
  shard: fieldsOf({ index: isCount, count: isCount }),
  action: oneOf('build', 'check', 'validate'),
  file: isText,
  strict: isSwitch,
  isWhole: isSwitch,
  accepted: isCount,
  pruned: isCount,
  own: listOf(isFinding),
  found: listOf(isFinding),
  results: listOf(isResult),
  acceptances: listOf(
    fieldsOf({ code: isText, path: isPath, isStrict: isSwitch, isUsed: isSwitch }, { object: isText }),
  ),
  texts: mapOf(isText),
});

function isReport(data: unknown): data is ShardReport {
  if (!hasForm(data)) return false;
  const { run, shard } = data as ShardReport;
  const { index, count } = shard;
  return index >= 1 && index <= count && count <= mostShards && run['number of shards'] === `${count}`;
}
