import type { Json, Path } from '../../../model/index.ts';
import { createTraitCheck } from './check-trait.ts';
import type { PlatformOptions } from './check-trait.ts';
import { checkContradictions } from './check-contradictions.ts';
import type { Field, ValueOf } from './field.ts';
import { createFindings } from './findings.ts';
import type { Findings } from './findings.ts';
import { readDocument } from './read-document.ts';
import type { Document } from './read-document.ts';
import { collectField } from './read-field.ts';
import { listAt } from './value-at.ts';

const largestCount = 2_147_483_647;
const count = { type: 'integer', minimum: 0, maximum: largestCount } as const satisfies Field;
const positive = { type: 'integer', minimum: 1, maximum: largestCount } as const satisfies Field;
const quantity = { type: 'quantity' } as const satisfies Field;
const traits = { type: 'array', items: { type: 'string', format: 'dns-label' } } as const satisfies Field;
// Denied unless a policy says otherwise.
const permission = { type: 'boolean', default: false } as const satisfies Field;

const metadata = {
  type: 'object',
  description: 'a mapping with the name of the policy',
  required: true,
  properties: {
    name: { type: 'string', description: 'what the policy is called', required: true, format: 'dns-subdomain' },
  },
} as const satisfies Field;

const rules = {
  type: 'object',
  default: {},
  properties: {
    enforced: {
      type: 'object',
      description: 'what nothing may exceed',
      default: {},
      properties: {
        maxReplicas: positive,
        maxCPU: quantity,
        maxMemory: quantity,
        maxStorageSize: quantity,
        // An empty list could mean that all are allowed or that none is, so it is refused.
        allowedRegistries: { type: 'array', minItems: 1, items: { type: 'string', format: 'registry' } },
      },
    },
    defaults: {
      type: 'object',
      description: 'what is taken where an author says nothing',
      default: {},
      properties: {
        replicas: count,
        cpuRequest: quantity,
        memoryRequest: quantity,
        cpuLimit: quantity,
        memoryLimit: quantity,
        storageSize: quantity,
        scalerMinReplicas: positive,
        scalerMaxReplicas: positive,
      },
    },
    security: {
      type: 'object',
      description: 'what pods may do that reaches beyond them',
      default: {},
      properties: {
        allowHostNetwork: permission,
        allowPrivileged: permission,
        allowHostPID: permission,
        allowHostIPC: permission,
        allowHostPathVolumes: permission,
      },
    },
    capabilities: {
      type: 'object',
      description: 'which traits an application may, must not and must have',
      default: {},
      properties: { allowed: { ...traits, minItems: 1 }, forbidden: traits, required: traits },
    },
  },
} as const satisfies Field;

export type PolicyRules = ValueOf<typeof rules>;

export type Policy = Document<typeof metadata, typeof rules>;

/** Reads the document that `--policy` names. */
export function readPolicy(data: Json | undefined, options: PlatformOptions): Policy | undefined {
  function check(document: Json, findings: Findings): void {
    checkRules(document, { path: ['spec'], options, findings });
  }
  return readDocument(data, { kind: 'Policy', metadata, spec: rules, check }, options);
}

interface RulesOptions extends PlatformOptions {
  /** Where the properties of the entry stand in the document. */
  readonly path: Path;
}

/** Reads the properties of an `env-policy` of an application, which says what a policy says. */
export function readPolicyRules(properties: Json, { path, ...options }: RulesOptions): PolicyRules | undefined {
  const findings = createFindings({
    ...options,
    locate: (inner) => options.locate([...path, ...inner]),
    referencesAt: (inner) => options.referencesAt?.([...path, ...inner]) ?? [],
  });
  const value = collectField(rules, properties, { path: [], findings });
  checkRules(properties, { path: [], options, findings });
  return findings.tell(properties) ? value : undefined;
}

interface RulesPlace {
  readonly path: readonly string[];
  readonly options: PlatformOptions;
  readonly findings: Findings;
}

function checkRules(document: Json, { path, options, findings }: RulesPlace): void {
  const checkTrait = createTraitCheck(options, findings);
  for (const list of ['allowed', 'forbidden', 'required']) {
    const place = [...path, 'capabilities', list];
    for (const [index, trait] of (listAt(document, place) ?? []).entries()) {
      if (typeof trait === 'string') checkTrait(trait, [...place, index]);
    }
  }
  checkContradictions(document, path, findings);
}
