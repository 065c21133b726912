import type { ReportAt } from '../catalog/define.ts';
import { exclusiveMode } from './create-volumes.ts';
import { podProblems } from './problems.ts';
import type { Volume } from './volume-property.ts';

interface Sharing {
  /** Who would share a volume: `3 pods`. */
  readonly users: string;
  /** What to do instead. */
  readonly advice: string;
  readonly report: ReportAt;
}

/** A claim that one node or one pod at a time may mount is none of several pods. */
export function checkShared(volumes: readonly Volume[] = [], { users, advice, report }: Sharing): void {
  for (const [index, { name, type, accessModes }] of volumes.entries()) {
    const mode = type === 'pvc' ? exclusiveMode(accessModes) : undefined;
    if (mode === undefined) continue;
    const diagnostic = podProblems.create('volume-not-shared', { volume: name, mode, users, advice });
    report(diagnostic, ['volumes', index, 'accessModes']);
  }
}
