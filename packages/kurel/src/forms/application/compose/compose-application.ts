import { quote } from '../../../diagnostics/index.ts';
import { describeObject, identityOf, textAt } from '../../../kube/index.ts';
import type { Diagnostic, KubeObject, Path, Report } from '../../../model/index.ts';
import type { KustomizationPart } from '../../../provenance/index.ts';
import { findTraitRefusal, findUnknownSources, isInForce, policyProblems } from '../../../validate/index.ts';
import type { TraitRefusal } from '../../../validate/index.ts';
import { tiers } from '../catalog/define.ts';
import type { ComponentResult, Delivery, Inspect, Tier, TraitOwner } from '../catalog/define.ts';
import { joinNames } from '../pods/names.ts';
import { scope as ofCapability } from '../catalog/fields.ts';
import type { ApplicationDocument } from '../documents/read-application-document.ts';
import type { ComposedObject, Composing, Composition, CompositionInput, ObjectFinding } from './composition.ts';
import { checkObjectName, finishObject, isFoundation } from './finish-object.ts';
import { inspectObject } from './inspect-object.ts';
import { fillPod } from '../pod-security/harden-pod.ts';
import { changePods } from '../pods/change-pods.ts';
import { createDefaultDeny } from './default-deny.ts';
import { createNetworkPolicies, servicesOf } from './network-policies.ts';
import type { RoutedTraffic } from './network-policies.ts';
import { findOverlaps, labelPods } from './pod-labels.ts';
import { composeProblems } from './problems.ts';
import { readDocuments } from './read-documents.ts';
import type { ReadDocuments } from './read-documents.ts';
import { readRules } from './read-rules.ts';
import { renderComponent, tierAnnotation, tierOf } from './render-component.ts';
import { renderTrait } from './render-trait.ts';
import { createSharing, isSource } from './share-sources.ts';
import { findTakenLabels, sharedLabels } from './shared-labels.ts';

/**
 * Documents → rules → components → traits → network policies → ordered objects. Pure: the same input gives the same
 * objects. `undefined` if the documents cannot be read. Problems are reported or returned as findings about objects.
 */
export function composeApplication(given: CompositionInput): Composition | undefined {
  let failed = false;
  let onlyErrors = false;
  let part: number | undefined;
  const wrong = new Set<number | undefined>();
  const report: Report = (diagnostic) => {
    failed ||= diagnostic.severity === 'error';
    if (diagnostic.severity === 'error') wrong.add(part);
    if (!onlyErrors || diagnostic.severity === 'error') given.report(diagnostic);
  };
  const input = { ...given, report };
  const documents = readDocuments(input);
  if (documents === undefined) return undefined;
  const { document, capabilities, defined, policy, isDamaged } = documents;
  // With damaged documents, warnings may only follow from the damage.
  onlyErrors = isDamaged;
  const namespace = given.namespace ?? document.metadata.namespace ?? 'default';
  const { rules, tiers: givenTiers } = readRules({ ...input, document, policy, defined, namespace });
  const composing: Composing = {
    ...input,
    document,
    capabilities,
    defined,
    namespace,
    rules,
    delivery: deliveryOf(documents, { ...given, namespace }),
    podLabels: documents.profile?.spec.labelPods === true ? document.metadata.labels : {},
    platform: documents.profile?.spec ?? {},
    sharing: createSharing(),
    onPart: (component) => (part = component),
  };
  if (!isDamaged) checkTraits(composing);
  const parts = renderParts(composing, givenTiers);
  if (isDamaged) return undefined;
  onlyErrors = failed && given.isDraft !== true;
  const isWellPart = (component: number): boolean => !wrong.has(undefined) && !wrong.has(component);
  // A finding in an object of a faulty part would repeat the same mistake.
  const isOfItsOwn = ({ made, diagnostic }: ObjectFinding): boolean =>
    !onlyErrors || (diagnostic.severity === 'error' && made.components.every(isWellPart));
  const annotationsOf = createAnnotations(document, parts.annotations);
  const ordered = putInOrder(parts);
  const definitions = ordered.map(({ object }) => object).filter(isFoundation);
  const objects = ordered.map((made) => finish(made, { composing, definitions, annotationsOf }));
  return {
    name: document.metadata.name,
    namespace,
    deliveryNamespace: composing.delivery.namespace,
    rules,
    objects,
    kustomizationParts: parts.ofKustomizations,
    findings: given.isDraft === true ? [] : findInObjects(objects, composing).filter(isOfItsOwn),
  };
}

