import type { JsonObject, Path } from '../../../model/index.ts';
import { isHostAllowed, isSourceAllowed, sourcesAllowedBy } from '../../../validate/index.ts';
import { compileComponent } from '../catalog/compile-handler.ts';
import { tiers } from '../catalog/define.ts';
import type { ComponentDefinition, ComponentResult, Tier } from '../catalog/define.ts';
import type { ApplicationDocument } from '../../../documents/index.ts';
import { keyOfRequest } from '../sources/source-request.ts';
import type { LoadedSource, SourceRequest } from '../sources/source-request.ts';
import type { Composing } from './composition.ts';
import { tierAnnotation } from './finish-object.ts';
import { composeProblems } from './problems.ts';
import { readProperties } from './read-properties.ts';

export type AuthoredComponent = ApplicationDocument['spec']['components'][number];

/** `undefined` if its properties have errors. */
export function renderComponent(
  component: AuthoredComponent,
  index: number,
  composing: Composing,
): ComponentResult | undefined {
  const { application, catalog, rules, report, document, namespace } = composing;
  const handler = catalog.components.get(component.type);
  // An unknown type was already reported.
  if (handler === undefined) return undefined;
  const path = ['spec', 'components', index];
  const authored = takeUnsupported(handler);
  const {
    properties,
    report: reportFinding,
    locate,
  } = readProperties(
    {
      handler: compileComponent(handler),
      path: [...path, 'properties'],
      authored,
      policyDefaults: rules.defaults,
    },
    composing,
  );
  if (properties === undefined) return undefined;
  const { name } = component;
  return handler.render({
    application: document.metadata.name,
    name,
    namespace,
    properties,
    authored,
    policy: rules,
    annotations: { ...document.metadata.annotations, ...component.annotations },
    delivery: composing.delivery,
    traitsOf: (type) => component.traits.flatMap((trait) => (trait.type === type ? [trait.properties] : [])),
    load: loadSource,
    checkUrl,
    share: (key, interval) => composing.sharing.share(key, { component: name, interval }),
    locate,
    locateText: (text, place) => composing.locateText?.(text, locate(place)) ?? (() => locate(place)),
    report: reportFinding,
    reportPlaced: report,
    memory: composing.memory,
    reportName: (diagnostic) => report({ ...diagnostic, location: application.locate([...path, 'name']) }),
  });

  /** The properties without the unsupported ones, which are reported. */
  function takeUnsupported({ type, unsupported = {} }: ComponentDefinition): JsonObject {
    const refused = Object.keys(unsupported).filter((key) => Object.hasOwn(component.properties, key));
    for (const key of refused) {
      const location = { ...application.locate([...path, 'properties', key]), at: 'key' as const };
      report(composeProblems.create('property-unsupported', { type, key, instead: unsupported[key]! }, { location }));
    }
    if (refused.length === 0) return component.properties;
    return Object.fromEntries(Object.entries(component.properties).filter(([key]) => !refused.includes(key)));
  }

  /** Returns a source if it is loaded and requests it otherwise, but only if the policies allow it. */
  function loadSource(request: SourceRequest, property: Path): LoadedSource | undefined {
    const isAllowed = request.kind === 'file' || checkUrl(request.url, property);
    // A draft uses what is already loaded, but never requests anything that a policy forbids.
    if (!isAllowed && composing.isDraft !== true) return undefined;
    const loaded = composing.sources?.get(keyOfRequest(request));
    const hosts = rules.layers.flatMap((layer) => sourcesAllowedBy(layer) ?? []);
    const allowHost = (host: string): boolean => hosts.every(({ allowed }) => isHostAllowed(host, allowed));
    const isListedHost = (host: string): boolean => hosts.length > 0 && allowHost(host);
    if (loaded === undefined && isAllowed) {
      composing.onRequest?.({ request, location: locate(property), allowHost, isListedHost });
    }
    return loaded;
  }

  /** Whether every policy allows a URL; reports those that do not. */
  function checkUrl(url: string, property: Path): boolean {
    return isSourceAllowed(url, rules.layers, (allowed, { layer, path: rule }) => {
      const place = layer.locate(rule);
      const related = place === undefined ? {} : { related: [{ message: 'the rule is here', location: place }] };
      reportFinding(composeProblems.create('policy-source', { url, allowed }, related), property);
    });
  }
}

interface TierOptions {
  readonly composing: Composing;
  readonly tiersOfPolicies: ReadonlyMap<string, Tier>;
}

/** A policy takes precedence over the annotation, and the annotation over the default of the type. */
export function tierOf(
  { name, type, annotations }: AuthoredComponent,
  index: number,
  { composing, tiersOfPolicies }: TierOptions,
): Tier {
  const { application, catalog, report } = composing;
  const written = annotations[tierAnnotation];
  const tier = tiers.find((word) => word === written);
  if (written !== undefined && tier === undefined) {
    const location = application.locate(['spec', 'components', index, 'annotations', tierAnnotation]);
    report(composeProblems.create('tier-unknown', { tier: written, component: name, tiers }, { location }));
  }
  return tiersOfPolicies.get(name) ?? tier ?? catalog.components.get(type)?.tier ?? 'apps';
}
