import type { FlagDefinitions } from './command.ts';

/** Flags of the commands that validate: the schemas for objects and parameters. */
export const validationFlags = {
  'kubernetes-version': {
    type: 'text',
    placeholder: 'VERSION',
    section: 'validation',
    summary: 'Validate against this Kubernetes version, such as 1.34; defaults to the newest bundled one.',
  },
  crds: {
    type: 'list',
    placeholder: 'PATH',
    completes: 'path',
    section: 'validation',
    summary: 'CustomResourceDefinitions to validate with: a file, a directory or a pattern.',
  },
  schema: {
    type: 'text',
    placeholder: 'FILE',
    completes: 'path',
    section: 'package',
    summary: 'Patch package: validate parameters against this JSON Schema instead of the generated one.',
  },
  'no-cache': {
    type: 'switch',
    section: 'package',
    summary: 'Patch package: regenerate the parameter schema, even if it was cached in the last hour.',
  },
} as const satisfies FlagDefinitions;
