import { textAt } from '../../../kube/index.ts';
import { isJsonObject } from '../../../model/index.ts';
import type { Json, JsonObject, Path } from '../../../model/index.ts';
import { compileHandler } from '../catalog/compile-handler.ts';
import type {
  ComponentResult,
  ComponentService,
  ReportAt,
  TraitDefinition,
  TraitInput,
  TraitResult,
} from '../catalog/define.ts';
import type { Fields } from '../../../documents/index.ts';
import type { Composing } from './composition.ts';
import { podOf } from '../pods/change-pods.ts';
import { composeProblems } from './problems.ts';
import type { PlatformCapability } from './read-capabilities.ts';
import { readProperties } from './read-properties.ts';
import type { AuthoredComponent } from './render-component.ts';

type AuthoredTrait = AuthoredComponent['traits'][number];

/** A trait and the result of its component. */
interface Placed {
  readonly trait: AuthoredTrait;
  /** Path of the trait in the application. */
  readonly path: Path;
  readonly component: AuthoredComponent;
  /** `undefined` if the component failed: then only the properties of the trait are checked. */
  readonly result: ComponentResult | undefined;
  /** Services of the application, by name. */
  readonly services: ReadonlyMap<string, ComponentService>;
}

/** The result of a trait. */
interface TraitRendering extends TraitResult {
  /** Paths are relative to the properties of the trait. */
  readonly report: ReportAt;
}

/** `undefined` after an error. */
export function renderTrait(placed: Placed, composing: Composing): TraitRendering | undefined {
  const { trait, path, component, result } = placed;
  const { catalog, application, report } = composing;
  // An unknown type was already reported.
  if (trait.type === '') return undefined;
  const of = { component: component.name, trait: trait.type };
  const handler = catalog.traits.get(trait.type);
  if (handler === undefined) {
    const place = { location: application.locate([...path, 'type']) };
    report(composeProblems.create('trait-without-handler', of, place));
    return undefined;
  }
  const isFit = checkFit(handler, placed, composing);
  const authored = takeReserved(handler.properties, placed, composing);
  const capability = findCapability(handler, placed, composing);
  if (capability === 'missing') return undefined;
  const sources = {
    handler: compileHandler(handler),
    path: [...path, 'properties'],
    authored,
    platform: capability,
    policyDefaults: composing.rules.defaults,
  };
  const read = readProperties(sources, composing);
  if (read.properties === undefined || result === undefined || !isFit) return undefined;
  const { properties, report: reportFinding } = read;
  const input = createInput({ authored, properties, report: reportFinding }, placed, composing);
  return { ...handler.render(input), report: reportFinding };
}

const always = (): number => Infinity;

type ReadInput = Pick<TraitInput<JsonObject>, 'authored' | 'properties' | 'report'>;

function createInput(read: ReadInput, placed: Placed, composing: Composing): TraitInput<JsonObject> {
  const { component, services, result } = placed;
  const { annotations, traits } = component;
  const { document, namespace, delivery, kubernetesMinor = always } = composing;
  return {
    application: document.metadata.name,
    namespace,
    properties: read.properties,
    authored: read.authored,
    report: read.report,
    component: { ...result, name: component.name },
    delivery,
    kubernetesMinor,
    serviceOf: (name: string): ComponentService | undefined => services.get(name),
    annotations: { ...document.metadata.annotations, ...annotations },
    namesOf: (type: string): readonly string[] =>
      document.spec.components
        .flatMap((other) => other.traits)
        .flatMap((trait) => (trait.type === type ? (textAt(trait.properties, 'name') ?? []) : [])),
    siblingsOf: (type: string): readonly JsonObject[] =>
      traits.flatMap((trait) => (trait.type === type ? [trait.properties] : [])),
  };
}

const lacks = {
  pods: 'no pods of its own',
  podTemplate: 'no pod template',
  scales: 'no replicas that an autoscaler can change',
  serviceAccount: 'no ServiceAccount',
};

function checkFit(
  { needs = [] }: TraitDefinition,
  { trait, path, component, result }: Placed,
  composing: Composing,
): boolean {
  if (result === undefined) return true;
  const lacking = needs.find((need) =>
    need === 'podTemplate' ? result.objects.every((object) => podOf(object) === undefined) : result[need] === undefined,
  );
  if (lacking === undefined) return true;
  const { catalog, application, report } = composing;
  const types = [...catalog.components.values()].flatMap(({ type, provides = [] }) =>
    provides.includes(lacking) ? [type] : [],
  );
  const args = { trait: trait.type, component: component.name, type: component.type, what: lacks[lacking], types };
  report(composeProblems.create('trait-unfit', args, { location: application.locate([...path, 'type']) }));
  return false;
}

/** The properties the author may set; reserved ones are reported and dropped. */
function takeReserved(
  table: Fields,
  { trait, path, component }: Placed,
  { application, report }: Composing,
): JsonObject {
  return walk(table, trait.properties, [...path, 'properties']);

  function walk(fields: Fields, authored: JsonObject, place: Path): JsonObject {
    let kept: Record<string, Json> | undefined;
    for (const key of Object.keys(authored)) {
      const value = authored[key]!;
      const field = Object.hasOwn(fields, key) ? fields[key]! : undefined;
      if (field?.reserved === true) {
        const args = { key, trait: trait.type, component: component.name };
        const location = { ...application.locate([...place, key]), at: 'key' as const };
        report(composeProblems.create('property-reserved', args, { location }));
        kept = Object.fromEntries(Object.entries(kept ?? authored).filter(([name]) => name !== key));
      } else if (field?.properties !== undefined && isJsonObject(value)) {
        const rest = walk(field.properties, value, [...place, key]);
        if (rest !== value) kept = { ...(kept ?? authored), [key]: rest };
      }
    }
    return kept ?? authored;
  }
}

function findCapability(
  { type, capability }: TraitDefinition,
  { trait, path, component }: Placed,
  composing: Composing,
): PlatformCapability | undefined | 'missing' {
  const { capabilities, application, report } = composing;
  const { scope } = trait.properties;
  const of = { component: component.name, trait: type };
  const scopes = capabilities.scopesOf(type);
  const bare = capabilities.byKey.get(type);
  if (typeof scope === 'string' && scope !== '' && (bare !== undefined || scopes.length > 0)) {
    const scoped = capabilities.byKey.get(`${type}.${scope}`);
    if (scoped !== undefined) return scoped;
    const location = application.locate([...path, 'properties', 'scope']);
    const args = { ...of, scope, scopes, hasBare: bare !== undefined };
    report(composeProblems.create('capability-scope', args, { location }));
    return 'missing';
  }
  if (bare !== undefined || capability?.isNeeded(trait.properties) !== true) return bare;
  // A scope of the wrong type is reported when the properties are read.
  if (scope !== undefined && scope !== null && typeof scope !== 'string') return undefined;
  const location = application.locate([...path, 'type']);
  const args = { ...of, profile: capabilities.profile, scopes, example: capability.example };
  report(composeProblems.create('capability-missing', args, { location }));
  return 'missing';
}
