import { annotationTransformers } from './annotations.ts';
import { chain, switchCases, when } from './compose.ts';
import { jqTransformer } from './jq.ts';
import { labelTransformers } from './labels.ts';
import { nameTransformers } from './name.ts';
import { namespaceTransformers } from './namespace.ts';

/** Changes of one object, and what combines them. */
export const transformers = {
  chain,
  when,
  switch: switchCases,
  namespace: namespaceTransformers,
  name: nameTransformers,
  labels: labelTransformers,
  annotations: annotationTransformers,
  jq: jqTransformer,
} as const;
