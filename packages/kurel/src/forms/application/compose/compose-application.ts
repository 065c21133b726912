import { quote } from '../../../diagnostics/index.ts';
import { textAt } from '../../../kube/index.ts';
import type { KubeObject, Path, Report } from '../../../model/index.ts';
import type { KustomizationPart } from '../../../provenance/index.ts';
import { isInForce } from '../../../validate/index.ts';
import { tiers } from '../catalog/define.ts';
import type { ComponentResult, Delivery, Inspect, Tier } from '../catalog/define.ts';
import { joinNames } from '../pods/names.ts';
import type { ClusterProfile } from '../../../documents/index.ts';
import { fillPod } from '../pod-security/harden-pod.ts';
import { changePods } from '../pods/change-pods.ts';
import { createSharing, isSource } from './composition.ts';
import type { ComposedObject, Composing, Composition, CompositionInput, ObjectFinding } from './composition.ts';
import { finishObjects, isFoundation } from './finish-object.ts';
import { checkTypes, inspectObjects } from './inspect-objects.ts';
import { createDefaultDeny, createNetworkPolicies, servicesOf } from './network-policies.ts';
import type { RoutedTraffic } from './network-policies.ts';
import { readInput } from './read-input.ts';
import { readRules } from './read-rules.ts';
import { renderComponent, tierOf } from './render-component.ts';
import { renderTrait } from './render-trait.ts';

/**
 * Documents → rules → components → traits → network policies → ordered objects. Pure: the same input gives the same
 * objects. `undefined` if the documents cannot be read. Problems are reported or returned as findings about objects.
 */
export function composeApplication(options: CompositionInput): Composition | undefined {
  let failed = false;
  let onlyErrors = false;
  let part: number | undefined;
  const wrong = new Set<number | undefined>();
  const report: Report = (diagnostic) => {
    const isError = diagnostic.severity === 'error';
    failed ||= isError;
    if (isError) wrong.add(part);
    if (!onlyErrors || isError) options.report(diagnostic);
  };
  const input = { ...options, report };
  const documents = readInput(input);
  if (documents === undefined) return undefined;
  const { document, capabilities, defined, policy, isDamaged } = documents;
  const platform: Partial<ClusterProfile['spec']> = documents.profile?.spec ?? {};
  // With damaged documents, warnings may only follow from the damage.
  onlyErrors = isDamaged;
  const namespace = options.namespace ?? document.metadata.namespace ?? 'default';
  const { rules, tiers: tiersOfPolicies } = readRules({ ...input, document, policy, defined, namespace });
  const composing: Composing = {
    ...input,
    document,
    capabilities,
    defined,
    namespace,
    rules,
    delivery: deliveryOf(platform, { ...options, namespace }),
    podLabels: platform.labelPods === true ? document.metadata.labels : {},
    platform,
    sharing: createSharing(),
    onPart: (component) => (part = component),
  };
  if (!isDamaged) checkTypes(composing);
  const { inOrder, annotations, kustomizationParts } = renderParts(composing, tiersOfPolicies);
  if (isDamaged) return undefined;
  onlyErrors = failed && options.isDraft !== true;
  const isWellPart = (component: number): boolean => !wrong.has(undefined) && !wrong.has(component);
  // A finding in an object of a faulty part would repeat the same mistake.
  const isOfItsOwn = ({ composed, diagnostic }: ObjectFinding): boolean =>
    !onlyErrors || (diagnostic.severity === 'error' && composed.components.every(isWellPart));
  const objects = finishObjects(inOrder, annotations, composing);
  return {
    name: document.metadata.name,
    namespace,
    deliveryNamespace: composing.delivery.namespace,
    rules,
    objects,
    kustomizationParts,
    findings: options.isDraft === true ? [] : inspectObjects(objects, composing).filter(isOfItsOwn),
  };
}

interface DeliveryOptions extends Pick<CompositionInput, 'fluxNamespace' | 'isNamespaceChosen'> {
  readonly namespace: string;
}

