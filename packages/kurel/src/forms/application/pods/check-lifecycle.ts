import { has } from '../../../kube/index.ts';
import { isJsonObject } from '../../../model/index.ts';
import type { Json, Path } from '../../../model/index.ts';
import type { ReportAt } from '../catalog/define.ts';
import { podProblems } from './problems.ts';

/** The schema still has a handler of hooks that fails whenever it is called. */
export function checkLifecycle(lifecycle: Json | undefined, path: Path, report: ReportAt): void {
  if (!isJsonObject(lifecycle)) return;
  for (const [hook, handler] of Object.entries(lifecycle)) {
    if (!has(handler, 'tcpSocket')) continue;
    report(podProblems.create('lifecycle-tcp-socket', { hook }), [...path, hook, 'tcpSocket'], 'key');
  }
}
