import { annotationTransformers } from './annotations.ts';
import { chain, switchCases, when } from './compose.ts';
import { jqTransformer } from './jq.ts';
import { labelTransformers } from './labels.ts';
import { nameTransformers } from './name.ts';
import { namespaceTransformers } from './namespace.ts';

// A type of its own: declarations of a type that is inferred from imported values have no comments.
interface Transformers {
  /**
   * Applies transformers one after the other. Without any it returns the object itself.
   * @example transformers.chain(transformers.namespace.set('shop'), transformers.labels.set({ team: 'shop' }))
   */
  readonly chain: typeof chain;
  /**
   * Transforms only objects that pass the filter.
   * @example transformers.when(filters.kind('Deployment'), transformers.labels.set({ tier: 'front' }))
   */
  readonly when: typeof when;
  /**
   * Applies the transformer of the first case whose filter keeps the object, else the fallback. Without a fallback the object stays as
   * it is.
   * @example transformers.switch([{ when: filters.namespace.is('prod'), then: transformers.labels.set({ tier: 'critical' }) }])
   */
  readonly switch: typeof switchCases;
  /** Transformers of the namespace. */
  readonly namespace: typeof namespaceTransformers;
  /** Transformers of the name. */
  readonly name: typeof nameTransformers;
  /** Transformers of labels. */
  readonly labels: typeof labelTransformers;
  /** Transformers of annotations. */
  readonly annotations: typeof annotationTransformers;
  /**
   * Replaces an object with the result of a jq program, which must be exactly one object.
   * @example transformers.jq('.metadata.name |= sub("-.*"; "")')
   */
  readonly jq: typeof jqTransformer;
}

/** Changes of one object, and functions that combine them. */
export const transformers: Transformers = {
  chain,
  when,
  switch: switchCases,
  namespace: namespaceTransformers,
  name: nameTransformers,
  labels: labelTransformers,
  annotations: annotationTransformers,
  jq: jqTransformer,
};
