import { acceptProblems } from '../../accept/index.ts';
import { getOrAdd } from '../../budget/index.ts';
import {
  countBySeverity,
  mentionsIn,
  quote,
  setting,
  spellAsKeys,
  spellDiagnostic,
  withTexts,
} from '../../diagnostics/index.ts';
import type { FindSetting, Spelling } from '../../diagnostics/index.ts';
import type { FleetSettingName } from '../../documents/index.ts';
import { findSharedObjects } from '../../fleet/index.ts';
import type { Fleet, FleetTarget } from '../../fleet/index.ts';
import type { Diagnostic, Path, SourceFile } from '../../model/index.ts';
import { settingTable } from '../../settings/index.ts';
import type { SettingDefinition } from '../../settings/index.ts';
import type { SourcedFindings } from '../sourced-findings.ts';
import { spellAsFlags } from '../spell-findings.ts';
import type { TargetOutcome } from './build-target.ts';
import type { TargetFacts } from './cache/cached-target.ts';

export interface TargetResult {
  readonly name: string;
  readonly state: 'built' | 'unchanged' | 'up to date' | 'failed';
  readonly errors: number;
  readonly warnings: number;
  readonly milliseconds: number;
  /** What the target printed: a diff with `--check`. */
  readonly stdout: string;
  readonly isCached?: boolean | undefined;
}

export interface AcceptanceUse {
  readonly code: string;
  readonly object?: string | undefined;
  readonly path: Path;
  /** Whether one of the targets that have it treats warnings as errors. */
  readonly isStrict: boolean;
  readonly isUsed: boolean;
}

/** An acceptance is unused if none of the targets that have it uses it; a run of some targets, or with failures, cannot say so. */
export function reportUnused(acceptances: readonly AcceptanceUse[], file: string): readonly Diagnostic[] {
  return acceptances
    .filter(({ isUsed }) => !isUsed)
    .map(({ code, object, path, isStrict }) => {
      const severity = isStrict ? ('error' as const) : ('warning' as const);
      const place = { location: { file, document: 0, path }, severity };
      return acceptProblems.create('acceptance-unused', { code, object }, place);
    });
}

/** Values that targets have in common, each once with these targets, in the order in which they came. */
export function createGroups<Value extends object>() {
  const groups = new Map<string, { readonly value: Value; readonly targets: string[] }>();
  return {
    add(key: string, value: Value, target: string): void {
      const { targets } = getOrAdd(groups, key, () => ({ value, targets: [] }));
      if (targets.at(-1) !== target) targets.push(target);
    },
    list: () => Array.from(groups.values(), ({ value, targets }) => Object.assign({}, value, { targets })),
  };
}

type FindingOfTargets = Diagnostic & { readonly targets: readonly string[] };

/** Collects the results of a run, which arrive in any order, into one report in the order of the fleet file. */
export function collectOutcomes({ source, targets: all }: Fleet, selected: readonly FleetTarget[]) {
  const order = new Map(selected.map((target, index) => [target.name, index]));
  const indexOf = (name: string): number => order.get(name)!;
  const results: TargetResult[] = [];
  const groups = createGroups<Diagnostic>();
  const sources = new Map<string, SourceFile>([[source.path, source]]);
  /** Findings about the cache itself, which no target causes. */
  const failures = new Map<string, Diagnostic>();
  const used = new Set<string>();
  const written = new Map<string, readonly string[] | undefined>();
  let accepted = 0;

  function addFacts(
    target: FleetTarget,
    facts: TargetFacts,
    { state, ...result }: Omit<TargetResult, 'name' | 'errors' | 'warnings'>,
  ): void {
    const { diagnostics } = facts;
    const { error: errors, warning: warnings } = countBySeverity(diagnostics);
    results.push({ name: target.name, state, errors, warnings, ...result });
    group(target, diagnostics);
    written.set(target.name, facts.written);
    accepted += facts.accepted;
    for (const path of facts.acceptedBy) used.add(JSON.stringify(path));
  }

  function group(target: FleetTarget, diagnostics: readonly Diagnostic[]): void {
    for (const finding of diagnostics) {
      const diagnostic = adviseFleet(finding, target, source.path);
      const { code, severity, message, hint, location, related } = diagnostic;
      groups.add(JSON.stringify([code, severity, message, hint, location, related]), diagnostic, target.name);
    }
  }

  /** What only shows when all targets are known. */
  function compareWritten(): readonly FindingOfTargets[] {
    const shared = findSharedObjects({ source, targets: selected }, (name) => written.get(name));
    for (const path of shared.acceptedBy) used.add(JSON.stringify(path));
    accepted += shared.accepted;
    return shared.diagnostics;
  }

  return {
    add(target: FleetTarget, outcome: TargetOutcome): void {
      const { exitCode, effect, milliseconds, stdout, isCached } = outcome;
      const state = exitCode !== 0 ? 'failed' : effect === 'no file changed' ? 'unchanged' : 'built';
      addFacts(target, outcome, { state, milliseconds, stdout, isCached });
      for (const finding of outcome.cacheFindings ?? []) {
        if (finding.code === 'fleet-cache-failed') failures.set(finding.message, finding);
        else group(target, [finding]);
      }
      for (const text of outcome.sources) {
        const other = sources.get(text.path);
        if (other === undefined || (text.secrets?.length ?? 0) > (other.secrets?.length ?? 0))
          sources.set(text.path, text);
      }
    },
    addKept(target: FleetTarget, facts: TargetFacts): void {
      addFacts(target, facts, { state: 'up to date', milliseconds: 0, stdout: '' });
    },
    accepted: () => accepted,
    results: (): readonly TargetResult[] => results.toSorted((a, b) => indexOf(a.name) - indexOf(b.name)),
    /** Identical findings once, with the targets that have them. */
    findings(): SourcedFindings {
      const inOrder = (a: string, b: string): number => indexOf(a) - indexOf(b);
      const diagnostics = groups
        .list()
        .map((finding): FindingOfTargets => Object.assign({}, finding, { targets: finding.targets.toSorted(inOrder) }))
        .concat(compareWritten())
        .toSorted((a, b) => inOrder(a.targets[0]!, b.targets[0]!));
      return { diagnostics: [...diagnostics, ...failures.values()], sources: [...sources.values()] };
    },
    /** The acceptances of the whole fleet, and whether these targets need them. */
    acceptances(): readonly AcceptanceUse[] {
      const entries = new Map<string, AcceptanceUse>();
      for (const { settings } of all) {
        for (const { code, object, path } of settings.accept) {
          const key = JSON.stringify(path);
          const isStrict = settings.strict || entries.get(key)?.isStrict === true;
          entries.set(key, { code, object, path, isStrict, isUsed: used.has(key) });
        }
      }
      return [...entries.values()];
    },
  };
}

