import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

import { getOrAdd } from '../../../budget/index.ts';
import type { FleetTarget } from '../../../fleet/index.ts';
import { compareText, readJson } from '../../../model/index.ts';
import type { Diagnostic } from '../../../model/index.ts';
import { kurelVersion } from '../../kurel-version.ts';
import { cliProblems } from '../../problems.ts';
import type { StampedRead } from '../../observe-reads.ts';
import type { TargetContext } from '../build-target.ts';
import { createStamper } from '../stamp-reads.ts';
import { writeBigInt } from '../target-command.ts';
import { decodeActionResult, encodeActionResult } from './action-result.ts';
import type { ActionResult } from './action-result.ts';
import { isCachedTarget } from './cached-target.ts';
import type { CachedTarget } from './cached-target.ts';
import { CacheFailure, openStore } from './cache-store.ts';
import type { CacheArea } from './cache-store.ts';
import { keyOf } from './open-cache.ts';
import type { CacheSettings } from './open-cache.ts';

/** Anybody who can write to a shared cache may have written an entry. */
function readData(bytes: Uint8Array): unknown {
  const reading = readJson(bytes);
  return 'data' in reading ? reading.data : undefined;
}

export type TargetCache = ReturnType<typeof openTargetCache>;

// Another version of kurel or Node may give other bytes.
const format = `2 ${kurelVersion} ${process.version}`;
const mostEntryBytes = 4 * 1024 * 1024;
const roomForSignature = 1024;
const mostResultBytes = 64 * 1024 * 1024;
/** The same settings can read different files on different branches. */
const mostVariants = 8;
/** A cache that fails so often in a row is not asked again. */
const mostFailures = 3;

/**
 * Finished targets that machines share. Nothing in it is trusted unless it is signed, and any entry may be missing.
 * What a target reads is known only after it was built. So there are two steps, as in other build tools: the settings of a target lead to the
 * names of what it read, and these with their content lead to its result.
 */
