import type { Path } from '../../../model/index.ts';
import type { ReportAt } from '../catalog/define.ts';
import { routingProblems } from './problems.ts';

interface PlacedPath {
  readonly host: string;
  readonly path: string;
  readonly pathType: string;
  readonly at: Path;
}

/** One path of one host cannot lead to two places. */
export function checkPaths(paths: readonly PlacedPath[], report: ReportAt): void {
  const seen = new Set<string>();
  for (const { host, path, pathType, at } of paths) {
    // What is below `/a` is below `/a/`; as exact paths they are two.
    const isOpen = pathType === 'Prefix' && path.length > 1 && path.endsWith('/');
    const key = JSON.stringify([host, pathType, isOpen ? path.slice(0, -1) : path]);
    if (seen.has(key)) report(routingProblems.create('route-path-twice', { path, pathType, host }), [...at, 'path']);
    seen.add(key);
  }
}
