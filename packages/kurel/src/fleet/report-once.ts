import type { Location, Path, Report } from '../model/index.ts';

/** The place of an entry in the fleet file. */
export type LocateEntry = (path: Path, at?: 'key') => Location;

/** Many targets share one entry: the same mistake in it is reported for the first target only. */
export function reportOnce(report: Report): Report {
  const seen = new Set<string>();
  return (diagnostic) => {
    const key = JSON.stringify([diagnostic.code, diagnostic.location, diagnostic.hint]);
    if (diagnostic.location !== undefined && seen.has(key)) return;
    seen.add(key);
    report(diagnostic);
  };
}
