import { formatObject } from '../../index.ts';
import type { KubeObject, Location, SourceFile } from '../../model/index.ts';
import { writeYaml } from '../../yaml/index.ts';
import { moveFindings } from '../move-findings.ts';
import type { Findings } from '../print-diagnostics.ts';
import { withoutCaller } from './resource-list.ts';

/** Items as manifests on standard input, and their findings as findings about single items. */
export interface ItemSources {
  readonly text: string;
  /** Items by the name that findings have for them. */
  readonly items: ReadonlyMap<string, KubeObject>;
  readonly relocate: (findings: Findings) => Findings;
}

const marker = '---\n';

export function createItemSources(items: readonly KubeObject[]): ItemSources {
  const named = new Map<string, KubeObject>();
  const sources: SourceFile[] = [];
  const starts: number[] = [];
  let text = '';
  for (const [index, item] of items.entries()) {
    const name = formatObject(item);
    const path = named.has(name) ? `${name} (${index})` : name;
    const own = writeYaml(withoutCaller(item));
    named.set(path, item);
    sources.push({ path, text: own });
    starts.push(text.length + marker.length);
    text += marker + own;
  }
  const move = (location: Location): Location => {
    const { file, document, range } = location;
    const source = file === 'stdin' && document !== undefined ? sources[document] : undefined;
    if (source === undefined) return location;
    const start = starts[document!]!;
    const moved = range && { range: { start: range.start - start, end: range.end - start } };
    return { ...location, ...moved, file: source.path, document: 0 };
  };
  return {
    text,
    items: named,
    relocate({ diagnostics, sources: others }) {
      const secrets = others.flatMap((one) => one.secrets ?? []);
      const own = sources.map(({ path, text: ofItem }) => ({ path, text: ofItem, secrets }));
      return {
        diagnostics: moveFindings(diagnostics, move),
        sources: [...others.filter(({ path }) => path !== 'stdin'), ...own],
      };
    },
  };
}
