import { createBudget, createMemory } from './budget/index.ts';
import type { BudgetLimits } from './budget/index.ts';
import type { BuildRequest, BuildResult } from './build-request.ts';
import { build } from './build.ts';
import { createSchemaStore } from './schema/index.ts';
import type { SchemaFiles, SchemaStore } from './schema/index.ts';

/** The sources that the builds of a workspace read from. */
export interface WorkspaceHost extends Pick<BuildRequest, 'fileSystem' | 'programs' | 'fetcher'> {
  readonly schemas: SchemaFiles;
}

export interface WorkspaceRequest extends Omit<BuildRequest, keyof WorkspaceHost | 'budget'> {
  /** The limits of this build; each build has a full budget. */
  readonly limits?: BudgetLimits | undefined;
}

export interface Workspace {
  /** The same result as `build`. Objects and files may be shared with other builds: do not change them in place. */
  build(request: WorkspaceRequest): Promise<BuildResult>;
  /** The schemas of a Kubernetes version; defaults to the newest shipped one. */
  store(kubernetesVersion?: string): SchemaStore;
}

/** Builds many times in one process: everything read and parsed is kept by content, within a limit, for later builds. */
export function createWorkspace({ schemas, ...world }: WorkspaceHost): Workspace {
  const memory = createMemory();
  const store = (kubernetesVersion?: string): SchemaStore =>
    createSchemaStore({ files: schemas, kubernetesVersion, memory });
  return {
    store,
    async build({ limits, ...request }) {
      const { validation } = request;
      // Types and merge keys come from the schemas that the result is validated with.
      const settings = validation === undefined ? { store: () => store() } : {};
      return await build({ ...settings, ...request, ...world, budget: createBudget(limits, memory) });
    },
  };
}
