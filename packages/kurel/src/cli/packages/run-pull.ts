import { readdirSync } from 'node:fs';

import type { ArchiveFile } from '../../archive/index.ts';
import { fetchPackage, reportRegistry } from '../../artifact/index.ts';
import { countNoun, escapeControls } from '../../diagnostics/index.ts';
import { updateFiles } from '../../host/index.ts';
import type { CommandCall, CommandResult } from '../command.ts';
import type { PullFlags } from '../commands/pull.ts';
import { formNamed, publishedForms } from '../open-input.ts';
import { placeOnDisk } from '../open-world.ts';
import { cliProblems } from '../problems.ts';
import { createRegistryAccess } from '../registry-access.ts';
import { checkReference } from './open-remote-package.ts';
import { settingsOf } from '../setting-flags.ts';

type Call = CommandCall<PullFlags>;

export async function runPull(call: Call): Promise<CommandResult> {
  const { positionals, flags, environment } = call;
  checkReference(positionals[0]!, flags);
  const { files, name, pinned } = await fetch(call);
  environment.progress?.clear();
  environment.writeStderr(writeFiles(files, flags.output ?? name, call));
  return { stdout: `${pinned}\n` };
}

async function fetch({ positionals, flags, environment }: Call) {
  return await reportRegistry(async () => {
    const forms = publishedForms(environment);
    const published = await fetchPackage(positionals[0]!, createRegistryAccess(settingsOf(flags), environment), {
      forms,
    });
    const { path } = published.reference;
    const last = path.slice(path.lastIndexOf('/') + 1);
    const { ending = '' } = formNamed(published.config.form, environment).package;
    return {
      files: await published.fetchContent(),
      name: last.endsWith(ending) ? last : `${last}${ending}`,
      pinned: published.pinned,
    };
  });
}

/** Writes the files and reports them. Existing files are not changed, because they may be somebody's work. */
function writeFiles(files: readonly ArchiveFile[], directory: string, { environment }: Call): string {
  const place = placeOnDisk(directory, environment);
  const update = {
    wanted: files.map(({ path, bytes }) => ({ path, text: bytes })),
    unwanted: [],
    index: undefined,
  };
  const shown = `${escapeControls(directory).replace(/\/+$/, '')}/`;
  if (!isEmpty(place)) {
    const { added, changed } = updateFiles(place, { ...update, isDry: true });
    if (added.length + changed.length === 0) return `${shown} is up to date\n`;
    throw cliProblems.error('pull-not-empty', { path: directory });
  }
  const { added } = updateFiles(place, update);
  return `wrote ${countNoun(added.length, 'file')} to ${shown}\n`;
}

function isEmpty(directory: string): boolean {
  try {
    return readdirSync(directory).length === 0;
  } catch {
    // If it is not a directory, writing reports it.
    return true;
  }
}
