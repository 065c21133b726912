import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The run that everything else in its case is compared with, or with another `role`, Node or variables a variant of it. */
export function kurelRun({ kurel }, { args, node = process.execPath, ...rest }) {
  return {
    subject: `kurel ${args[0]}`,
    role: 'kurel',
    command: node,
    args: [kurel, ...args],
    printsObjects: true,
    ...rest,
  };
}

/** The same run of the standalone executable, if it could be made. */
export function executableRuns({ executable }, { args, ...rest }) {
  if (executable === undefined) return [];
  const subject = `kurel ${args[0]}, executable`;
  return [{ subject, role: 'variant', command: executable, args, printsObjects: true, ...rest }];
}

/** The same run on the current LTS of Node, where `npm run tools -- --node-lts` has installed it. */
export function ltsRuns(context, { args, ...rest }) {
  const name = `node-${process.platform}-${process.arch}`;
  const node = join(context.root, '.tools', 'node-lts', 'node_modules', name, 'bin', 'node');
  if (!existsSync(node)) return [];
  const subject = `kurel ${args[0]}, on the LTS of Node`;
  return [kurelRun(context, { args, node, subject, role: 'variant', ...rest })];
}

/** A run of helm, kustomize or kubeconform, if it exists. */
export function peerRuns({ peers }, { program, args, ...rest }) {
  const command = peers[program];
  if (command === undefined) return [];
  return [{ subject: `${program} ${args[0]}`, role: 'peer', command, args, printsObjects: true, ...rest }];
}
