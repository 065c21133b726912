import type { ComponentDefinition, PolicyDefinition, TraitDefinition } from './define.ts';
import { crd } from './components/crd.ts';
import { cronjob } from './components/cronjob.ts';
import { daemonset } from './components/daemonset.ts';
import { helmchart } from './components/helmchart.ts';
import { job } from './components/job.ts';
import { manifests } from './components/manifests.ts';
import { oci } from './components/oci.ts';
import { passthrough } from './components/passthrough.ts';
import { postgresql } from './components/postgresql.ts';
import { statefulset } from './components/statefulset.ts';
import { webservice } from './components/webservice.ts';
import { worker } from './components/worker.ts';
import { envPolicy } from './policies/env-policy.ts';
import { certificate } from './traits/certificate.ts';
import { ciliumNetworkpolicy } from './traits/cilium-networkpolicy.ts';
import { configmap } from './traits/configmap.ts';
import { expose } from './traits/expose.ts';
import { externalSecret } from './traits/external-secret.ts';
import { fluxcdPatches } from './traits/fluxcd-patches.ts';
import { fluxcdPostbuild } from './traits/fluxcd-postbuild.ts';
import { httproute } from './traits/httproute.ts';
import { ingress } from './traits/ingress.ts';
import { networkpolicy } from './traits/networkpolicy.ts';
import { pruneProtection } from './traits/prune-protection.ts';
import { pvc } from './traits/pvc.ts';
import { rbac } from './traits/rbac.ts';
import { scaler } from './traits/scaler.ts';
import { securityContext } from './traits/security-context.ts';
import { volsync } from './traits/volsync.ts';

/** Handlers of custom types. */
export interface Handlers {
  readonly components?: readonly ComponentDefinition[] | undefined;
  readonly traits?: readonly TraitDefinition[] | undefined;
  readonly policies?: readonly PolicyDefinition[] | undefined;
}

/** All types that an application can use. */
export interface Catalog {
  readonly components: ReadonlyMap<string, ComponentDefinition>;
  readonly traits: ReadonlyMap<string, TraitDefinition>;
  readonly policies: ReadonlyMap<string, PolicyDefinition>;
  /** Whether a trait is built in. */
  readonly isBuiltIn: (trait: string) => boolean;
}

export const builtIn = {
  components: [
    crd,
    cronjob,
    daemonset,
    helmchart,
    job,
    manifests,
    oci,
    passthrough,
    postgresql,
    statefulset,
    webservice,
    worker,
  ],
  traits: [
    certificate,
    ciliumNetworkpolicy,
    configmap,
    expose,
    externalSecret,
    fluxcdPatches,
    fluxcdPostbuild,
    httproute,
    ingress,
    networkpolicy,
    pruneProtection,
    pvc,
    rbac,
    scaler,
    securityContext,
    volsync,
  ],
  policies: [envPolicy],
} as const satisfies Handlers;

/** The built-in handlers and those of the caller. Throws if two have the same type, so that none is replaced silently. */
export function createCatalog(own: Handlers = {}): Catalog {
  const ours = new Set<string>(builtIn.traits.map(({ type }) => type));
  return {
    components: byType('component', [...builtIn.components, ...(own.components ?? [])]),
    traits: byType('trait', [...builtIn.traits, ...(own.traits ?? [])]),
    policies: byType('policy', [...builtIn.policies, ...(own.policies ?? [])]),
    isBuiltIn: (trait) => ours.has(trait),
  };
}

function byType<Handler extends { readonly type: string }>(
  what: string,
  handlers: readonly Handler[],
): ReadonlyMap<string, Handler> {
  const map = new Map<string, Handler>();
  for (const handler of handlers) {
    if (map.has(handler.type)) throw new TypeError(`duplicate handler for ${what} "${handler.type}"`);
    map.set(handler.type, handler);
  }
  return map;
}
