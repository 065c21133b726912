import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { DiagnosticError } from '../../diagnostics/index.ts';
import { normalisePath } from '../../forms/index.ts';
import { compareText, isJsonArray, isJsonObject, readJson } from '../../model/index.ts';
import type { Json } from '../../model/index.ts';
import { cliProblems } from '../problems.ts';

/** What is known about an output directory: the target that wrote it, and the instances whose files it may have written. */
export interface RecordedOutput {
  readonly target: string;
  /**
   * Empty if it is the default of the package, and no other instance is in the directory. Several if the instance changes, and the build that
   * replaces the files has not ended.
   */
  readonly instances: readonly string[];
}

interface OutputRecord {
  /** Of an earlier version, and to be written again. */
  readonly isOutdated: boolean;
  readonly outputs: ReadonlyMap<string, RecordedOutput>;
}

const version = 2;
// Its entries name only targets.
const versionWithoutInstances = 1;

/** The record of a fleet file, which is beside it. `a.yaml` and `a.yml` are two fleets. */
export function nameRecord(fleetFile: string): string {
  return `.${fleetFile.replace(/\.yaml$/, '')}.outputs`;
}

/** An output without an instance has only the name of its target, in one line. */
export function formatRecord(outputs: ReadonlyMap<string, RecordedOutput>): string {
  const sorted = [...outputs].sort(([a], [b]) => compareText(a, b));
  const entries = sorted.map(([output, { target, instances }]) => {
    const instance = instances.length > 1 ? instances : instances[0];
    return [output, instance === undefined ? target : { target, instance }] as const;
  });
  return `${JSON.stringify({ version, outputs: Object.fromEntries(entries) }, undefined, 2)}\n`;
}

/** Without a file, nothing is recorded. One that is not valid may name outputs that nobody else knows, so it is an error. */
export function readRecord(directory: string, name: string): OutputRecord {
  const path = join(directory, name);
  const refuse = (reason: string): never => {
    throw cliProblems.error('fleet-record-broken', { path: name, reason });
  };
  const text = readRegular(path, refuse);
  if (text === undefined) return { isOutdated: false, outputs: new Map() };
  const reading = readJson(text);
  if ('reason' in reading) return refuse(reading.reason);
  const { data } = reading;
  if (!isJsonObject(data)) return refuse('it is not a JSON object');
  const { outputs } = data;
  if (data['version'] !== version && data['version'] !== versionWithoutInstances) {
    return refuse(`its version is ${JSON.stringify(data['version'])}, not ${versionWithoutInstances} or ${version}`);
  }
  if (!isJsonObject(outputs ?? null)) return refuse('"outputs" must be an object');
  const entries = Object.entries(outputs as Readonly<Record<string, Json>>).map(([output, value]) => {
    const entry = readEntry(value) ?? refuse(`entry ${JSON.stringify(output)} is not valid`);
    return [normalisePath(output), entry] as const;
  });
  return { isOutdated: data['version'] !== version, outputs: new Map(entries) };
}

/** Pipes and devices could block or never end. */
function readRegular(path: string, refuse: (reason: string) => never): Buffer | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  return stats.isFile() ? readFileSync(path) : refuse('it is not a regular file');
}

function readEntry(value: Json): RecordedOutput | undefined {
  if (typeof value === 'string') return { target: value, instances: [] };
  if (!isJsonObject(value)) return undefined;
  const { target, instance = [] } = value;
  const instances = isJsonArray(instance) ? instance : [instance];
  if (typeof target !== 'string' || !instances.every((each) => typeof each === 'string')) return undefined;
  return { target, instances };
}

/** The outputs of the other fleets in a directory, which may have taken over targets of this one. */
export function findOthersOutputs(directory: string, own: string): ReadonlySet<string> {
  const names = readdirSync(directory);
  const fleets = names.filter((name) => nameRecord(name) !== own && names.includes(nameRecord(name)));
  return new Set(fleets.flatMap((fleet) => outputsOf(directory, nameRecord(fleet))));
}

/** A record that is not valid is reported by its own fleet. */
function outputsOf(directory: string, name: string): readonly string[] {
  try {
    return [...readRecord(directory, name).outputs.keys()];
  } catch (error) {
    if (error instanceof DiagnosticError) return [];
    throw error;
  }
}
