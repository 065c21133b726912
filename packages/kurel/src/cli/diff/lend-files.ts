import { posix } from 'node:path';

import { ProgramError } from '../../model/index.ts';
import type { FileSystem, ProgramCall, ProgramRunner } from '../../model/index.ts';

const token = '{kurel-revision}';
const mostFiles = 10_000;
const mostBytes = 64 * 1024 * 1024;
const deepest = 100;

/**
 * Lets helm and kustomize read files that are not on the disk, by adding them to the workspace of the call: for a chart, all files below
 * it; for a kustomization, also those below the kustomizations that it refers to. They may read nothing else.
 */
export function lendFiles(
  programs: ProgramRunner,
  fileSystem: FileSystem,
  isOffDisk: (path: string) => boolean,
): { readonly fileSystem: FileSystem; readonly programs: ProgramRunner } {
  const read = new Set<string>();

  async function lend(call: ProgramCall, path: string): Promise<NonNullable<ProgramCall['workspace']>> {
    const files = new Map<string, Uint8Array>();
    let bytes = 0;
    const refuse = (limit: string): ProgramError => {
      const message = `${path} has more than ${limit}, which is too much for ${call.program}`;
      const hint = 'git worktree add DIR REVISION makes a directory of a revision';
      return new ProgramError(call.program, 'failed-to-start', message, { hint });
    };
    const add = async (file: string): Promise<void> => {
      if (files.has(file)) return;
      const content = await fileSystem.readBytes!(file);
      bytes += content.length;
      files.set(file, content);
      if (files.size > mostFiles || bytes > mostBytes) throw refuse(`${mostFiles} files or ${mostBytes} bytes`);
    };
    const walk = async (directory: string, around: readonly string[]): Promise<void> => {
      if (around.length > deepest) throw refuse(`${deepest} directories inside one another`);
      for (const { name, kind, target } of await fileSystem.list(directory)) {
        const inner = `${directory}/${name}`;
        const real = posix.normalize(`${around.at(-1)}/${target ?? name}`);
        if (kind === 'file') await add(inner);
        else if (kind === 'directory' && !around.includes(real)) await walk(inner, [...around, real]);
      }
    };
    const directories = [...read].filter((file) => /\/kustomization\.ya?ml$|\/Kustomization$/.test(file));
    for (const root of new Set([path, ...directories.map((file) => posix.dirname(file))])) {
      if ((await fileSystem.kindOf(root)) === 'file') await add(root);
      else await walk(root, [root]);
    }
    for (const file of read) await add(file);
    return { token, files };
  }

  return {
    fileSystem: {
      ...fileSystem,
      async readText(path) {
        const text = await fileSystem.readText(path);
        if (isOffDisk(path)) read.add(posix.normalize(path));
        return text;
      },
    },
    programs: {
      async run(call) {
        // Both programs have the input at the end, after their own words.
        const index = call.args.findLastIndex(isOffDisk);
        if (index === -1 || call.workspace !== undefined) return await programs.run(call);
        const path = posix.normalize(call.args[index]!);
        const workspace = await lend(call, path);
        const args = call.args.with(index, `${token}/${path}`);
        const result = await programs.run({ ...call, args, workspace });
        return { ...result, stderr: result.stderr.replaceAll(`${token}/`, '') };
      },
    },
  };
}
