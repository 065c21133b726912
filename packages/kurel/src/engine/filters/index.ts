import { annotationFilters } from './annotations.ts';
import { and, not, or, when } from './compose.ts';
import { isGroupVersionKind } from './gvk.ts';
import { jqFilter } from './jq.ts';
import { isKind } from './kind.ts';
import { labelFilters } from './labels.ts';
import { nameFilters } from './name.ts';
import { namespaceFilters } from './namespace.ts';

/** Predicates over one object, and what combines them. */
export const filters = {
  and,
  or,
  not,
  when,
  namespace: namespaceFilters,
  labels: labelFilters,
  annotations: annotationFilters,
  name: nameFilters,
  gvk: isGroupVersionKind,
  kind: isKind,
  jq: jqFilter,
} as const;
