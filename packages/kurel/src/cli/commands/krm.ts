import { defineCommand } from '../command.ts';
import { messageFormatFlag } from '../input-flags.ts';

export const krm = defineCommand({
  name: 'krm',
  description:
    'Reads a ResourceList (config.kubernetes.io/v1) from stdin and writes one to stdout. Its functionConfig decides what is done: a ' +
    'KurelBuild names a package, whose objects are added to the items; a KurelValidate validates the items. Findings are written to ' +
    'results and to stderr. Paths are relative to the working directory. Exits 1 on errors, with unchanged items.',
  arguments: [],
  flags: messageFormatFlag,
  examples: [
    {
      says: 'a kustomization whose generators include a KurelBuild',
      line: 'kustomize build --enable-alpha-plugins --enable-exec overlays/production',
    },
    { says: 'by hand', line: 'kurel krm < resource-list.yaml' },
  ],
  run: async (call) => (await import('../krm/run-function.ts')).runFunction(call),
});
