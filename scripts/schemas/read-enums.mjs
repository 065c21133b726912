import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const functionStart = /^func (schema_\w+)\(/;
const property = /^\t{5}"([^"]+)": \{$/;
const inside = /^(\t+)(Items|AdditionalProperties): /;
const enumeration = /^(\t+)Enum: +\[\]interface\{\}\{(.*)\},$/;
const propertyDepth = 7;

/**
 * Enums are only in the Go code that Kubernetes' OpenAPI documents are made from, because no server has to publish them.
 * Gives `[type, field, place, values]`: type is `core_v1_Container`, place tells whether the field or what it holds is meant.
 */
export function readEnums(directory) {
  const found = [];
  let type;
  let field;
  let holder;
  for (const line of readFileSync(join(directory, 'pkg/generated/openapi/zz_generated.openapi.go'), 'utf8').split(
    '\n',
  )) {
    let match;
    if ((match = functionStart.exec(line)) !== null) {
      type = match[1].split('_').slice(-3).join('_');
      field = undefined;
    } else if ((match = property.exec(line)) !== null) {
      field = match[1];
      holder = undefined;
    } else if ((match = inside.exec(line)) !== null) {
      holder = match[2] === 'Items' ? 'items' : 'values';
    } else if ((match = enumeration.exec(line)) !== null) {
      const values = JSON.parse(`[${match[2]}]`);
      found.push([type, field, match[1].length === propertyDepth ? 'field' : holder, values]);
    }
  }
  return found;
}
