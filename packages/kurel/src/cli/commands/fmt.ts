import { resolve } from 'node:path';

import { quote } from '../../diagnostics/index.ts';
import { formatKpatch } from '../../index.ts';
import { FileAccessError } from '../../model/index.ts';
import type { Diagnostic, FileSystem, Report, SourceFile } from '../../model/index.ts';
import { defineCommand, switchFlag } from '../command.ts';
import type { CommandCall, CommandResult, FlagDefinitions } from '../command.ts';
import { fileProblem } from '../file-problem.ts';
import { fileLimitFlags } from '../limits.ts';
import { rewriteInPlace, showDiff } from '../show-differences.ts';
import { openDisk } from '../open-world.ts';
import { cliProblems } from '../problems.ts';
import { hasErrors, UsageError } from '../usage-error.ts';

const deepest = 100;

/**
 * The `.kpatch` files in a directory and below, by path. Hidden files and links are skipped: the target of a link is formatted at
 * its own path.
 */
async function findKpatchFiles(directory: string, fileSystem: FileSystem, report: Report): Promise<readonly string[]> {
  const files: string[] = [];
  const pending = [directory];
  const start = directory.split('/').length;
  let hasFailed = false;
  for (let current = pending.pop(); current !== undefined; current = pending.pop()) {
    if (current.split('/').length - start > deepest) {
      report(fileProblem(new FileAccessError(current, 'failed', { detail: `is in more than ${deepest} directories` })));
      hasFailed = true;
      continue;
    }
    const prefix = current === '.' ? '' : `${current.replace(/\/+$/, '')}/`;
    try {
      for (const { name, kind, target } of await fileSystem.list(current)) {
        if (name.startsWith('.') || target !== undefined) continue;
        if (kind === 'directory') pending.push(`${prefix}${name}`);
        else if (kind === 'file' && name.endsWith('.kpatch')) files.push(`${prefix}${name}`);
      }
    } catch (error) {
      report(fileProblem(error));
      hasFailed = true;
    }
  }
  if (files.length === 0 && !hasFailed) report(cliProblems.create('fmt-nothing', { path: directory }));
  return files.toSorted();
}

const flags = {
  check: switchFlag('Write nothing; fail if a file is not formatted.'),
  diff: switchFlag('Write nothing; print a diff of the changes.'),
  ...fileLimitFlags,
} as const satisfies FlagDefinitions;

export const fmt = defineCommand({
  name: 'fmt',
  description:
    'Files are written back, and the names of those that changed are printed. Comments stay, and so does what a file means. A ' +
    '.kpatch file in YAML syntax is checked and stays as it is. When ' +
    'one of the files cannot be read, none is written. With - the patch on standard input goes to standard output.',
  arguments: [
    {
      name: 'PATH',
      summary: 'a .kpatch file, a directory with such files in it or below, or -',
      completes: 'path',
      repeats: true,
    },
  ],
  flags,
  examples: [
    { says: 'all patches in a repository', line: 'kurel fmt .' },
    { says: 'check in CI', line: 'kurel fmt --check .' },
  ],
  run: runFmt,
});

type Call = CommandCall<typeof flags>;

async function runFmt(call: Call): Promise<CommandResult> {
  const { positionals, flags, environment } = call;
  const diagnostics: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic);
  const isStdin = positionals.includes('-');
  if (isStdin && positionals.length > 1) {
    throw new UsageError('- and files are mutually exclusive', 'format the files in another call');
  }
  const sources = isStdin ? [{ path: 'stdin', text: await environment.readStdin() }] : await readFiles(call, report);
  const files = sources.map((source) => ({
    path: source.path,
    before: source.text,
    after: formatKpatch(source, report) ?? source.text,
  }));
  const changed = files.filter(({ before, after }) => before !== after);
  if (!hasErrors(diagnostics)) await handOver();
  return { diagnostics, sources };

  async function handOver(): Promise<void> {
    if (flags.diff) await showDiff(changed, flags, environment);
    if (flags.check) changed.forEach(({ path }) => report(cliProblems.create('fmt-stale', { path })));
    if (flags.diff || flags.check) return;
    if (isStdin) environment.writeStdout(files[0]!.after);
    else rewriteInPlace(changed, environment).diagnostics.forEach(report);
  }
}

async function readFiles(
  { positionals, environment }: Call,
  report: (diagnostic: Diagnostic) => void,
): Promise<readonly SourceFile[]> {
  const { workingDirectory } = environment;
  const fileSystem = openDisk(environment);
  const sources = new Map<string, SourceFile>();
  for (const path of positionals) {
    const kind = await fileSystem.kindOf(path);
    const isDirectory = kind === 'directory';
    if (kind !== undefined && !isDirectory && !path.endsWith('.kpatch')) {
      throw new UsageError(`${quote(path)} is not a .kpatch file`, 'kurel fmt formats .kpatch files only');
    }
    for (const file of isDirectory ? await findKpatchFiles(path, fileSystem, report) : [path]) {
      const key = resolve(workingDirectory, file);
      if (sources.has(key)) continue;
      try {
        sources.set(key, { path: file, text: await fileSystem.readText(file) });
      } catch (error) {
        report(fileProblem(error));
      }
    }
  }
  return [...sources.values()];
}
