/** For the reference and the man page. */
export const environmentVariables = [
  ['KUREL_TOOLS', 'Directory with helm and kustomize, searched before PATH.'],
  ['KUREL_PAGER', 'Pager for long help; defaults to PAGER, then less. An empty string disables it.'],
  ['KUREL_NO_COMPILE_CACHE', 'Any value disables the cache of compiled code.'],
  [
    'KUREL_PROFILE, KUREL_POLICY, …',
    'Settings of `kurel argocd generate`, also with the prefix `ARGOCD_ENV_`; see docs/argocd.md.',
  ],
  ['KURE_DEBUG', '`1` traces patches on stderr and prints stack traces of internal errors.'],
  ['NO_COLOR', 'Any value disables colour; `--color always` overrides it.'],
] as const;
