import { acceptProblems } from '../../accept/index.ts';
import type { Fleet, FleetTarget } from '../../fleet/index.ts';
import type { Diagnostic, Path, SourceFile } from '../../model/index.ts';
import type { Findings } from '../print-diagnostics.ts';
import { adviseFleet } from './advise-fleet.ts';
import type { TargetOutcome } from './build-target.ts';
import type { KeptOutcome } from './fleet-state.ts';

/** One row per target. */
export interface TargetResult {
  readonly name: string;
  readonly state: 'built' | 'unchanged' | 'up to date' | 'failed';
  readonly errors: number;
  readonly warnings: number;
  readonly objects: number;
  readonly milliseconds: number;
  /** What the target printed: a diff with `--check`. */
  readonly stdout: string;
  /** Whether it was taken from the cache of the fleet. */
  readonly isCached?: boolean | undefined;
}

/** Collects the results of a run, which arrive in any order, into one report in the order of the fleet file. */
interface OutcomeCollection {
  add(target: FleetTarget, outcome: TargetOutcome): void;
  addKept(target: FleetTarget, outcome: KeptOutcome): void;
  results(): readonly TargetResult[];
  /** Identical findings once, with the targets that have them. */
  findings(): Findings;
  /** The acceptances of the whole fleet, and whether these targets need them. */
  acceptances(): readonly AcceptanceUse[];
  /** How many findings were accepted. */
  accepted(): number;
}

/** An acceptance of the fleet file. */
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

interface Grouped {
  readonly diagnostic: Diagnostic;
  readonly targets: number[];
}

export function collectOutcomes({ source, targets: all }: Fleet, selected: readonly FleetTarget[]): OutcomeCollection {
  const order = new Map(selected.map((target, index) => [target.name, index]));
  const results = new Map<number, TargetResult>();
  const groups = new Map<string, Grouped>();
  const sources = new Map<string, SourceFile>([[source.path, source]]);
  /** Findings about the cache itself, which no target causes. */
  const failures = new Map<string, Diagnostic>();
  const used = new Set<string>();
  let accepted = 0;

  function group(target: FleetTarget, diagnostics: readonly Diagnostic[]): void {
    if (diagnostics.length === 0) return;
    const index = order.get(target.name)!;
    for (const diagnostic of diagnostics.map((one) => adviseFleet(one, target, source.path))) {
      const { code, severity, message, hint, location, related } = diagnostic;
      const key = JSON.stringify([code, severity, message, hint, location, related]);
      const known = groups.get(key);
      if (known === undefined) groups.set(key, { diagnostic, targets: [index] });
      else if (known.targets.at(-1) !== index) known.targets.push(index);
    }
  }

  function note(by: readonly Path[], count: number): void {
    accepted += count;
    for (const path of by) used.add(JSON.stringify(path));
  }

  function acceptances(): readonly AcceptanceUse[] {
    const entries = new Map(
      all.flatMap(({ settings }) => settings.accept.map((one) => [JSON.stringify(one.path), one] as const)),
    );
    const strict = new Set(
      all.flatMap(({ settings }) => (settings.strict ? settings.accept.map(({ path }) => JSON.stringify(path)) : [])),
    );
    return Array.from(entries, ([key, { code, object, path }]) => {
      return { code, object, path, isStrict: strict.has(key), isUsed: used.has(key) };
    });
  }

  return {
    add(target, outcome) {
      const { exitCode, diagnostics, effect, objects, milliseconds, stdout, isCached } = outcome;
      const index = order.get(target.name)!;
      const state = exitCode !== 0 ? 'failed' : effect === 'no file changed' ? 'unchanged' : 'built';
      results.set(index, { name: target.name, state, ...count(diagnostics), objects, milliseconds, stdout, isCached });
      group(target, diagnostics);
      for (const finding of outcome.cacheFindings ?? []) {
        if (finding.code === 'fleet-cache-failed') failures.set(finding.message, finding);
        else group(target, [finding]);
      }
      note(outcome.acceptedBy, outcome.accepted);
      for (const one of outcome.sources) {
        const known = sources.get(one.path);
        if (known === undefined || (one.secrets?.length ?? 0) > (known.secrets?.length ?? 0))
          sources.set(one.path, one);
      }
    },
    addKept(target, { diagnostics, objects, accepted: number, acceptedBy }) {
      const index = order.get(target.name)!;
      const { name } = target;
      results.set(index, { name, state: 'up to date', ...count(diagnostics), objects, milliseconds: 0, stdout: '' });
      group(target, diagnostics);
      note(acceptedBy, number);
    },
    accepted: () => accepted,
    results: () => inOrder(results),
    findings() {
      const grouped = [...groups.values()].map(({ diagnostic, targets }) => {
        const sorted = targets.toSorted((a, b) => a - b);
        return {
          first: sorted[0]!,
          diagnostic: { ...diagnostic, targets: sorted.map((index) => selected[index]!.name) },
        };
      });
      const diagnostics = grouped.toSorted((a, b) => a.first - b.first).map((one) => one.diagnostic);
      return { diagnostics: [...diagnostics, ...failures.values()], sources: [...sources.values()] };
    },
    acceptances,
  };
}

function inOrder<Value>(table: ReadonlyMap<number, Value>): readonly Value[] {
  return [...table].toSorted(([a], [b]) => a - b).map(([, value]) => value);
}

const nothing = { errors: 0, warnings: 0 };

function count(diagnostics: readonly Diagnostic[]): Pick<TargetResult, 'errors' | 'warnings'> {
  if (diagnostics.length === 0) return nothing;
  const of = (severity: Diagnostic['severity']): number =>
    diagnostics.reduce((sum, one) => sum + (one.severity === severity ? (one.omitted?.count ?? 1) : 0), 0);
  return { errors: of('error'), warnings: of('warning') };
}
