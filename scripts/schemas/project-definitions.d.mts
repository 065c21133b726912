import type { Json, KubeObject } from '../../packages/kurel/src/model/index.ts';

/** The CustomResourceDefinitions that a project publishes for everybody: not those of experimental channels. */
export function readProjectDefinitions(name: string): readonly Json[];

/** The CustomResourceDefinitions in directories of a Go module, such as `example.com/module@v1.0.0`. */
export function readModuleDefinitions(moduleAtVersion: string, directories: readonly string[]): readonly KubeObject[];
