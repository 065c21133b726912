import type { JsonObject } from '../model/index.ts';
import { JsonSchemaNode } from './json-schema-node.ts';
import type { SchemaNode } from './schema-node.ts';

/**
 * The node of a schema as OpenAPI v3 documents and the structural schemas of CRDs write it. Words that say nothing
 * sensible are passed over, whatever they hold: an API server has already checked a CRD, or will.
 */
export function nodeFromJsonSchema(json: JsonObject, options: NodeOptions = {}): SchemaNode {
  const { objectMeta } = options;
  const schema = options.root === true ? { ...json, 'x-kubernetes-embedded-resource': true } : json;
  return new JsonSchemaNode(schema, { resolve: () => undefined, objectMeta: () => objectMeta });
}

export interface NodeOptions {
  /** The schema is that of a whole object, whose `apiVersion`, `kind` and `metadata` are known without being named. */
  readonly root?: boolean;
  /** Schema of `metadata` of whole objects; any mapping unless given. */
  readonly objectMeta?: SchemaNode | undefined;
}