function deliveryOf(platform: Partial<ClusterProfile['spec']>, options: DeliveryOptions): Delivery {
  const { namespace: own, isNamespaceChosen = false } = options;
  const { gitopsEngine: engine = 'fluxcd', argocdNamespace = 'argocd' } = platform;
  const namespace = engine === 'argocd' ? argocdNamespace : (options.fluxNamespace ?? platform.fluxNamespace ?? own);
  const isShared = isNamespaceChosen && namespace !== own;
  return { engine, namespace, nameOf: (component) => (isShared ? joinNames(own, component) : component) };
}

interface Parts {
  readonly inOrder: readonly ComposedObject[];
  readonly kustomizationParts: readonly KustomizationPart[];
  /** Annotations that components request for all their objects, by index. */
  readonly annotations: readonly ComponentResult['annotations'][];
}

function renderParts(composing: Composing, tiersOfPolicies: ReadonlyMap<string, Tier>): Parts {
  const { document, application, catalog, platform } = composing;
  const { components } = document.spec;
  const tierAt = components.map((component, index) => tierOf(component, index, { composing, tiersOfPolicies }));
  const results = components.map((component, index) => {
    composing.onPart(index);
    return renderComponent(component, index, composing);
  });
  const services = new Map(
    results.flatMap((result) => servicesOf(result ?? {})).map((service) => [service.name, service]),
  );
  const decorated: (readonly KubeObject[])[] = results.map((result) => result?.objects ?? []);
  const inspections: Inspect[][] = results.map(() => []);
  const ofTraits: ComposedObject[] = [];
  const traffic: RoutedTraffic[] = [];
  const kustomizationParts: KustomizationPart[] = [];
  const isPolicyInForce = isInForce(composing.rules.layers);
  for (const [index, component] of components.entries()) {
    composing.onPart(index);
    for (const [position, trait] of component.traits.entries()) {
      const path = ['spec', 'components', index, 'traits', position];
      const maker = `trait ${quote(trait.type)} of component ${quote(component.name)}`;
      const rendering = renderTrait({ trait, path, component, result: results[index], services }, composing);
      if (rendering === undefined) continue;
      const { objects = [], decorate, inspect, inspectOwn, routes = [], kustomization, report } = rendering;
      const origin = { maker, type: trait.type, path, components: [index], tier: tierAt[index]! };
      const own = inspectOwn === undefined ? undefined : [pointAt(inspectOwn, path, composing)];
      for (const object of objects) ofTraits.push({ object, ...origin, inspections: own });
      decorated[index] = decorate?.(decorated[index]!) ?? decorated[index]!;
      if (inspect !== undefined) inspections[index]!.push(pointAt(inspect, path, composing));
      if (kustomization !== undefined) {
        const location = application.locate([...path, 'type']);
        kustomizationParts.push({ ...kustomization, trait: trait.type, location, isPolicyInForce });
      }
      for (const route of routes) {
        traffic.push({ route, router: index, report: (diagnostic) => report(diagnostic, route.path) });
      }
    }
  }
  const { podSecurity } = platform;
  for (const [index, component] of podSecurity === undefined ? [] : components.entries()) {
    const isOfKurel = catalog.components.get(component.type)?.provides?.includes('podTemplate') === true;
    // The trait is the choice of the author.
    if (!isOfKurel || component.traits.some(({ type }) => type === 'security-context')) continue;
    decorated[index] = changePods(decorated[index]!, (spec) => fillPod(spec, podSecurity!));
  }
  composing.onPart(undefined);
  const rendered = { results, decorated, inspections, traffic, tierAt };
  return {
    inOrder: putInOrder([placeComponents(rendered, composing), ofTraits, createNetwork(rendered, composing)]),
    kustomizationParts,
    annotations: results.map((result) => result?.annotations),
  };
}

/** A separate function, so that the closure does not keep the trait's input alive. Findings point at the trait that caused them. */
function pointAt(inspect: Inspect, trait: Path, { application: { locate } }: Composing): Inspect {
  return (object, report) =>
    inspect(object, (diagnostic, path) => {
      const related = [{ message: 'the trait is here', location: locate([...trait, 'type']) }];
      report({ ...diagnostic, related }, path);
    });
}

