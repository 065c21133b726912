import { valueAt } from '../model/index.ts';
import type { Json } from '../model/index.ts';
import { choiceField, flagField, hardening, namedMetadata, textField } from './define-fields.ts';
import { anyMapping } from './field.ts';
import type { Field } from './field.ts';
import type { DocumentFindings } from './document-findings.ts';
import { keysAt } from './located-data.ts';
import { documentProblems } from './problems.ts';
import { createTypeCheck } from './read-application-document.ts';
import type { PlatformOptions } from './read-application-document.ts';
import { readDocument } from './read-document.ts';
import type { Document } from './read-document.ts';
import { checkSignatures, signatures } from './read-signatures.ts';

const metadata = namedMetadata('profile');

const spec = {
  type: 'object',
  default: {},
  properties: {
    gitopsEngine: {
      ...choiceField(['fluxcd', 'argocd'], 'GitOps engine that applies the manifests.'),
      default: 'fluxcd',
    },
    fluxNamespace: textField('dns-label', 'Namespace of Flux objects. Defaults to the namespace of the application.'),
    argocdNamespace: textField('dns-label', 'Namespace of Argo CD objects. Defaults to argocd.'),
    labelPods: {
      ...flagField('Whether pods get the labels of the application as well. They never become part of selectors.'),
      default: false,
    },
    podSecurity: {
      type: 'object',
      description: 'Security settings of every pod of a workload component, unless the application sets them.',
      properties: {
        ...hardening,
        psaLevel: {
          ...hardening.psaLevel,
          description: `${hardening.psaLevel.description} restricted sets runAsNonRoot, allowPrivilegeEscalation: false, the seccomp profile RuntimeDefault, and drops all capabilities. The other levels set nothing.`,
        },
        runAsUser: { ...hardening.runAsUser, minimum: 1 },
      },
    },
    networkPolicies: {
      type: 'object',
      description: 'NetworkPolicies for every component whose pods are known.',
      properties: {
        denyIngress: {
          ...flagField('Whether to deny incoming traffic that no other NetworkPolicy allows.'),
          default: false,
        },
        denyEgress: {
          ...flagField('Whether to deny outgoing traffic that no other NetworkPolicy allows.'),
          default: false,
        },
        allowDNS: { ...flagField('Whether to allow outgoing traffic to port 53, with "denyEgress".'), default: true },
      },
    },
    signatures,
    capabilities: {
      type: 'object',
      description: 'How the platform implements traits, by TRAIT or TRAIT.SCOPE.',
      default: {},
      keys: 'capability-key',
      open: { type: 'object', properties: { rendering: anyMapping } },
    },
  },
} as const satisfies Field;

export const clusterProfileTables = { kind: 'ClusterProfile', metadata, spec } as const;

export type ClusterProfile = Document<typeof metadata, typeof spec>;

/** Reads a profile; the content of renderings is left to the traits. */
export function readClusterProfile(data: Json | undefined, options: PlatformOptions): ClusterProfile | undefined {
  function check(document: Json, findings: DocumentFindings): void {
    const path = ['spec', 'capabilities'];
    const checkTrait = createTypeCheck(options.known?.traits, findings, 'capability-trait-unknown');
    checkSignatures(document, findings);
    for (const key of keysAt(document, path)) checkTrait(splitCapabilityKey(key).trait, [...path, key], 'key');
    const allow = ['spec', 'networkPolicies', 'allowDNS'];
    const isEgressDenied = valueAt(document, ['spec', 'networkPolicies', 'denyEgress']) ?? false;
    if (typeof valueAt(document, allow) !== 'boolean' || isEgressDenied !== false) return;
    findings.add(allow, documentProblems.create('profile-dns-unused', {}), 'key');
  }
  return readDocument(data, { ...clusterProfileTables, check }, options);
}

/** The trait is the part before the first dot. */
export function splitCapabilityKey(key: string): { readonly trait: string; readonly scope: string | undefined } {
  const dot = key.indexOf('.');
  return dot === -1 ? { trait: key, scope: undefined } : { trait: key.slice(0, dot), scope: key.slice(dot + 1) };
}
