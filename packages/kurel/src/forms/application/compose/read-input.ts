import { mappingAt, textAt } from '../../../kube/index.ts';
import { isJsonObject, valueAt } from '../../../model/index.ts';
import type { Json, JsonObject, Report } from '../../../model/index.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type {
  ApplicationDocument,
  CapabilityDefinition,
  ClusterProfile,
  Fields,
  LocatedData,
  Policy,
} from '../../../documents/index.ts';
import {
  applicationTables,
  itemsAt,
  readApplicationDocument,
  readCapabilityDefinition,
  readClusterProfile,
  readPolicy,
} from '../../../documents/index.ts';
import type { CompositionInput } from './composition.ts';
import { composeProblems } from './problems.ts';
import { noCapabilities, readCapabilities } from './read-capabilities.ts';
import type { Capabilities } from './read-capabilities.ts';

export interface InputDocuments {
  readonly document: ApplicationDocument;
  readonly profile: ClusterProfile | undefined;
  readonly capabilities: Capabilities;
  /** Traits with a CapabilityDefinition. */
  readonly defined: ReadonlySet<string>;
  readonly policy: { readonly document: Policy; readonly source: LocatedData } | undefined;
  /** One of the documents has errors, so the result is only good for checking properties. */
  readonly isDamaged: boolean;
}

/** All documents of a build; `undefined` if they are unusable. Reports all problems. */
export function readInput(input: CompositionInput): InputDocuments | undefined {
  const { application, profile: source, policy: policySource, catalog, isAllOff } = input;
  let isPlatformValid = true;
  const report: Report = (diagnostic) => {
    isPlatformValid &&= diagnostic.severity !== 'error';
    input.report(diagnostic);
  };
  const definitions = readDefinitions(input, report);
  const types = {
    components: [...catalog.components.keys()],
    traits: [...catalog.traits.keys(), ...definitions.keys()],
  };
  const { data } = application;
  const document = readApplicationDocument(data, { ...application, report: input.report, known: types, isAllOff });
  const profile = source && readClusterProfile(source.data, { ...source, report, known: types });
  const policy = policySource && readPolicy(policySource.data, { ...policySource, report, known: types });
  const capabilities =
    source === undefined || profile === undefined
      ? noCapabilities
      : readCapabilities({ profile, source, catalog, definitions, report });
  const isWell = document !== undefined && isPlatformValid;
  if (!isWell && input.isDraft === true) return undefined;
  return {
    document: isWell ? document : salvageDocument(data, { catalog, isPlatformValid }),
    profile,
    capabilities,
    defined: new Set(definitions.keys()),
    policy: policy && { document: policy, source: policySource },
    isDamaged: !isWell,
  };
}

function readDefinitions(
  { definitions = [], catalog }: CompositionInput,
  report: Report,
): ReadonlyMap<string, CapabilityDefinition> {
  const byName = new Map<string, CapabilityDefinition>();
  const sources = new Map<string, LocatedData>();
  for (const source of definitions) {
    const definition = readCapabilityDefinition(source.data, { ...source, report });
    if (definition === undefined) continue;
    const trait = definition.metadata.name;
    const location = source.locate(['metadata', 'name']);
    const first = sources.get(trait);
    if (first !== undefined && !isSameSpec(first, source)) {
      const related = [{ message: 'the other definition is here', location: first.locate(['metadata', 'name']) }];
      report(composeProblems.create('definition-twice', { trait }, { location, related }));
    }
    const isBuiltIn = catalog.isBuiltIn(trait);
    if (isBuiltIn || !catalog.traits.has(trait)) {
      report(composeProblems.create('definition-unused', { trait, isBuiltIn }, { location }));
    }
    if (first !== undefined) continue;
    byName.set(trait, definition);
    sources.set(trait, source);
  }
  return byName;
}

function isSameSpec(a: LocatedData, b: LocatedData): boolean {
  const specOf = ({ data }: LocatedData): string => JSON.stringify(isJsonObject(data) ? (data['spec'] ?? {}) : {});
  return specOf(a) === specOf(b);
}

interface SalvageOptions {
  readonly catalog: Catalog;
  /** Without a valid profile, the properties it would add to traits are unknown. */
  readonly isPlatformValid: boolean;
}

const { components, policies } = applicationTables.spec.properties;
const { properties: component } = components.items;
const { properties: trait } = component.traits.items;
const { properties: policy } = policies.items;

/**
 * The parts of a faulty application whose properties can still be checked: components, traits and policies, each at its
 * original index. This way mistakes in the structure and in properties are reported together.
 */
function salvageDocument(data: Json, { catalog, isPlatformValid }: SalvageOptions): ApplicationDocument {
  return {
    metadata: { name: textAt(valueAt(data, ['metadata']), 'name') ?? '', labels: {}, annotations: {} },
    spec: {
      components: itemsAt(data, ['spec', 'components']).map((item) => {
        const { name, type, properties } = salvagePart(item, component, catalog.components);
        const traits = (isPlatformValid ? itemsAt(item, ['traits']) : []).map((entry) => {
          const part = salvagePart(entry, trait, catalog.traits);
          return { type: part.type, properties: part.properties, enabled: true };
        });
        const handled = name === '' ? '' : type;
        return { name, type: handled, properties, labels: {}, annotations: {}, enabled: true, traits };
      }),
      policies: itemsAt(data, ['spec', 'policies']).map((item) => salvagePart(item, policy, catalog.policies)),
    },
  };
}

interface Part {
  readonly name: string;
  /** Empty for a type without a handler, so that nothing else is reported about the part. */
  readonly type: string;
  readonly properties: JsonObject;
}

/** Missing properties may be present under a misspelled key, so they do not count as missing. */
function salvagePart(item: Json, fields: Fields, handlers: ReadonlyMap<string, unknown>): Part {
  const part = isJsonObject(item) ? item : {};
  const properties = mappingAt(part, 'properties');
  const type = textAt(part, 'type') ?? '';
  const isWhole = properties !== undefined || Object.keys(part).every((key) => Object.hasOwn(fields, key));
  return {
    name: textAt(part, 'name') ?? '',
    type: isWhole && handlers.has(type) ? type : '',
    properties: properties ?? {},
  };
}
