import type { FlagDefinitions } from './command.ts';

/** Flags of the commands that validate what is built: which schemas the objects and the parameters are checked against. */
export const validationFlags = {
  'kubernetes-version': {
    type: 'text',
    placeholder: 'VERSION',
    summary: 'Validate for this Kubernetes version, such as 1.34; defaults to the newest that kurel ships.',
  },
  crds: {
    type: 'list',
    placeholder: 'PATH',
    completes: 'path',
    summary: 'CustomResourceDefinitions to validate with: a file, a directory or a pattern.',
  },
  schema: {
    type: 'text',
    placeholder: 'FILE',
    completes: 'path',
    section: 'package',
    summary: 'Patch package: check parameters against this JSON Schema instead of the generated one.',
  },
  'no-cache': {
    type: 'switch',
    section: 'package',
    summary: 'Patch package: generate the schema of its parameters again, even if the last hour has one.',
  },
} as const satisfies FlagDefinitions;
