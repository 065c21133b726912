import { nearest } from '../../../diagnostics/index.ts';
import { mappingAt, textAt } from '../../../kube/index.ts';
import { isJsonArray } from '../../../model/index.ts';
import type { Json, Path } from '../../../model/index.ts';
import type { ReportAt } from '../catalog/define.ts';
import { podProblems } from './problems.ts';

interface EnvFilesOptions {
  /** Of the variables. */
  readonly path: Path;
  /** Types of the volumes of the pod, by name. */
  readonly volumes: ReadonlyMap<string, string>;
  readonly report: ReportAt;
}

/** Variables that are read from a file: an earlier container has written it to an emptyDir that both know. */
export function checkEnvFiles(env: Json | undefined, { path, volumes, report }: EnvFilesOptions): void {
  for (const [index, entry] of (isJsonArray(env) ? env : []).entries()) {
    const volume = textAt(mappingAt(mappingAt(entry, 'valueFrom'), 'fileKeyRef'), 'volumeName');
    if (volume === undefined || volumes.get(volume) === 'emptyDir') continue;
    const known = [...volumes.keys()].filter((name) => volumes.get(name) === 'emptyDir');
    const args = {
      variable: textAt(entry, 'name') ?? '',
      volume,
      type: volumes.get(volume),
      near: nearest(volume, known),
      known,
    };
    const place = [...path, index, 'valueFrom', 'fileKeyRef', 'volumeName'];
    report(podProblems.create('env-file-volume', args), place);
  }
}
