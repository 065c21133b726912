import type { SchemaNode } from '../../schema/index.ts';

// Rules look at what is near; a schema can be endless.
const furthest = 400;

/** Whether a field of this name is described somewhere in a schema. */
export function isDeclared(root: SchemaNode, name: string): boolean {
  const waiting = [root];
  for (let index = 0; index < waiting.length && index < furthest; index += 1) {
    const node = waiting[index]!;
    if (node.propertyNames.includes(name)) return true;
    const children = [...node.propertyNames.map((field) => node.property(field)), node.items, node.values];
    for (const child of children) if (child !== undefined) waiting.push(child);
  }
  return false;
}
