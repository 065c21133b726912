const cluster =
  'kurel never talks to a cluster; what it prints is for others, as in kurel build PATH | kubectl apply -f -';

/** What people type who know helm, kustomize, kubectl, timoni and the like, and what it is here. */
const hints: readonly (readonly [hint: string, words: readonly string[]])[] = [
  ['that is kurel build here', ['template', 'render', 'compile', 'generate', 'kustomize', 'make', 'manifest']],
  ['that is kurel validate here', ['lint', 'check', 'verify', 'vet', 'test', 'kubeconform']],
  ['that is kurel info here', ['show', 'inspect', 'values', 'describe', 'parameters', 'params']],
  ['that is kurel init here', ['create', 'new', 'scaffold']],
  ['that is kurel vendor here', ['dependency', 'dep', 'pull', 'fetch', 'lock', 'update']],
  ['that is kurel explain here', ['why', 'trace', 'blame']],
  ['that is kurel diff here', ['compare']],
  ['that is kurel fmt here', ['format']],
  [cluster, ['apply', 'install', 'upgrade', 'deploy', 'sync', 'delete', 'uninstall', 'rollback', 'status', 'run']],
];

export function findWordElsewhere(word: string): string | undefined {
  return hints.find(([, words]) => words.includes(word))?.[0];
}
