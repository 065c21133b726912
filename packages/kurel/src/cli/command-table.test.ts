import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { commandTable } from './command-table.ts';
import { inputFlags } from './input-flags.ts';

describe('the table of commands', () => {
  it.each(commandTable)('loads $name', async (entry) => {
    expect((await entry.load()).name).toBe(entry.name);
  });

  it('has every command', () => {
    const names = readdirSync(join(import.meta.dirname, 'commands')).filter((file) => !file.endsWith('.test.ts'));
    const files = names.map((file) => file.replace(/\.ts$/, ''));
    expect(commandTable.map(({ name }) => name).toSorted()).toEqual(files.toSorted());
  });

  it('has all flags of the input, of the selection and of the schemas in each command that builds', async () => {
    const commands = await Promise.all(commandTable.map((entry) => entry.load()));
    const names = Object.keys(inputFlags);
    // Only a build has them.
    const marks = ['selector', 'jq', 'name-prefix', 'content-hash', 'release-name'];
    const builders = commands.filter(({ flags }) => marks.some((name) => Object.hasOwn(flags, name)));
    const expected = ['build', 'validate', 'explain', 'diff', 'images', 'push', 'attest'];
    expect(builders.map(({ name }) => name).toSorted()).toEqual(expected.toSorted());
    for (const { name, flags } of builders) {
      expect({ name, lacks: names.filter((flag) => !Object.hasOwn(flags, flag)) }).toEqual({ name, lacks: [] });
    }
  });
});
