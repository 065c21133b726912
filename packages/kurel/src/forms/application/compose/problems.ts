import {
  defineProblems,
  didYouMean,
  listNames,
  nearest,
  quote,
  sentence,
  setting,
  suggestName,
} from '../../../diagnostics/index.ts';

interface Of {
  readonly component: string;
  readonly trait: string;
}

interface Twice {
  readonly object: string;
  readonly first: string;
  readonly second: string;
  /** The type of the second, if it is a trait. */
  readonly trait: string | undefined;
  /** Properties that determine the name of the trait's object. */
  readonly keys: readonly string[];
}

/** Findings about an application and the platform it is built for. */
export const composeProblems = defineProblems(() => ({
  'capability-missing': {
    summary: 'A trait requires a capability that the profile does not have.',
    message: ({ component, trait, profile }: Of & { profile: string | undefined }) =>
      `trait ${quote(trait)} of component ${quote(component)} requires capability ${quote(trait)}, ` +
      (profile === undefined ? 'but no profile was passed' : `which profile ${quote(profile)} does not have`),
    hint: ({ trait, scopes, example }: Of & { scopes: readonly string[]; example: string }) => {
      const [scope] = scopes;
      const lines = `to spec.capabilities of the profile:\n${example.replaceAll(/^/gm, '  ')}`;
      if (scope === undefined) return `add ${lines}`;
      const all = scopes.map((word) => `${trait}.${word}`).join(', ');
      return `the profile has ${all}: set scope: ${scope} in the properties, or add ${lines}`;
    },
    fix: 'Ask your platform team to add the capability to spec.capabilities of the ClusterProfile, or remove the trait. If the profile has the capability only with a scope, such as expose.internal, set scope in the trait properties. In the library, the error is an ErrMissingCapability.',
  },
  'capability-scope': {
    summary: 'A trait has a scope that the profile does not have.',
    message: ({ component, trait, scope }: Of & { scope: string }) =>
      `scope ${quote(scope)} of trait ${quote(trait)} of component ${quote(component)} does not exist in the profile`,
    hint: ({ scope, scopes, hasBare }: { scope: string; scopes: readonly string[]; hasBare: boolean }) => {
      const bare = hasBare ? ['remove "scope"'] : [];
      const named = scopes.length === 0 ? [] : [listNames(scopes)];
      return didYouMean(nearest(scope, scopes)) ?? [...named, ...bare].join(', or ');
    },
    fix: 'Set scope to one that the profile has: spec.capabilities.TRAIT.SCOPE. Remove scope to use the capability without one. In the library, the error is an ErrMissingCapability.',
  },
  'property-reserved': {
    summary: 'An application sets a property that only the profile can set.',
    message: ({ key, trait, component }: Of & { key: string }) =>
      `${quote(key)} of trait ${quote(trait)} of component ${quote(component)} can be set only in the profile`,
    hint: ({ trait }: Of) => `remove it; the profile sets it in spec.capabilities.${trait}.rendering`,
    fix: 'Remove the property from app.yaml. The platform team sets it for all applications in spec.capabilities.TRAIT.rendering of the ClusterProfile.',
  },
  'property-unsupported': {
    summary: 'A component has a property that its type does not support but other types do.',
    message: ({ type, key }: { type: string; key: string }) => `component type ${type} does not support ${quote(key)}`,
    hint: ({ instead }: { instead: string }) => instead,
    fix: 'Remove the property, or follow the hint, which names the property or trait to use for this component type.',
  },
  'trait-unfit': {
    summary: 'A component type does not support a trait.',
    message: ({ trait, component, type, what }: Of & { type: string; what: string }) =>
      `component ${quote(component)} of type ${type} does not support trait ${quote(trait)}: it has ${what}`,
    // A type that supports the trait lacks something only because a property disables it.
    hint: ({ type, types }: { type: string; types: readonly string[] }) =>
      types.includes(type)
        ? 'remove enabled: false from "serviceAccount" of the component'
        : `use a component of type ${types.join(', ')}`,
    fix: 'Remove the trait, or change the component to one of the types in the hint. The reference page of each trait lists the component types it supports.',
  },
  'trait-without-handler': {
    summary: 'A trait has a CapabilityDefinition but no handler that renders it.',
    message: ({ trait, component }: Of) =>
      `cannot render trait ${quote(trait)} of component ${quote(component)}: it has a CapabilityDefinition but no handler`,
    hint: () => 'add a handler with defineTrait in a program that uses kurel as a library',
    fix: 'The kurel command renders only built-in traits. Use kurel as a library and register the trait with defineTrait, or remove it from app.yaml.',
  },
  'definition-unused': {
    severity: 'warning',
    summary: 'A CapabilityDefinition describes a trait that is built in or has no handler.',
    message: ({ trait, isBuiltIn }: { trait: string; isBuiltIn: boolean }) =>
      isBuiltIn
        ? `the definition has no effect: trait ${quote(trait)} is built in`
        : `the definition has no effect: trait ${quote(trait)} has no handler`,
    fix: 'Remove the CapabilityDefinition. Built-in traits have fixed properties, and a trait without a handler is never rendered.',
  },
  'definition-twice': {
    summary: 'Two different CapabilityDefinitions have the same name.',
    message: ({ trait }: { trait: string }) => `duplicate CapabilityDefinition ${quote(trait)} with different content`,
    hint: () => 'remove one of them',
    fix: sentence`Keep one CapabilityDefinition per trait. Check definitions/ of the package and the files passed with ${setting('definitions')}.`,
  },
  'policy-type-unknown': {
    severity: 'warning',
    summary: 'A policy of an application has an unknown type.',
    message: ({ type, name }: { type: string; name: string }) =>
      `policy ${quote(name)} has no effect: unknown type ${quote(type)}`,
    hint: ({ type, known: names }: { type: string; known: readonly string[] }) => suggestName(type, names),
    fix: 'Use one of the built-in policy types, register a custom one with definePolicy, or remove the entry from spec.policies.',
  },
  'tier-unknown': {
    summary: 'The tier annotation of a component has an unknown value.',
    message: ({ tier, component }: { tier: string; component: string }) =>
      `unknown tier ${quote(tier)} in component ${quote(component)}`,
    hint: ({ tiers }: { tiers: readonly string[] }) => listNames(tiers),
    fix: 'Set the annotation to infra, services or apps. Tiers are applied in this order.',
  },
  'tier-of-nothing': {
    summary: 'A policy sets the tier of a component that does not exist.',
    message: ({ component, policy }: { component: string; policy: string }) =>
      `component ${quote(component)} in policy ${quote(policy)} does not exist`,
    hint: ({ component, known: names }: { component: string; known: readonly string[] }) =>
      suggestName(component, names),
    fix: 'Correct the component name in the policy, or remove the entry. Names must match spec.components[].name.',
  },
  'label-taken': {
    severity: 'warning',
    summary: 'A label of the application or of a component has no effect on some objects because kurel sets it there.',
    message: ({ key, owner, kind }: { key: string; owner: string; kind: string }) =>
      `label ${quote(key)} of ${owner} has no effect on ${kind} objects: kurel sets it`,
    hint: () => 'use another key',
    fix: 'Rename the label in metadata.labels of the application, or in labels of the component. kurel uses labels such as app in selectors, so it does not let applications override them.',
  },
  'object-twice': {
    summary: 'Two parts of an application create the same object.',
    message: ({ object, first, second, trait }: Twice) => {
      if (first !== second) return `duplicate ${object}: created by ${first} and ${second}`;
      return trait === undefined
        ? `duplicate ${object}: created twice by ${second}`
        : `duplicate ${object}: created by two traits ${quote(trait)} of the component`;
    },
    hint: ({ keys }: Twice) =>
      keys.length === 0 ? 'rename one of them' : `set ${keys.map(quote).join(' or ')} in one of them`,
    fix: 'Rename one of the components, or set name or scope in one of the traits so that their objects get different names. Remove the part you do not need.',
  },
  'object-name': {
    summary: 'The generated name of an object is not a valid Kubernetes name.',
    message: ({ object, reason }: { object: string; reason: string }) => `the name of ${object} ${reason}`,
    hint: () => 'shorten the name of the component or trait',
    fix: 'Object names are built from the names of the application, component and trait. Shorten or correct the one that makes the result invalid.',
  },
  'policy-source': {
    summary: 'A source is on a host that the policy does not allow.',
    message: ({ url }: { url: string }) => `the policy does not allow the host of ${quote(url)}`,
    hint: ({ allowed }: { allowed: readonly string[] }) => listNames(allowed),
    fix: 'Move the chart or manifests to an allowed host, or ask the platform team to add the host to spec.enforced.allowedSources of the policy.',
  },
  'default-deny-without-pods': {
    severity: 'warning',
    summary: 'The profile denies traffic by default, but the pod labels of a component are unknown.',
    message: ({ component }: { component: string }) =>
      `the traffic of component ${quote(component)} is not denied by default: its pod labels are unknown`,
    hint: () => 'add a "networkpolicy" trait with "podSelector" to the component',
    fix: 'Add a networkpolicy trait with podSelector, ingress: [] and egress: [] to the component, or accept the finding if other policies isolate its pods.',
  },
  'service-owned-twice': {
    summary: 'Traffic goes to a Service that two components create.',
    message: ({ service, components }: { service: string; components: readonly string[] }) =>
      `duplicate Service ${quote(service)}: it belongs to components ${components.map(quote).join(' and ')}`,
    hint: () => 'rename one of them, or set another "serviceName"',
    fix: 'Rename one of the components, or set another serviceName, so that kurel knows which pods receive the traffic.',
  },
  'backend-selector-differs': {
    summary: 'Two backendSelectors for the same Service select different pods.',
    message: ({ service }: { service: string }) =>
      `"backendSelector" of Service ${quote(service)} conflicts with another one in the application`,
    hint: () => 'use the same labels in both',
    fix: 'A Service has one set of pods. Use the same backendSelector labels everywhere the application sends traffic to this Service.',
  },
  'backend-selector-known': {
    summary: 'A backendSelector selects other pods than those of the component that owns the Service.',
    message: ({ service, component }: { service: string; component: string }) =>
      `"backendSelector" does not select the pods of component ${quote(component)}, which owns Service ${quote(service)}`,
    hint: () => 'remove "backendSelector"',
    fix: 'Remove backendSelector. kurel knows the pod labels of the components in the application; backendSelector is for other Services.',
  },
  'network-policy-without-pods': {
    severity: 'warning',
    summary: 'The profile requires a network policy for traffic to a component whose pod labels are unknown.',
    message: ({ component }: { component: string }) =>
      `cannot create a network policy for this traffic: the pod labels of component ${quote(component)} are unknown`,
    hint: () => 'if the pods are isolated, add a "networkpolicy" trait with "podSelector" to the component',
    fix: 'If a network policy isolates these pods, add a networkpolicy trait with podSelector to the component. Otherwise accept the finding.',
  },
  'selector-overlap': {
    summary: 'The selector of a component also selects the pods of another component.',
    message: ({ first, second, selector }: { first: string; second: string; selector: string }) =>
      `the selector of ${first} also selects the pods of ${second}: ${selector}`,
    hint: () => 'use other labels in one of them',
    fix: 'Set selectorLabels so that each component has labels that no other component has, and remove such labels from podLabels.',
  },
}));