interface DeliveryOptions extends Pick<CompositionInput, 'fluxNamespace' | 'isNamespaceChosen'> {
  readonly namespace: string;
}

function deliveryOf({ profile }: ReadDocuments, options: DeliveryOptions): Delivery {
  const { namespace: own, fluxNamespace, isNamespaceChosen = false } = options;
  const { gitopsEngine: engine = 'fluxcd', fluxNamespace: ofProfile, argocdNamespace } = profile?.spec ?? {};
  const namespace = engine === 'argocd' ? (argocdNamespace ?? 'argocd') : (fluxNamespace ?? ofProfile ?? own);
  const isShared = isNamespaceChosen && namespace !== own;
  return { engine, namespace, nameOf: (component) => (isShared ? joinNames(own, component) : component) };
}

/** The objects of an application by origin: components, then traits, then network policies. */
interface Parts {
  readonly ofComponents: readonly ComposedObject[];
  readonly ofTraits: readonly ComposedObject[];
  readonly ofNetwork: readonly ComposedObject[];
  readonly ofKustomizations: readonly KustomizationPart[];
  /** Annotations that components request for all their objects, by index. */
  readonly annotations: readonly ComponentResult['annotations'][];
}

function renderParts(composing: Composing, givenTiers: ReadonlyMap<string, Tier>): Parts {
  const { document, sharing } = composing;
  const { components } = document.spec;
  const positionOf = (name: string): number => components.findIndex((component) => component.name === name);
  const tierAt = components.map((component, index) => tierOf(component, index, { composing, given: givenTiers }));
  const results = components.map((component, index) => {
    composing.onPart(index);
    return renderComponent(component, index, composing);
  });
  const services = new Map(results.flatMap((result) => servicesOf(result ?? {})).map((one) => [one.name, one]));
  const decorated: (readonly KubeObject[])[] = results.map((result) => result?.objects ?? []);
  const inspections: Inspect[][] = results.map(() => []);
  const ofTraits: ComposedObject[] = [];
  const traffic: RoutedTraffic[] = [];
  const ofKustomizations: KustomizationPart[] = [];
  const isPolicyInForce = isInForce(composing.rules.layers);
  for (const [index, component] of components.entries()) {
    composing.onPart(index);
    for (const [position, trait] of component.traits.entries()) {
      const path = ['spec', 'components', index, 'traits', position];
      const maker = `trait ${quote(trait.type)} of component ${quote(component.name)}`;
      for (const rendering of renderTrait({ trait, path, component, made: results[index], services }, composing)) {
        const { objects = [], decorate, inspect, inspectOwn, routes = [], kustomization, handler, report } = rendering;
        const made = { maker, handler, type: trait.type, path, components: [index], tier: tierAt[index]! };
        const own = inspectOwn === undefined ? undefined : [pointAt(inspectOwn, path, composing)];
        for (const object of objects) ofTraits.push({ object, ...made, inspections: own });
        decorated[index] = decorate?.(decorated[index]!) ?? decorated[index]!;
        if (inspect !== undefined) inspections[index]!.push(pointAt(inspect, path, composing));
        if (kustomization !== undefined) {
          const location = composing.application.locate([...path, 'type']);
          ofKustomizations.push({ ...kustomization, trait: trait.type, location, isPolicyInForce });
        }
        for (const route of routes) {
          traffic.push({ route, router: index, report: (diagnostic) => report(diagnostic, route.path) });
        }
      }
    }
  }
  const { podSecurity, networkPolicies } = composing.platform;
  if (podSecurity !== undefined) {
    for (const [index, component] of components.entries()) {
      const isOfKurel = composing.catalog.components.get(component.type)?.provides?.includes('podTemplate') === true;
      // The trait is the choice of the author.
      if (!isOfKurel || component.traits.some(({ type }) => type === 'security-context')) continue;
      decorated[index] = changePods(decorated[index]!, (spec) => fillPod(spec, podSecurity));
    }
  }
  composing.onPart(undefined);
  const { rendering } = composing.capabilities.byKey.get('networkpolicy') ?? {};
  const operatorNamespace = textAt(rendering, 'operatorNamespace');
  const owners = ownersOf(results, components);
  return {
    ofComponents: decorated.flatMap((objects, index) => {
      const { name, type } = components[index]!;
      const path = ['spec', 'components', index];
      const made = {
        maker: `component ${quote(name)}`,
        handler: type,
        path,
        components: [...new Set([index, ...sharing.makersFor(name).map(positionOf)])],
        inspections: inspections[index]!,
      };
      const users = sharing.usersOf(name).map((user) => tierAt[positionOf(user)]);
      const earliest = tiers.find((tier) => users.includes(tier)) ?? tierAt[index]!;
      const { objects: originals = [], places, scopes } = results[index] ?? {};
      return objects.map((object, position) => {
        // A trait that changes objects returns the same number in the same order.
        const original = objects.length === originals.length ? originals[position]! : object;
        return {
          object,
          maker: made.maker,
          handler: made.handler,
          type,
          path: made.path,
          components: made.components,
          // A source must exist before the objects that use it.
          tier: isSource(object) ? earliest : tierAt[index]!,
          locate: places?.get(original),
          written: places?.has(original) === true ? original : undefined,
          scope: scopes?.get(original),
          inspections: made.inspections,
        };
      });
    }),
    ofTraits,
    ofKustomizations,
    annotations: results.map((result) => result?.annotations),
    ofNetwork: [
      ...createNetworkPolicies(traffic, owners, operatorNamespace).map(({ object, component, service, routers }) => ({
        object,
        maker:
          service === undefined
            ? `traffic to component ${quote(components[component]!.name)}`
            : `traffic to Service ${quote(service)}`,
        handler: 'networkpolicy',
        type: 'networkpolicy',
        path: ['spec', 'components', routers[0]!],
        components: [...new Set([component, ...routers])].toSorted((a, b) => a - b),
        tier: tierAt[component]!,
      })),
      ...owners.flatMap((owner, index) => {
        const path = ['spec', 'components', index];
        const hasPolicy = components[index]!.traits.some(({ type }) => /^(?:cilium-)?networkpolicy$/.test(type));
        const options = { ...networkPolicies, hasPolicy, operatorNamespace, objects: decorated[index]! };
        const report: Report = (diagnostic) =>
          composing.report({ ...diagnostic, location: composing.application.locate([...path, 'name']) });
        return createDefaultDeny(owner, { ...options, report }).map((object) => ({
          object,
          maker: `default-deny policy of component ${quote(owner.name)}`,
          handler: 'networkpolicy',
          type: 'networkpolicy',
          path,
          components: [index],
          tier: tierAt[index]!,
        }));
      }),
    ],
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

function ownersOf(
  results: readonly (ComponentResult | undefined)[],
  components: ApplicationDocument['spec']['components'],
): readonly TraitOwner[] {
  return results.map((result, index) => ({ ...result, name: components[index]!.name }));
}

/** Foundations first; then, per tier, components, traits and network policies. */
function putInOrder({ ofComponents, ofTraits, ofNetwork }: Parts): readonly ComposedObject[] {
  const inOrder = tiers.flatMap((tier) =>
    [ofComponents, ofTraits, ofNetwork].flatMap((made) => made.filter((one) => one.tier === tier)),
  );
  const first = inOrder.filter(({ object }) => isFoundation(object));
  return first.length === 0 ? inOrder : [...first, ...inOrder.filter(({ object }) => !isFoundation(object))];
}

type Annotations = Readonly<Record<string, string>>;

/** Annotations of the application and the component, without those that only control order; merged once per component. */
function createAnnotations(
  { metadata, spec }: ApplicationDocument,
  requested: Parts['annotations'],
): (component: number | undefined) => Annotations {
  const known = new Map<number | undefined, Annotations>();
  return (component) => {
    let annotations = known.get(component);
    if (annotations === undefined) {
      const { [tierAnnotation]: _, ...own } = component === undefined ? {} : spec.components[component]!.annotations;
      const ofResult = component === undefined ? undefined : requested[component];
      annotations = { ...ofResult, ...metadata.annotations, ...own };
      known.set(component, annotations);
    }
    return annotations;
  };
}

interface Finishing {
  readonly composing: Composing;
  readonly definitions: readonly KubeObject[];
  readonly annotationsOf: (component: number | undefined) => Annotations;
}

function finish(made: ComposedObject, { composing, definitions, annotationsOf }: Finishing): ComposedObject {
  const { document, namespace, podLabels } = composing;
  const { components, scope } = made;
  const isWrittenOut = made.locate !== undefined;
  const object = isWrittenOut ? made.object : labelPods(made.object, podLabels);
  const labels = sharedLabels(document, components[0]);
  const annotations = annotationsOf(components[0]);
  return {
    ...made,
    object: finishObject(object, { namespace, scope, definitions, labels, annotations, isWrittenOut }),
  };
}

/** Checks that need all objects. */
function findInObjects(
  objects: readonly ComposedObject[],
  { rules, document, application, catalog, report }: Composing,
): readonly ObjectFinding[] {
  const findings: ObjectFinding[] = [];
  const seen = new Map<string, ComposedObject>();
  // A default name contains the scope, unless the scope only selects a capability.
  const namingKeys = ({ type }: ComposedObject): readonly string[] => {
    const { name, scope } = catalog.traits.get(type)?.properties ?? {};
    return name === undefined || name.required === true
      ? []
      : ['name', ...(scope === undefined || scope === ofCapability ? [] : ['scope'])];
  };
  const all = objects.map(({ object }) => object);
  for (const made of objects) {
    const add = (diagnostic: Diagnostic, path: Path): void => void findings.push({ made, path, diagnostic });
    const { object } = made;
    // Inline objects were checked when they were read.
    const isMade = made.locate === undefined;
    const reason = isMade ? checkObjectName(object) : undefined;
    if (reason !== undefined)
      add(composeProblems.create('object-name', { object: describeObject(object), reason }), ['metadata', 'name']);
    const identity = identityOf(object);
    const first = seen.get(identity);
    if (first === undefined) seen.set(identity, made);
    else {
      const isTrait = made.path.includes('traits');
      const keys = isTrait && first.maker === made.maker ? namingKeys(made) : [];
      const of = { first: first.maker, second: made.maker, trait: isTrait ? made.type : undefined };
      const args = { object: describeObject(object), ...of, keys };
      const place = first.locate?.(['metadata', 'name']) ?? application.locate(first.path);
      const related = [{ message: 'it is also created here', location: place }];
      const diagnostic = composeProblems.create('object-twice', args, { related });
      findings.push({ made, path: ['metadata', 'name'], diagnostic, isAboutMaker: true });
    }
    inspectObject(object, { rules, made, objects: all, report: add });
  }
  // Inline objects keep their labels.
  const created = objects.filter(({ locate }) => locate === undefined);
  for (const { path, ...args } of findTakenLabels(created, document)) {
    report(composeProblems.create('label-taken', args, { location: application.locate(path) }));
  }
  for (const finding of findOverlaps(objects)) findings.push(finding);
  const makers = new Map(objects.map((made) => [made.object, made]));
  for (const { object, path, diagnostic } of findUnknownSources(all, rules.layers)) {
    findings.push({ made: makers.get(object)!, path, diagnostic });
  }
  return findings;
}

/** Checks which traits an application may and must have, by their types as written, not as lowered. */
function checkTraits({ document, rules, application, report, onPart }: Composing): void {
  const present = new Set<string>();
  for (const [index, { traits }] of document.spec.components.entries()) {
    onPart(index);
    for (const [position, { type }] of traits.entries()) {
      present.add(type);
      const refusal = findTraitRefusal(type, rules.layers);
      if (refusal !== undefined)
        reportFinding(type, refusal, ['spec', 'components', index, 'traits', position, 'type']);
    }
  }
  onPart(undefined);
  const reported = new Set<string>();
  for (const layer of rules.layers) {
    for (const [index, type] of (layer.capabilities.required ?? []).entries()) {
      if (present.has(type) || reported.has(type)) continue;
      reported.add(type);
      reportFinding(type, { layer, rule: 'required', index }, ['metadata', 'name']);
    }
  }

  function reportFinding(trait: string, { layer, rule, index }: TraitRefusal, path: Path): void {
    const rulePath = ['capabilities', rule, ...(index === undefined ? [] : [index])];
    const place = layer.locate(rulePath);
    const related = place === undefined ? [] : [{ message: 'the rule is here', location: place }];
    const { allowed } = layer.capabilities;
    const args = {
      trait,
      application: document.metadata.name,
      rule,
      allowed: rule === 'allowed' ? allowed : undefined,
    };
    report(policyProblems.create('policy-trait', args, { location: application.locate(path), related }));
  }
}