/** By component. */
interface Rendered {
  readonly results: readonly (ComponentResult | undefined)[];
  /** The objects with what traits and the platform changed. */
  readonly decorated: readonly (readonly KubeObject[])[];
  readonly inspections: readonly (readonly Inspect[])[];
  readonly traffic: readonly RoutedTraffic[];
  readonly tierAt: readonly Tier[];
}

function placeComponents(
  { results, decorated, inspections, tierAt }: Rendered,
  { document, sharing }: Composing,
): readonly ComposedObject[] {
  const { components } = document.spec;
  const positionOf = (name: string): number => components.findIndex((component) => component.name === name);
  return decorated.flatMap((objects, index) => {
    const { name, type } = components[index]!;
    const maker = `component ${quote(name)}`;
    const path = ['spec', 'components', index];
    const makers = sharing.makersFor(name);
    const involved = makers.length === 0 ? [index] : [...new Set([index, ...makers.map(positionOf)])];
    const users = sharing.usersOf(name).map((user) => tierAt[positionOf(user)]);
    const earliest = tiers.find((tier) => users.includes(tier)) ?? tierAt[index]!;
    const { objects: originals = [], places, scopes } = results[index] ?? {};
    return objects.map((object, position) => {
      // A trait that changes objects returns the same number in the same order.
      const original = objects.length === originals.length ? originals[position]! : object;
      // Written out: a spread takes a tenth more memory in an application with 10,000 components.
      return {
        object,
        maker,
        type,
        path,
        components: involved,
        // A source must exist before the objects that use it.
        tier: isSource(object) ? earliest : tierAt[index]!,
        locate: places?.get(original),
        written: places?.has(original) === true ? original : undefined,
        scope: scopes?.get(original),
        inspections: inspections[index],
      };
    });
  });
}

/** Policies for the traffic of traits, and those that deny all other traffic. */
function createNetwork(
  { results, decorated, traffic, tierAt }: Rendered,
  { document, application, capabilities, platform, report }: Composing,
): readonly ComposedObject[] {
  const { components } = document.spec;
  const { denyIngress, denyEgress } = platform.networkPolicies ?? {};
  if (traffic.length === 0 && denyIngress !== true && denyEgress !== true) return [];
  const operatorNamespace = textAt(capabilities.byKey.get('networkpolicy')?.rendering, 'operatorNamespace');
  const owners = results.map((result, index) => ({ ...result, name: components[index]!.name }));
  const type = 'networkpolicy';
  const allowing = createNetworkPolicies(traffic, owners, operatorNamespace).map(
    ({ object, component, service, routers }) => ({
      object,
      maker:
        service === undefined
          ? `traffic to component ${quote(components[component]!.name)}`
          : `traffic to Service ${quote(service)}`,
      type,
      path: ['spec', 'components', routers[0]!],
      components: [...new Set([component, ...routers])].toSorted((a, b) => a - b),
      tier: tierAt[component]!,
    }),
  );
  const denying = owners.flatMap((owner, index) => {
    const path = ['spec', 'components', index];
    const hasPolicy = components[index]!.traits.some((trait) => /^(?:cilium-)?networkpolicy$/.test(trait.type));
    const objects = createDefaultDeny(owner, {
      ...platform.networkPolicies,
      hasPolicy,
      operatorNamespace,
      objects: decorated[index]!,
      report: (diagnostic) => report({ ...diagnostic, location: application.locate([...path, 'name']) }),
    });
    const maker = `default-deny policy of component ${quote(owner.name)}`;
    return objects.map((object) => ({
      object,
      maker,
      type,
      path,
      components: [index],
      tier: tierAt[index]!,
    }));
  });
  return [...allowing, ...denying];
}

/** Foundations first; then, per tier, components, traits and network policies. */
function putInOrder(parts: readonly (readonly ComposedObject[])[]): readonly ComposedObject[] {
  const byTier = new Map(tiers.map((tier) => [tier, new Array<ComposedObject>()]));
  for (const objects of parts) for (const entry of objects) byTier.get(entry.tier)!.push(entry);
  const inOrder = [...byTier.values()].flat();
  const first = inOrder.filter(({ object }) => isFoundation(object));
  return first.length === 0 ? inOrder : [...first, ...inOrder.filter(({ object }) => !isFoundation(object))];
}
