import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { commandTable } from './command-table.ts';

describe('the table of commands', () => {
  it.each(commandTable)('loads $name', async (entry) => {
    expect((await entry.load()).name).toBe(entry.name);
  });

  it('has every command', () => {
    const names = readdirSync(join(import.meta.dirname, 'commands')).filter((file) => !file.endsWith('.test.ts'));
    const files = names.map((file) => file.replace(/\.ts$/, ''));
    expect(commandTable.map(({ name }) => name).toSorted()).toEqual(files.toSorted());
  });
});
