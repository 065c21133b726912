import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import type { Diagnostic } from '../model/index.ts';
import { inventoryName, readInventory } from './output-inventory.ts';
import { reportFailure } from './report-failure.ts';
import { writeOutputDirectory } from './write-output-directory.ts';

/** Removes the files that builds have written to a directory, and the directory if it is empty then. Keeps and reports edited files. */
export function removeOutputDirectory(directory: string): readonly Diagnostic[] {
  if (!existsSync(directory)) return [];
  return reportFailure(directory, () => {
    const { owners } = readInventory(directory);
    const diagnostics = owners.flatMap(({ instance, layout, directory: inner }) => {
      const claim = { owner: { instance, layout }, directory: inner };
      return writeOutputDirectory(directory, [], claim).diagnostics;
    });
    if (readInventory(directory).owners.length === 0) rmSync(join(directory, inventoryName), { force: true });
    if (readdirSync(directory).length === 0) rmdirSync(directory);
    return diagnostics;
  });
}
