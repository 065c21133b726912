import { createBudget, createMemory } from './budget/index.ts';
import type { BudgetLimits } from './budget/index.ts';
import type { BuildRequest, BuildResult } from './build-request.ts';
import { build } from './build.ts';
import type { Fetcher, FileSystem, ProgramRunner } from './model/index.ts';
import { createSchemaStore } from './schema/index.ts';
import type { SchemaFiles, SchemaStore } from './schema/index.ts';

/** What the builds of a workspace read from. */
export interface WorkspaceHost {
  readonly fileSystem: FileSystem;
  readonly programs?: ProgramRunner | undefined;
  readonly fetcher?: Fetcher | undefined;
  readonly schemas: SchemaFiles;
}

export interface WorkspaceRequest extends Omit<BuildRequest, keyof WorkspaceHost | 'budget'> {
  /** Of this build; each build has all of them. */
  readonly limits?: BudgetLimits | undefined;
}

export interface Workspace {
  /** Gives what `build` would give. Objects and files may be shared with other builds: do not change them in place. */
  build(request: WorkspaceRequest): Promise<BuildResult>;
  /** The schemas of a Kubernetes version; the newest that is shipped by default. */
  store(kubernetesVersion?: string): SchemaStore;
}

/** Builds many times in one process: what was read and parsed is kept by content, within a limit, for the builds after it. */
export function createWorkspace({ schemas, ...world }: WorkspaceHost): Workspace {
  const memory = createMemory();
  const store = (kubernetesVersion?: string): SchemaStore =>
    createSchemaStore({ files: schemas, kubernetesVersion, memory });
  return {
    store,
    build: async ({ limits, ...request }) =>
      await build({ store: () => store(), ...request, ...world, budget: createBudget(limits, memory) }),
  };
}
