import { didYouMean, nearest, quote } from '../diagnostics/index.ts';
import { commandTable } from './command-table.ts';
import { UsageError } from './usage-error.ts';

export function unknownCommand(word: string): UsageError {
  if (word.startsWith('-')) {
    const flag = nearest(word, ['--help', '--version', '-h', '-V']);
    const hint = didYouMean(flag, (name) => `kurel ${name}`) ?? 'see kurel help';
    return new UsageError(`unknown flag ${quote(word)} before a command`, hint);
  }
  const near = nearest(
    word,
    commandTable.map(({ name }) => name),
  );
  const guess = didYouMean(near, (name) => `kurel ${name}`) ?? 'see kurel help for all commands';
  const elsewhere = hints.find(([, words]) => words.includes(word))?.[0];
  return new UsageError(`unknown command ${quote(word)}`, elsewhere ?? guess);
}

const cluster = 'kurel never talks to a cluster; pipe its output: kurel build PATH | kubectl apply -f -';

/** Commands of helm, kustomize, kubectl, timoni and others, and what to use instead. */
const hints: readonly (readonly [hint: string, words: readonly string[]])[] = [
  ['use kurel build', ['template', 'render', 'compile', 'generate', 'kustomize', 'make', 'manifest']],
  ['use kurel validate', ['lint', 'check', 'vet', 'test', 'kubeconform']],
  ['use kurel info', ['show', 'inspect', 'values', 'describe', 'parameters', 'params']],
  ['use kurel init', ['create', 'new', 'scaffold']],
  ['use kurel vendor', ['dependency', 'dep', 'lock']],
  ['use kurel update', ['outdated', 'bump']],
  ['use kurel push', ['publish', 'upload']],
  ['use kurel pull', ['fetch', 'download']],
  ['use kurel explain', ['why', 'trace', 'blame']],
  ['use kurel diff', ['compare']],
  ['use kurel fmt', ['format']],
  [cluster, ['apply', 'install', 'upgrade', 'deploy', 'sync', 'delete', 'uninstall', 'rollback', 'status', 'run']],
];
