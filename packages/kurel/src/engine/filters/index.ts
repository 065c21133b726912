import { annotationFilters } from './annotations.ts';
import { and, not, or, when } from './compose.ts';
import { isGroupVersionKind } from './gvk.ts';
import { jqFilter } from './jq.ts';
import { isKind } from './kind.ts';
import { labelFilters } from './labels.ts';
import { nameFilters } from './name.ts';
import { namespaceFilters } from './namespace.ts';

// A type of its own: declarations of a type that is inferred from imported values have no comments.
interface Filters {
  /**
   * Keeps objects that all of the filters keep. It asks from left to right and stops at the first that drops the object. Without
   * filters it keeps everything.
   * @example filters.and(filters.kind('Deployment'), filters.labels.has('app'))
   */
  readonly and: typeof and;
  /**
   * Keeps objects that any of the filters keeps. It asks from left to right and stops at the first that keeps the object. Without
   * filters it keeps everything.
   * @example filters.or(filters.kind('Secret'), filters.name.prefix('tls-'))
   */
  readonly or: typeof or;
  /**
   * Keeps objects that the filter drops.
   * @example filters.not(filters.namespace.is('test'))
   */
  readonly not: typeof not;
  /**
   * Applies the second filter to objects that pass the first, and keeps all others.
   * @example filters.when(filters.kind('Secret'), filters.namespace.is('shop'))
   */
  readonly when: typeof when;
  /** Filters by namespace. */
  readonly namespace: typeof namespaceFilters;
  /** Filters by labels. */
  readonly labels: typeof labelFilters;
  /** Filters by annotations. */
  readonly annotations: typeof annotationFilters;
  /** Filters by name. */
  readonly name: typeof nameFilters;
  /**
   * Keeps objects of any of these types, compared exactly. A string is the apiVersion and the kind. Without types it keeps nothing.
   * Throws at once when a string is not of this form.
   * @example filters.gvk('apps/v1/Deployment', 'v1/Service')
   */
  readonly gvk: typeof isGroupVersionKind;
  /**
   * Keeps objects of any of these kinds, in any version, or in one version with the apiVersion before the kind. Without kinds it keeps
   * nothing.
   * @example filters.kind('Deployment', 'v1/Service')
   */
  readonly kind: typeof isKind;
  /**
   * Keeps objects for which the jq program returns `true`. It must return exactly one boolean.
   * @example filters.jq('.spec.replicas > 1')
   */
  readonly jq: typeof jqFilter;
}

/** Predicates over one object, and functions that combine them. */
export const filters: Filters = {
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
};