export function openTargetCache(settings: CacheSettings, { job, environment, kept }: TargetContext) {
  const stamp = createStamper(kept, environment);
  const store = openStore(settings.place, environment);
  const key = keyOf(environment.variables);
  const findings = new Map<string, Diagnostic[]>();
  const failures = { get: 0, put: 0 };
  const digest = (...parts: readonly unknown[]): string =>
    createHmac('sha256', key).update(JSON.stringify(parts, writeBigInt)).digest('hex');
  const sign = (name: string, entry: ActionResult): Buffer =>
    createHmac('sha256', key)
      .update(`kurel cache entry ${name}\n`)
      .update(encodeActionResult({ ...entry, stderr: new Uint8Array() }))
      .digest();
  const settingsKey = ({ settings }: FleetTarget): string => {
    const purpose = job.action === 'validate' ? 'validate' : 'build';
    return digest('reads', format, purpose, job.settings, job.source.path, settings);
  };
  const resultKey = (first: string, reads: readonly StampedRead[]): string =>
    digest(
      'result',
      first,
      reads.toSorted(([a], [b]) => compareText(a, b)),
    );
  /** Entries of one target, with findings about it. */
  function openEntries({ name: target }: FleetTarget) {
    const report = (finding: Diagnostic): undefined => {
      const list = getOrAdd(findings, target, () => []);
      if (list.every(({ message }) => message !== finding.message)) list.push(finding);
    };
    const reject = (reason: string): undefined => report(cliProblems.create('fleet-cache-entry', { reason }));

    async function attempt<Result>(kind: 'get' | 'put', work: () => Promise<Result>): Promise<Result | undefined> {
      if (failures[kind] >= mostFailures) return undefined;
      try {
        const result = await work();
        failures[kind] = 0;
        return result;
      } catch (error) {
        if (!(error instanceof CacheFailure)) throw error;
        failures[kind] += 1;
        return report(cliProblems.create('fleet-cache-failed', { kind, reason: error.message }));
      }
    }

    const get = (area: CacheArea, name: string, maxBytes: number): Promise<Uint8Array | undefined> =>
      attempt('get', () => store.get(area, name, maxBytes));

    const put = async (area: CacheArea, name: string, bytes: Uint8Array): Promise<boolean> =>
      (await attempt('put', async () => {
        await store.put(area, name, bytes);
        return true;
      })) ?? false;

    async function getEntry(name: string): Promise<ActionResult | undefined> {
      const bytes = await get('ac', name, mostEntryBytes);
      if (bytes === undefined) return undefined;
      const entry = bytes.length > mostEntryBytes ? undefined : decodeActionResult(bytes);
      if (entry === undefined) return reject('it is damaged');
      const expected = sign(name, entry);
      const isSigned = entry.stderr.length === expected.length && timingSafeEqual(entry.stderr, expected);
      return isSigned ? entry : reject('its signature is not valid');
    }

    return {
      put,
      putEntry(name: string, files: ActionResult['files'], stdout: string): Promise<boolean> {
        const entry = { files, stdout: Buffer.from(stdout), stderr: new Uint8Array() };
        return put('ac', name, encodeActionResult({ ...entry, stderr: sign(name, entry) }));
      },
      /** Names of what builds with these settings have read, for each build that read something else. */
      async getVariants(name: string): Promise<readonly (readonly string[])[]> {
        const entry = await getEntry(name);
        if (entry === undefined) return [];
        const variants = readData(entry.stdout);
        return isVariants(variants) ? variants : (reject('it is damaged') ?? []);
      },
      async getResult(name: string): Promise<CachedTarget | undefined> {
        const [file] = (await getEntry(name))?.files ?? [];
        if (file === undefined) return undefined;
        if (file.size > mostResultBytes) return reject('it is too large');
        const bytes = await get('cas', file.hash, file.size);
        if (bytes === undefined) return undefined;
        const hash = createHash('sha256').update(bytes).digest('hex');
        if (bytes.length !== file.size || hash !== file.hash) return reject('its content does not match its digest');
        const result = readData(bytes);
        return isCachedTarget(result) ? result : reject('it is damaged');
      },
    };
  }

  return {
    async find(target: FleetTarget) {
      const first = settingsKey(target);
      const entries = openEntries(target);
      for (const names of await entries.getVariants(first)) {
        const reads: StampedRead[] = [];
        for (const name of names) reads.push([name, await stamp(name)]);
        const result = await entries.getResult(resultKey(first, reads));
        if (result !== undefined) return { result, reads };
      }
      return undefined;
    },
    async keep(target: FleetTarget, result: CachedTarget, reads: readonly StampedRead[]): Promise<void> {
      if (settings.isReadOnly) return;
      const bytes = Buffer.from(JSON.stringify(result));
      // Otherwise every other machine would report it.
      if (bytes.length > mostResultBytes || !isCachedTarget(readData(bytes))) return;
      const hash = createHash('sha256').update(bytes).digest('hex');
      const first = settingsKey(target);
      const names = reads.map(([name]) => name).toSorted();
      const isSame = (other: readonly string[]): boolean => JSON.stringify(other) === JSON.stringify(names);
      const entries = openEntries(target);
      // In this order, because an entry must not refer to something that is not stored yet.
      const isStored = await entries.put('cas', hash, bytes);
      if (!isStored) return;
      const files = [{ path: 'target.json', hash, size: bytes.length }];
      if (!(await entries.putEntry(resultKey(first, reads), files, ''))) return;
      const others = (await entries.getVariants(first)).filter((other) => !isSame(other));
      const text = writeVariants([names, ...others]);
      if (text !== undefined) await entries.putEntry(first, [], text);
    },
    /** The findings since the last call, by the name of the target. */
    takeFindings(): ReadonlyMap<string, readonly Diagnostic[]> {
      const taken = new Map(findings);
      findings.clear();
      return taken;
    },
  };
}

/** As many as fit, the newest first. */
function writeVariants(variants: readonly (readonly string[])[]): string | undefined {
  for (let count = Math.min(variants.length, mostVariants); count > 0; count -= 1) {
    const some = variants.slice(0, count);
    const text = JSON.stringify(some);
    if (isVariants(some) && Buffer.byteLength(text) < mostEntryBytes - roomForSignature) return text;
  }
  return undefined;
}

/**
 * Names of files, directories and programs. Nothing else is looked at, because the next request depends on it: somebody who can write entries
 * must not learn about the environment.
 */
const readName = /^(?:(?:content|names|kind) .+|program (?:helm|kustomize|kubectl))$/s;

function isVariants(data: unknown): data is readonly (readonly string[])[] {
  return (
    Array.isArray(data) &&
    data.length <= mostVariants &&
    data.every(
      (names) => Array.isArray(names) && names.every((name) => typeof name === 'string' && readName.test(name)),
    )
  );
}
