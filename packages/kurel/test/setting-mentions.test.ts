import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandTable } from '../src/cli/command-table.ts';
import { commandOptions, settingTable } from '../src/settings/index.ts';
import { stringsIn } from './source-syntax.ts';
import { listFiles, repository } from './source-tree.ts';

const source = join(repository, 'packages', 'kurel', 'src');

// What still names flags, with the number of its strings. The list only gets shorter.
const exceptions: Readonly<Record<string, number>> = {
  // Names of the sources of assignments.
  'forms/application/render-application.ts': 1,
  'forms/patch-package/schema/validate-values.ts': 1,
  // Descriptions of traits and documents.
  'forms/application/catalog/traits/fluxcd-patches.ts': 1,
  'forms/application/catalog/traits/fluxcd-postbuild.ts': 1,
  'forms/application/editor-schemas/document-schemas.ts': 2,
};

/** Flags of other programs with the same names as ours, and parts of complete commands. */
const commandLines = new Set([
  'forms/application/sources/open-sources.ts',
  'forms/application/template.ts',
  'forms/chart/form.ts',
  'signing/problems.ts',
]);

describe('a setting', () => {
  it('is named in findings, not its flag', async () => {
    const commands = await Promise.all(commandTable.map((entry) => entry.load()));
    const flags = new Set([
      ...Object.values({ ...settingTable, ...commandOptions }).map(({ flag }) => flag),
      ...commands.flatMap((command) => Object.keys(command.flags)),
    ]);
    const namesFlag = (text: string): boolean =>
      Array.from(withoutCommands(text).matchAll(/(?<![\w-])--([a-z][a-z-]*[a-z]|jq)/g)).some(([, flag]) =>
        flags.has(flag!),
      );
    const files = listFiles(source, '.ts').filter(
      (path) => !path.startsWith('cli/') && !path.endsWith('.test.ts') && !commandLines.has(path),
    );
    const counts = files.flatMap((path) => {
      const text = readFileSync(join(source, path), 'utf8');
      const { length } = namesFlag(text) ? stringsIn(path, text).filter(namesFlag) : [];
      return length === 0 ? [] : [[path, length] as const];
    });
    expect(Object.fromEntries(counts)).toEqual(exceptions);
  });

  it('has one name', () => {
    expect(Object.keys(commandOptions).filter((name) => Object.hasOwn(settingTable, name))).toEqual([]);
  });

  it('is an option of a command that exists', async () => {
    const commands = await Promise.all(commandTable.map((entry) => entry.load()));
    const flags = new Set(commands.flatMap((command) => Object.keys(command.flags)));
    expect(Object.values(commandOptions).filter(({ flag }) => !flags.has(flag))).toEqual([]);
  });
});

/** A complete command is for a shell, also in a finding of another caller. */
function withoutCommands(text: string): string {
  return text.replaceAll(/\b(?:kurel|kubectl|sops|git|helm) [^`"]*/g, '');
}
