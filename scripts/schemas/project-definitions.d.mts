import type { Json } from '../../packages/kurel/src/model/index.ts';

/** The CustomResourceDefinitions that a project publishes for everybody: not those of experimental channels. */
export function readProjectDefinitions(name: string): readonly Json[];
