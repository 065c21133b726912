import { isJsonObject } from '../model/index.ts';
import type { Json, JsonObject } from '../model/index.ts';
import type { LineTable } from './line-table.ts';

/** Descriptions of a schema and its children. They are stored separately from the structure, which is shared. */
export interface Words {
  readonly text: string | undefined;
  property(name: string): Words | undefined;
  readonly items: Words | undefined;
  readonly values: Words | undefined;
}

/** A line is a string, or an object with a string (`d`) and the lines of properties (`p`), items (`i`) and values (`v`). */
export function readWords(lines: LineTable, line: number): Words {
  const parsed = lines.get(line);
  const { d, p, i, v }: JsonObject = isJsonObject(parsed) ? parsed : { d: parsed };
  const follow = (next: Json | undefined): Words | undefined =>
    typeof next === 'number' ? readWords(lines, next) : undefined;
  return {
    text: typeof d === 'string' ? d : undefined,
    property: (name) => (isJsonObject(p) && Object.hasOwn(p, name) ? follow(p[name]) : undefined),
    get items() {
      return follow(i);
    },
    get values() {
      return follow(v);
    },
  };
}
