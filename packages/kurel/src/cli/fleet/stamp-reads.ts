import { resolve } from 'node:path';

import type { ProgramCall } from '../../model/index.ts';
import { findVersion, keepReads } from '../../reads/index.ts';
import type { KeptFiles, Look } from '../../reads/index.ts';
import type { Environment } from '../environment.ts';
import type { StampedRead } from '../observe-reads.ts';
import { openDisk, openPrograms } from '../open-world.ts';

/** Finds out what is now at a key such as `content apps/web/app.yaml`, in the form that an earlier run recorded. */
export function createStamper(kept: KeptFiles, environment: Environment): (key: string) => Promise<string> {
  const programs = openPrograms(environment);
  return async (key) => {
    const [kind, name] = splitKey(key);
    if (kind !== 'program') return kept.stampOf(name, kind);
    return (await findVersion(name as ProgramCall['program'], programs)) ?? '';
  };
}

/** Tells `--watch` what targets have read: they may have been built by another process. */
export function openFleetWatch(directory: string, environment: Environment) {
  const stamps = new Map<string, string>();
  const { watched } = environment;
  const noteKey = (key: string): void => {
    const [kind, path] = splitKey(key);
    if (kind !== 'program') watched?.note(resolve(directory, path), kind);
  };
  return {
    note(reads: readonly StampedRead[]): void {
      if (watched === undefined) return;
      for (const [key, stamp] of reads) {
        noteKey(key);
        stamps.set(key, stamp);
      }
    },
    /** Notes the reads of a target that was not built again. */
    noteKept(keys: () => readonly string[]): void {
      if (watched !== undefined) keys().forEach(noteKey);
    },
    /** Whether a file has changed after it was read and before it was noted, so that nothing else would notice. */
    async hasMissedChange(): Promise<boolean> {
      if (watched === undefined) return false;
      const kept = keepReads(openDisk({ ...environment, workingDirectory: directory, watched: undefined }));
      for (const [key, stamp] of stamps) {
        const [kind, path] = splitKey(key);
        if (kind !== 'program' && (await kept.stampOf(path, kind)) !== stamp) return true;
      }
      return false;
    },
  };
}

/** The kind of a read, and its path or name. */
export function splitKey(key: string): readonly [kind: Look | 'program', name: string] {
  const space = key.indexOf(' ');
  return [key.slice(0, space) as Look | 'program', key.slice(space + 1)];
}
