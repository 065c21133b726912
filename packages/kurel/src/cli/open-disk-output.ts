import { existsSync } from 'node:fs';
import system, { type PlatformPath } from 'node:path';

import { countNoun, DiagnosticError } from '../diagnostics/index.ts';
import {
  compareOutputDirectory,
  diskFileSystem,
  findOutputPlace,
  toSlashes,
  writeOutputDirectory,
  writeOutputFile,
} from '../host/index.ts';
import type { OutputClaim, OutputPlace, OutputSummary } from '../host/index.ts';
import { compareText } from '../model/index.ts';
import type { OutputFile } from '../model/index.ts';
import { findSecretWords } from '../provenance/index.ts';
import { findInputPlaces, findOwnOutput, refuseInsideInput } from './choose-destination.ts';
import type { Destination } from './choose-destination.ts';
import type { Environment } from './environment.ts';
import { refuseResult } from './open-output.ts';
import type { BuildCall, Delivery, Output } from './open-output.ts';
import { placeOnDisk } from './open-world.ts';
import { cliProblems } from './problems.ts';
import { reportDifferences, wordsIn } from './show-differences.ts';
import type { Secrets } from './show-differences.ts';
import type { Difference } from './unified-diff.ts';

type DiskDestination = Destination & { readonly path: string };

/** Output to a file or a directory, or a comparison with it. */
export function openDiskOutput(
  { path, target, layout, layoutOptions }: DiskDestination,
  { inputs, paths, settings, check, isPartial, earlier, refusePlace = () => [] }: BuildCall,
  environment: Environment,
): Output {
  const { workingDirectory, progress } = environment;
  const isDirectory = target === 'directory';
  // A link or file with a slash at its end looks like something that does not exist.
  const place = placeOnDisk(path, environment).replace(/(?<=[^/])\/+$/, '');
  /** The subdirectory of this build in the output directory. */
  let directory = '';
  /** The owner of the files, by the name of the package. */
  const claimOf = (name: string | undefined): OutputClaim => {
    const instance = layoutOptions.instance ?? name ?? nameInput(paths, { output: path, workingDirectory });
    return { owner: { instance, layout }, directory, isPartial, earlier };
  };
  const placeOf = (name: string | undefined): OutputPlace => {
    const outputPlace = findOutputPlace(place, claimOf(name));
    ({ directory } = outputPlace);
    return outputPlace;
  };

  async function deliverFiles(
    files: readonly OutputFile[],
    name: string | undefined,
    secrets: Secrets,
  ): Promise<Delivery> {
    const refusals = refusePlace();
    if (refusals.length > 0) return { exitCode: 1, diagnostics: refusals };
    try {
      return await (isDirectory ? writeDirectory(files, claimOf(name), secrets) : writeFile(files[0]!.text, secrets));
    } catch (error) {
      if (!(error instanceof DiagnosticError)) throw error;
      return { exitCode: 1, diagnostics: error.diagnostics };
    }
  }

  async function writeFile(after: string, secrets: Secrets): Promise<Delivery> {
    if (check) {
      // Through the file system that refuses pipes and devices: reading them may never end.
      const before = existsSync(place) ? new TextDecoder().decode(await diskFileSystem().readBytes!(place)) : undefined;
      return await reportDifferences(before === after ? [] : [{ path, before, after }], environment, secrets);
    }
    writeOutputFile(place, after);
    return { exitCode: 0, diagnostics: [] };
  }

  async function writeDirectory(files: readonly OutputFile[], claim: OutputClaim, secrets: Secrets): Promise<Delivery> {
    const shown = path.replace(/\/+$/, '');
    if (check) {
      const comparison = compareOutputDirectory(place, files, claim);
      const owners = comparison.replaced.map((other) =>
        cliProblems.create('output-owner-stale', { path: shown, other }),
      );
      const { exitCode, diagnostics } = await reportDifferences(
        listDifferences(shown, comparison),
        environment,
        secrets,
      );
      const all = [
        ...owners,
        ...diagnostics,
        ...comparison.diagnostics.filter(({ code }) => code === 'output-earlier-unknown'),
      ];
      return { exitCode: owners.length > 0 ? 1 : exitCode, diagnostics: all };
    }
    const onWait = progress && (() => progress.print(() => `waiting for another kurel that writes to ${shown}/`));
    const summary = writeOutputDirectory(place, files, { ...claim, onWait });
    const { diagnostics, isShared } = summary;
    const owner = { instance: claim.owner.instance, isShared };
    return { exitCode: 0, diagnostics, effect: describeEffect(summary), owner };
  }

  return {
    misplaced: refuseInsideInput(path, findInputPlaces(inputs, settings, environment), environment),
    layoutOptions: isDirectory ? { ...layoutOptions, placeOf } : layoutOptions,
    findOwn: (files) => findOwnOutput(files, path, environment),
    async deliver(result) {
      const refusals = refuseResult(result, path, environment);
      if (refusals.length > 0) return { exitCode: 1, diagnostics: refusals, isRefused: true };
      const { files, rendering } = result;
      return deliverFiles(files, rendering.facts.name, () => [...findSecretWords(rendering), ...wordsIn(files)]);
    },
    directory: () => directory,
    async deliverAgain(kept) {
      if (isDirectory && placeOf(kept.name).directory !== kept.directory) return undefined;
      return deliverFiles(kept.files, kept.name, () => wordsIn(kept.files));
    },
  };
}

function describeEffect(summary: OutputSummary): string {
  const parts = (['added', 'changed', 'removed'] as const)
    .filter((what) => summary[what] > 0)
    .map((what) => `${countNoun(summary[what], 'file')} ${what}`);
  return parts.length === 0 ? 'no file changed' : parts.join(', ');
}

function listDifferences(
  directory: string,
  { added, changed, removed }: ReturnType<typeof compareOutputDirectory>,
): readonly Difference[] {
  return [
    ...added.map(({ path, text }) => ({ path: `${directory}/${path}`, before: undefined, after: text })),
    ...changed.map(({ path, before, after }) => ({ path: `${directory}/${path}`, before, after })),
    ...removed.map(({ path, text }) => ({ path: `${directory}/${path}`, before: text, after: undefined })),
  ].toSorted((a, b) => compareText(a.path, b.path));
}

interface InputPlace {
  readonly output: string;
  readonly workingDirectory: string;
  readonly platform?: PlatformPath;
}

/** Input without a name is named by its path relative to the output, so that it is the same on every machine. */
export function nameInput(
  paths: readonly string[],
  { output, workingDirectory, platform = system }: InputPlace,
): string {
  const from = platform.resolve(workingDirectory, output);
  const names = paths.map((path) => {
    if (path === '-') return 'stdin';
    const relativePath = platform.relative(from, platform.resolve(workingDirectory, path));
    // On Windows, no relative path leads from one drive to another.
    return toSlashes(platform.isAbsolute(relativePath) ? path : relativePath, platform);
  });
  return names.join(' ');
}
