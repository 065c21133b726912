import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { expectCaseFile } from './check-case.ts';
import { listCases, openCase } from './golden-case.ts';
import type { GoldenCase } from './golden-case.ts';
import { runCase, wordsOf } from './program-case.ts';
import { applicationFiles, publishPackage } from './publish-package.ts';
import { describeWithProgram } from './render-case.ts';
import { runProgram } from './run-program.ts';
import { listFiles, repository } from './source-tree.ts';
import { startRegistry } from './start-registry.ts';

const folder = join(repository, 'packages', 'kurel', 'test', 'registry-cases');

/** The registry in the files and the output of a case. It is as long as the address of a real one, so that excerpts are the same. */
const name = 'reg.example.com';

describeWithProgram('registry', 'the program with a registry', () => {
  it.each(listCases(folder))('%s', async (title) => {
    const one = openCase(join(folder, title));
    expectCaseFile(one, 'expected', await runWithRegistry(one));
  });
});

/**
 * A case of the program that also has `steps`, one per line: `publish PATH:TAG [VERSION]` puts an application into the registry, whose image
 * has the version; `kurel WORDS` runs the program, which must succeed.
 */
async function runWithRegistry(one: GoldenCase): Promise<string> {
  const place = mkdtempSync(join(tmpdir(), 'kurel-registry-'));
  const { host, stop } = await startRegistry(place);
  expect(host).toHaveLength(name.length);
  const rename = (text: string): string => text.replaceAll(host, name);
  try {
    return await runCase(one, {
      async run(words, options = {}) {
        const { workingDirectory } = options;
        const variables = { ...options.variables, XDG_CACHE_HOME: join(place, 'cache') };
        const run = (list: readonly string[]) =>
          runProgram(
            list.map((word) => word.replaceAll(name, host)),
            { ...options, variables },
          );
        rewriteFiles(workingDirectory!, (text) => text.replaceAll(name, host));
        for (const step of stepsOf(one)) {
          const [verb, ...rest] = step.split(' ');
          if (verb === 'publish') await publish(`oci://${host}/${rest[0]}`, rest[1]);
          else expect(await run(rest), step).toMatchObject({ exitCode: 0 });
        }
        const { exitCode, stdout, stderr } = await run(wordsOf(one));
        rewriteFiles(workingDirectory!, rename);
        return { exitCode, stdout: rename(stdout), stderr: rename(stderr) };
      },
    });
  } finally {
    await stop();
    rmSync(place, { recursive: true });
  }
}

async function publish(reference: string, version = reference.slice(reference.lastIndexOf(':') + 1)): Promise<void> {
  await publishPackage({ reference, version, files: applicationFiles(version) });
}

function stepsOf(one: GoldenCase): readonly string[] {
  return one.has('steps') ? one.read('steps').trimEnd().split('\n') : [];
}

/** Texts only: an archive has no address of its registry. */
function rewriteFiles(directory: string, change: (text: string) => string): void {
  for (const path of listFiles(directory, '')) {
    if (path.endsWith('.tgz')) continue;
    const file = join(directory, path);
    const text = readFileSync(file, 'utf8');
    const changed = change(text);
    if (changed !== text) writeFileSync(file, changed);
  }
}
