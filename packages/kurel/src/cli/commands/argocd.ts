import { defineCommand } from '../command.ts';
import { messageFormatFlag } from '../input-flags.ts';

export const argocd = defineCommand({
  name: 'argocd',
  description:
    'For plugin.yaml of a sidecar of the Argo CD repo server, which calls it in the directory of an Application. discover prints the form ' +
    'of the directory if it is a package, otherwise nothing. parameters prints the parameters of the package, for the user interface. ' +
    'generate builds it, as kurel build does, with the parameters and variables of the Application. Needs no shell.',
  arguments: [
    {
      name: 'ACTION',
      summary: 'discover, parameters or generate',
      choices: ['discover', 'parameters', 'generate'],
    },
  ],
  flags: messageFormatFlag,
  examples: [
    { says: 'what Argo CD would show as parameters', line: 'cd shop && kurel argocd parameters' },
    {
      says: 'what Argo CD would apply',
      line: 'cd shop && ARGOCD_ENV_KUREL_PROFILE=cluster.yaml kurel argocd generate',
    },
  ],
  run: async (call) => (await import('../argocd/run-plugin.ts')).runPlugin(call),
});
