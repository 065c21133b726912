import { isJsonObject } from '../../../model/index.ts';
import type { Report } from '../../../model/index.ts';
import { readApplicationDocument } from '../documents/read-application-document.ts';
import type { ApplicationDocument } from '../documents/read-application-document.ts';
import { readCapabilityDefinition } from '../documents/read-capability-definition.ts';
import type { CapabilityDefinition } from '../documents/read-capability-definition.ts';
import { readClusterProfile } from '../documents/read-cluster-profile.ts';
import type { ClusterProfile } from '../documents/read-cluster-profile.ts';
import { readPolicy } from '../documents/read-policy.ts';
import type { Policy } from '../documents/read-policy.ts';
import type { CompositionInput } from './composition.ts';
import type { LocatedData } from './located-data.ts';
import { composeProblems } from './problems.ts';
import { noCapabilities, readCapabilities } from './read-capabilities.ts';
import type { Capabilities } from './read-capabilities.ts';
import { salvageDocument } from './salvage-document.ts';

export interface ReadDocuments {
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
export function readDocuments(input: CompositionInput): ReadDocuments | undefined {
  const { application, profile, policy, catalog, writtenAt } = input;
  let isPlatformValid = true;
  const report: Report = (diagnostic) => {
    isPlatformValid &&= diagnostic.severity !== 'error';
    input.report(diagnostic);
  };
  const definitions = readDefinitions(input, report);
  const traits = [...catalog.traits.keys(), ...definitions.keys()];
  const known = { components: catalog.components.keys(), traits };
  const { locate, referencesAt, isMixedAt } = application;
  const document = readApplicationDocument(application.data, {
    locate,
    referencesAt,
    isMixedAt,
    writtenAt,
    report: input.report,
    known,
    isAllOff: input.isAllOff,
  });
  const profileDocument =
    profile === undefined
      ? undefined
      : readClusterProfile(profile.data, { locate: profile.locate, writtenAt, report, known: { traits } });
  const policyDocument =
    policy === undefined
      ? undefined
      : readPolicy(policy.data, { locate: policy.locate, writtenAt, report, known: { traits } });
  const capabilities =
    profile === undefined || profileDocument === undefined
      ? noCapabilities
      : readCapabilities({ profile: profileDocument, source: profile, catalog, definitions, writtenAt, report });
  const isWell = document !== undefined && isPlatformValid;
  if (!isWell && input.isDraft === true) return undefined;
  const source =
    policy !== undefined && policyDocument !== undefined ? { document: policyDocument, source: policy } : undefined;
  return {
    document: isWell ? document : salvageDocument(application.data, { catalog, isPlatformValid }),
    profile: profileDocument,
    capabilities,
    defined: new Set(definitions.keys()),
    policy: source,
    isDamaged: !isWell,
  };
}

function readDefinitions(
  { definitions = [], catalog, writtenAt }: CompositionInput,
  report: Report,
): ReadonlyMap<string, CapabilityDefinition> {
  const byName = new Map<string, { readonly definition: CapabilityDefinition; readonly source: LocatedData }>();
  for (const source of definitions) {
    const definition = readCapabilityDefinition(source.data, { locate: source.locate, writtenAt, report });
    if (definition === undefined) continue;
    const trait = definition.metadata.name;
    const location = source.locate(['metadata', 'name']);
    const first = byName.get(trait);
    if (first !== undefined && !isSameSpec(first.source, source)) {
      const related = [
        { message: 'the other definition is here', location: first.source.locate(['metadata', 'name']) },
      ];
      report(composeProblems.create('definition-twice', { trait }, { location, related }));
    }
    const isBuiltIn = catalog.isBuiltIn(trait);
    if (isBuiltIn || !catalog.traits.has(trait)) {
      report(composeProblems.create('definition-unused', { trait, isBuiltIn }, { location }));
    }
    if (first === undefined) byName.set(trait, { definition, source });
  }
  return new Map(Array.from(byName, ([name, { definition }]) => [name, definition]));
}

function isSameSpec(a: LocatedData, b: LocatedData): boolean {
  const specOf = ({ data }: LocatedData): string => JSON.stringify(isJsonObject(data) ? (data['spec'] ?? {}) : {});
  return specOf(a) === specOf(b);
}
