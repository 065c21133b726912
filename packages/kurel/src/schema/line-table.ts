import type { Json } from '../model/index.ts';

/** Lines of JSON, parsed on demand. */
export interface LineTable {
  get(line: number): Json;
}

export function createLineTable(text: string): LineTable {
  const lines = text.split('\n');
  return {
    get(line) {
      const json: Json = JSON.parse(lines[line]!);
      return json;
    },
  };
}