/** Findings of a target name the settings that it has in the fleet file. */
function adviseFleet(diagnostic: Diagnostic, target: FleetTarget, file: string): Diagnostic {
  const hint = ownHints.get(diagnostic.code);
  const path = diagnostic.location === undefined ? findSetting(diagnostic, target) : undefined;
  const findEntry: FindSetting = ({ setting: name }) => {
    const entry = entryOf(target, rows[name]?.key ?? '');
    return entry && { file, document: 0, path: entry };
  };
  return {
    ...spellDiagnostic(hint === undefined ? diagnostic : withTexts(diagnostic, { hint }), spellInFleet, findEntry),
    ...(path === undefined ? {} : { location: { file, document: 0, path } }),
  };
}

/** Findings that mean something else in a fleet. */
const ownHints: ReadonlyMap<string, string> = new Map([['source-unpinned', 'run kurel update to lock it']]);

const rows: Readonly<Record<string, SettingDefinition>> = settingTable;

const spellAsFleetKeys = spellAsKeys({
  keyOf: (name) => rows[name]?.key,
  document: 'the fleet file',
  otherwise: spellAsFlags,
});

/** The output of a target is a directory; a layout decides whether it has one file. */
const spellInFleet: Spelling = (mention) =>
  mention.setting === 'output' && mention.value === 'FILE.yaml'
    ? spellAsFleetKeys(setting('layout', 'stream'))
    : spellAsFleetKeys(mention);

const quotedSettings: readonly FleetSettingName[] = [
  'output',
  'kubernetesVersion',
  'layout',
  'instance',
  'namespace',
  'profile',
  'policy',
  'package',
];

/** Settings that a finding is about without naming them. */
function settingsMeant({ code, message }: Diagnostic): readonly FleetSettingName[] {
  // `the profile is ignored`
  if (code === 'input-setting-unused') return message.startsWith('the profile ') ? ['profile', 'noProfile'] : [];
  return meantSettings[code] ?? [];
}

const meantSettings: Readonly<Record<string, readonly FleetSettingName[]>> = {
  'source-unpinned': ['package'],
  'flux-name-too-long': ['instance', 'package'],
  'layout-name-invalid': ['instance', 'package'],
  // The message has the place on disk, however it is spelled.
  'output-earlier-unknown': ['output'],
  'input-takes-no-values': ['set', 'values', 'optionalValues'],
};

/** The last entry that sets a key, also one of an object such as `flux.namespace`. */
function entryOf({ origins }: FleetTarget, key: string): Path | undefined {
  const entries: Readonly<Record<string, readonly Path[] | undefined>> = origins;
  const [outer = '', ...option] = key.split('.');
  const entry = entries[outer]?.at(-1);
  return entry && [...entry, ...option];
}

/** The entry of a setting that the message names, or whose value it quotes. */
function findSetting(diagnostic: Diagnostic, target: FleetTarget): Path | undefined {
  const { settings } = target;
  const { message, parts } = diagnostic;
  const named = mentionsIn(parts?.message).map((mention) => rows[mention.setting]?.key ?? '');
  const isQuoted = (name: string): boolean => {
    const value = settings[name as keyof typeof settings];
    return typeof value === 'string' && (message.includes(quote(value)) || message.includes(quote(`${value}/`)));
  };
  const candidates = [...named, ...settingsMeant(diagnostic), ...quotedSettings.filter(isQuoted)];
  return candidates.map((name) => entryOf(target, name)).find((path) => path !== undefined);
}
