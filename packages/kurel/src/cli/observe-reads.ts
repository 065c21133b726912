import type { BuildResult } from '../index.ts';
import type { ProgramCall } from '../model/index.ts';
import { readNear } from '../reads/index.ts';
import type { KeptFiles, Look } from '../reads/index.ts';
import type { Environment } from './environment.ts';

/** `content apps/web/app.yaml` and its stamp. */
export type StampedRead = readonly [key: string, stamp: string];

interface ObservedReads {
  readonly watched: NonNullable<Environment['watched']>;
  readonly hasFetched: () => boolean;
  readonly reads: (result: BuildResult | undefined) => Promise<readonly StampedRead[]>;
}

/** Records everything that a command reads for a build, also the files of flags, in the form of keys such as `names apps/web`. */
export function observeReads(kept: KeptFiles): ObservedReads {
  const looks = new Map<string, readonly [path: string, look: Look]>();
  const calls: ProgramCall[] = [];
  let hasFetched = false;
  const note = (path: string, look: Look): void => void looks.set(`${look} ${path}`, [path, look]);
  return {
    watched: {
      note,
      noteProgram(call) {
        calls.push(call);
        // helm and kustomize do not report what they fetch.
        if (call.network === true) hasFetched = true;
      },
      noteFetch: () => void (hasFetched = true),
    },
    hasFetched: () => hasFetched,
    async reads(result) {
      const programs: StampedRead[] = [];
      if (calls.length > 0) {
        const contents = [...looks.values()].filter(([, look]) => look === 'content').map(([path]) => path);
        const near = await readNear(calls, kept.fileSystem, contents);
        for (const path of near.contents.keys()) note(path, 'content');
        for (const path of near.listings.keys()) note(path, 'names');
        for (const read of (await result?.reads()) ?? []) {
          if (read.type === 'program') programs.push([`program ${read.program}`, read.version ?? '']);
        }
      }
      const files: StampedRead[] = [];
      for (const [key, [path, look]] of looks) files.push([key, await kept.stampOf(path, look)]);
      return [...files, ...programs];
    },
  };
}
