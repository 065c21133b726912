import { podSecurityLevels } from '../../../kube/index.ts';
import { isJsonObject } from '../../../model/index.ts';
import type { Json, JsonObject, Location, Path } from '../../../model/index.ts';
import { combinePolicies, noPolicy, policyProblems } from '../../../validate/index.ts';
import type { RuleLayer, Rules } from '../../../validate/index.ts';
import { compileHandler } from '../catalog/compile-handler.ts';
import { tiers } from '../catalog/define.ts';
import type { Tier } from '../catalog/define.ts';
import { holds, locateNearest, readPolicyRules } from '../../../documents/index.ts';
import type { LocatedData, Policy } from '../../../documents/index.ts';
import type { Composing } from './composition.ts';
import { composeProblems } from './problems.ts';
import { readProperties } from './read-properties.ts';

interface RulesInput extends Pick<
  Composing,
  'document' | 'application' | 'namespace' | 'catalog' | 'defined' | 'report'
> {
  readonly policy: { readonly document: Policy; readonly source: LocatedData } | undefined;
}

export interface ApplicationRules {
  readonly rules: Rules;
  /** Tiers that policies assign to components, by component name. */
  readonly tiers: ReadonlyMap<string, Tier>;
}

/** The policy of the platform, tightened by the policies of the application. */
export function readRules(input: RulesInput): ApplicationRules {
  const { document, application, policy, namespace, catalog, defined, report } = input;
  const platform = policy === undefined ? noPolicy : platformRules(policy);
  const own: RuleLayer[] = [];
  const tierOf = new Map<string, Tier>();
  const types = { components: [...catalog.components.keys()], traits: [...catalog.traits.keys(), ...defined] };
  for (const [index, { name, type, properties: authored }] of document.spec.policies.entries()) {
    const path = ['spec', 'policies', index, 'properties'];
    const handler = catalog.policies.get(type);
    if (handler === undefined) {
      const location = application.locate(['spec', 'policies', index, 'type']);
      const args = { type, name, known: [...catalog.policies.keys()] };
      report(composeProblems.create('policy-type-unknown', args, { location }));
      continue;
    }
    const sources = { handler: compileHandler(handler), path, authored, policyDefaults: {} };
    const { properties, report: reportFinding } = readProperties(sources, { application, report });
    if (properties === undefined) continue;
    const result = handler.apply({ application: document.metadata.name, namespace, properties, report: reportFinding });
    for (const layer of result.rules === undefined ? [] : readOwnRules(result.rules, { name, path })) own.push(layer);
    for (const [component, tier] of Object.entries(result.tiers ?? {})) giveTier(component, tier, { name, path });
  }
  return { rules: combinePolicies(platform, own), tiers: tierOf };

  function readOwnRules(written: JsonObject, { name, path }: Entry): readonly RuleLayer[] {
    const { referencesAt } = application;
    const locate = (whole: Path): Location => locateNearest(application, whole);
    const rules = readPolicyRules(written, { path, locate, referencesAt, report, known: types });
    if (rules === undefined) return [];
    const locateRule = (rule: Path): Location | undefined =>
      holds(written, rule) ? locate([...path, ...rule]) : undefined;
    for (const [key, value] of Object.entries(rules.security)) {
      if (value !== true || platform.security[key as keyof RuleLayer['security']] !== false) continue;
      const place = { location: locate([...path, 'security', key]) };
      report(policyProblems.create('policy-cannot-allow', { rule: `security.${key}`, policy: name }, place));
    }
    const level = { own: rules.security.level, platform: platform.security.level };
    if (level.own !== undefined && isStricter(level.platform, level.own)) {
      const place = { location: locate([...path, 'security', 'level']) };
      report(policyProblems.create('policy-cannot-allow', { rule: 'security.level', policy: name }, place));
    }
    for (const [key, value] of Object.entries(rules.defaults)) {
      const outranking = platform.defaults[key as keyof RuleLayer['defaults']];
      if (outranking === undefined || outranking === value) continue;
      const ofPlatform = platform.locate(['defaults', key]);
      const related =
        ofPlatform === undefined ? [] : [{ message: 'the platform policy is here', location: ofPlatform }];
      const place = { location: locate([...path, 'defaults', key]), related };
      const args = { rule: `defaults.${key}`, policy: name, outranking: `${outranking}` };
      report(policyProblems.create('policy-default-outranked', args, place));
    }
    return [{ ...rules, of: 'application', locate: locateRule }];
  }

  function giveTier(component: string, tier: Tier, { name, path }: Entry): void {
    const names = document.spec.components.map((entry) => entry.name);
    const location = locateNearest(application, path);
    if (!names.includes(component)) {
      report(composeProblems.create('tier-of-nothing', { component, policy: name, known: names }, { location }));
    } else if (!tiers.includes(tier)) {
      report(composeProblems.create('tier-unknown', { tier, component, tiers }, { location }));
    } else tierOf.set(component, tier);
  }
}

type Level = RuleLayer['security']['level'];

function isStricter(level: Level, other: NonNullable<Level>): boolean {
  return level !== undefined && podSecurityLevels.indexOf(level) > podSecurityLevels.indexOf(other);
}

/** A policy of the application and the location of its properties. */
interface Entry {
  readonly name: string;
  readonly path: Path;
}

/** The rules of a Policy document. */
export function platformRules({ document, source }: NonNullable<RulesInput['policy']>): RuleLayer {
  const written: Json | undefined = isJsonObject(source.data) ? source.data['spec'] : undefined;
  const locate: RuleLayer['locate'] = (path) => (holds(written, path) ? source.locate(['spec', ...path]) : undefined);
  return { ...document.spec, of: 'platform', locate };
}
