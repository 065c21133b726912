import { join } from 'node:path';

import { downloadModule } from './go-modules.mjs';
import { readDefinitionFiles } from './read-definitions.mjs';
import { projects } from './sources.mjs';

/** The CustomResourceDefinitions that a project publishes for everybody: not those of experimental channels. */
export function readProjectDefinitions(name) {
  const parts = projects.flatMap((project) => project.modules.map((part) => ({ name: project.name, ...part })));
  const part = parts.find((one) => one.name === name && one.channel !== 'experimental');
  if (part === undefined) throw new Error(`there are no definitions of ${name}`);
  return readModuleDefinitions(`${part.module}@v${part.version}`, part.directories);
}

/** The CustomResourceDefinitions in directories of a Go module. */
export function readModuleDefinitions(moduleAtVersion, directories) {
  const directory = downloadModule(moduleAtVersion);
  return directories.flatMap((folder) => readDefinitionFiles(join(directory, folder)));
}
