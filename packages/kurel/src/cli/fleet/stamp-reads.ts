import { resolve } from 'node:path';

import { sha256 } from '../../engine/index.ts';
import type { ProgramCall } from '../../model/index.ts';
import { askVersion, keepReads } from '../../reads/index.ts';
import type { KeptFiles, Look } from '../../reads/index.ts';
import type { Environment } from '../environment.ts';
import { openDisk, openPrograms } from '../open-world.ts';
import type { StampedRead } from './build-target.ts';

/** Finds out what is now at a key such as `content apps/web/app.yaml`, in the form that an earlier run recorded. */
export function createStamper(kept: KeptFiles, environment: Environment): (key: string) => Promise<string> {
  const versions = new Map<string, Promise<string | undefined>>();
  return async (key) => {
    const space = key.indexOf(' ');
    const [kind, name] = [key.slice(0, space), key.slice(space + 1)];
    if (kind === 'program') {
      const program = name as ProgramCall['program'];
      const version = versions.get(program) ?? Promise.resolve(askVersion(program, openPrograms(environment)));
      versions.set(program, version);
      return (await version) ?? '';
    }
    if (kind === 'variable') {
      const value = environment.variables[name];
      return value === undefined ? '' : sha256(value);
    }
    return kept.stampOf(name, kind as Look);
  };
}

/** Tells `--watch` what targets have read: they may have been built by another process. */
interface FleetWatch {
  note(reads: readonly StampedRead[]): void;
  /** Whether a file has changed after it was read and before it was noted, so that nothing else would notice. */
  hasMissedChange(): Promise<boolean>;
}

export function openFleetWatch(directory: string, environment: Environment): FleetWatch {
  if (environment.watched === undefined) return { note: () => undefined, hasMissedChange: async () => false };
  const stamps = new Map<string, string>();
  return {
    note(reads) {
      noteKeys(
        reads.map(([key]) => key),
        directory,
        environment,
      );
      for (const [key, stamp] of reads) stamps.set(key, stamp);
    },
    async hasMissedChange() {
      const kept = keepReads(openDisk({ ...environment, workingDirectory: directory, watched: undefined }));
      for (const [key, stamp] of stamps) {
        const read = parseKey(key);
        if (read !== undefined && (await kept.stampOf(read.path, read.look)) !== stamp) return true;
      }
      return false;
    },
  };
}

/** Notes keys such as `content apps/web/app.yaml`, also of targets that were not built again. */
export function noteKeys(keys: readonly string[], directory: string, { watched }: Environment): void {
  if (watched === undefined) return;
  for (const key of keys) {
    const read = parseKey(key);
    if (read !== undefined) watched.note(resolve(directory, read.path), read.look);
  }
}

function parseKey(key: string): { readonly path: string; readonly look: Look } | undefined {
  const space = key.indexOf(' ');
  const look = key.slice(0, space);
  if (look === 'program' || look === 'variable') return undefined;
  return { path: key.slice(space + 1), look: look as Look };
}
