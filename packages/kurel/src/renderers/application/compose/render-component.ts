import type { Report } from '../../../model/index.ts';
import { tiers } from '../catalog/define.ts';
import type { ComponentResult, Tier } from '../catalog/define.ts';
import type { ApplicationDocument } from '../documents/read-application-document.ts';
import type { Composing } from './composition.ts';
import { checkUrl, loadSource } from './load-source.ts';
import { composeProblems } from './problems.ts';
import { readProperties } from './read-properties.ts';

export type AuthoredComponent = ApplicationDocument['spec']['components'][number];

export const tierAnnotation = 'launcher.gokure.dev/tier';

/** `undefined` when something is wrong with its properties. */
export function renderComponent(
  component: AuthoredComponent,
  index: number,
  composing: Composing,
): ComponentResult | undefined {
  const { application, catalog, rules, report, checkKubernetes, document, namespace } = composing;
  const handler = catalog.components.get(component.type)!;
  const {
    properties,
    report: tell,
    locate,
  } = readProperties({
    table: handler.properties,
    author: application,
    path: ['spec', 'components', index, 'properties'],
    authored: component.properties,
    policyDefaults: rules.defaults,
    report,
    checkKubernetes,
  });
  if (properties === undefined) return undefined;
  const { name } = component;
  return handler.render({
    application: document.metadata.name,
    name,
    namespace,
    properties,
    policy: rules,
    delivery: composing.delivery,
    load: (request, path) => loadSource(request, { path, tell, location: locate(path), composing }),
    checkUrl: (url, path) => checkUrl(url, { path, tell, composing }),
    share: (key, interval) => composing.sharing.share(key, { component: name, interval }),
    locate,
    locateText: (text, path) => composing.locateText?.(text, locate(path)) ?? (() => locate(path)),
    report: tell,
    reportPlaced: report,
    reportName: (diagnostic) =>
      report({ ...diagnostic, location: application.locate(['spec', 'components', index, 'name']) }),
  });
}

interface TierOptions {
  readonly composing: Composing;
  readonly given: ReadonlyMap<string, Tier>;
}

/** A policy outranks the annotation, which outranks what is usual for the type. */
export function tierOf(component: AuthoredComponent, index: number, { composing, given }: TierOptions): Tier {
  const { application, catalog, report } = composing;
  const written = component.annotations[tierAnnotation];
  const tier = tiers.find((one) => one === written);
  if (written !== undefined && tier === undefined) reportTier(written, component.name, report);
  return given.get(component.name) ?? tier ?? catalog.components.get(component.type)?.tier ?? 'apps';

  function reportTier(text: string, name: string, tell: Report): void {
    const location = application.locate(['spec', 'components', index, 'annotations', tierAnnotation]);
    tell(composeProblems.create('tier-unknown', { tier: text, component: name, tiers }, { location }));
  }
}
