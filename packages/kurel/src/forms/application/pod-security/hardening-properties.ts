import type { Field, Fields } from '../documents/field.ts';
import { levels } from './check-level.ts';

const id = { type: 'integer', minimum: 0, maximum: 2_147_483_647 } as const satisfies Field;

/** The settings of a hardened pod, for the trait of an author and the defaults of a platform. */
export const hardening = {
  psaLevel: {
    type: 'string',
    description: 'Level of the Pod Security Standards.',
    required: true,
    enum: levels,
  },
  runAsNonRoot: { type: 'boolean', description: 'Whether containers must not run as root.' },
  allowPrivilegeEscalation: {
    type: 'boolean',
    description: 'Whether a process can gain more privileges than its parent.',
  },
  readOnlyRootFilesystem: { type: 'boolean', description: 'Whether the root file system is read-only.' },
  runAsUser: { ...id, description: 'User ID of the containers.' },
  runAsGroup: { ...id, description: 'Group ID of the containers.' },
  fsGroup: { ...id, description: 'Group ID that owns the volumes.' },
} as const satisfies Fields;
