import { sha256 } from '../../engine/index.ts';
import type { ProgramCall } from '../../model/index.ts';
import { askVersion } from '../../reads/index.ts';
import type { KeptFiles, Look } from '../../reads/index.ts';
import type { Environment } from '../environment.ts';
import { openPrograms } from '../open-world.ts';

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
