import { defineProblems, nearest, quote } from '../../../diagnostics/index.ts';

interface Of {
  readonly component: string;
  readonly trait: string;
}

interface Twice {
  readonly object: string;
  readonly first: string;
  readonly second: string;
  /** The type of the second, when it is a trait. */
  readonly trait: string | undefined;
  /** Properties that say what an object of the trait is called. */
  readonly keys: readonly string[];
}

/** What can be wrong when an application meets a platform. */
export const composeProblems = defineProblems({
  'capability-missing': {
    severity: 'error',
    summary: 'A trait needs a capability that the profile does not have (ErrMissingCapability).',
    message: ({ component, trait, profile }: Of & { profile: string | undefined }) =>
      `the trait ${quote(trait)} of component ${quote(component)} needs the capability ${quote(trait)}, ` +
      `${profile === undefined ? 'and there is no profile' : `which the profile ${quote(profile)} does not have`} (ErrMissingCapability)`,
    hint: ({ trait, scopes, example }: Of & { scopes: readonly string[]; example: string }) => {
      const [scope] = scopes;
      const lines = `under spec.capabilities:\n${example.replaceAll(/^/gm, '  ')}`;
      if (scope === undefined) return `the profile says how the platform does it, ${lines}`;
      const all = scopes.map((one) => `${trait}.${one}`).join(', ');
      return `the profile has ${all}: write scope: ${scope} in the properties to take that, or let the profile say, ${lines}`;
    },
  },
  'capability-scope': {
    severity: 'error',
    summary: 'A trait asks for a scope of a capability that the profile does not have.',
    message: ({ component, trait, scope }: Of & { scope: string }) =>
      `the trait ${quote(trait)} of component ${quote(component)} has the scope ${quote(scope)}, which the profile does not have`,
    hint: ({ scope, scopes, hasBare }: { scope: string; scopes: readonly string[]; hasBare: boolean }) => {
      const near = nearest(scope, scopes);
      if (near !== undefined) return `did you mean ${near}?`;
      const bare = hasBare ? ['take the scope out'] : [];
      const named = scopes.length === 0 ? [] : [`scopes: ${scopes.join(', ')}`];
      return [...named, ...bare].join('; or ');
    },
  },
  'property-reserved': {
    severity: 'error',
    summary: 'An author set a property that only the platform may set (ErrPlatformReserved).',
    message: ({ key, trait, component }: Of & { key: string }) =>
      `${quote(key)} of the trait ${quote(trait)} of component ${quote(component)} is set by the platform alone (ErrPlatformReserved)`,
    hint: ({ trait }: Of) => `take it out; the profile has it in spec.capabilities.${trait}.rendering`,
  },
  'property-unsupported': {
    severity: 'error',
    summary: 'A component has a property that only components of another type have.',
    message: ({ type, key }: { type: string; key: string }) =>
      `${quote(key)} is not supported in a component of type ${type}`,
    hint: ({ instead }: { instead: string }) => instead,
  },
  'trait-unfit': {
    severity: 'error',
    summary: 'A trait cannot be of a component of this type.',
    message: ({ trait, component, type, what }: Of & { type: string; what: string }) =>
      `the trait ${quote(trait)} cannot be of component ${quote(component)}: a ${type} has ${what}`,
    hint: ({ types }: { types: readonly string[] }) => `it can be of: ${types.join(', ')}`,
  },
  'trait-without-handler': {
    severity: 'error',
    summary: 'A trait is only known from a CapabilityDefinition, so that nothing can be made of it.',
    message: ({ trait, component }: Of) =>
      `nothing can be made of the trait ${quote(trait)} of component ${quote(component)}: it is only known from a CapabilityDefinition`,
    hint: () => 'programs that use kurel as a library can add it with defineTrait',
  },
  'capability-undefined': {
    severity: 'warning',
    summary: 'A trait of a library user has a capability whose rendering no CapabilityDefinition describes.',
    message: ({ trait }: { trait: string }) =>
      `no CapabilityDefinition describes the rendering of ${quote(trait)}, so that it is not checked`,
  },
  'definition-unused': {
    severity: 'warning',
    summary: 'A CapabilityDefinition describes a trait that is built in, or that nothing makes objects of.',
    message: ({ trait, isBuiltIn }: { trait: string; isBuiltIn: boolean }) =>
      isBuiltIn
        ? `${quote(trait)} is built in, so that this definition has no effect`
        : `nothing makes objects of the trait ${quote(trait)}, so that this definition has no effect`,
  },
  'definition-twice': {
    severity: 'error',
    summary: 'Two CapabilityDefinitions of one name say different things.',
    message: ({ trait }: { trait: string }) => `the capability ${quote(trait)} is defined twice, in different ways`,
  },
  'policy-type-unknown': {
    severity: 'warning',
    summary: 'A policy of an application is of a type that nothing knows.',
    message: ({ type, name }: { type: string; name: string }) =>
      `the policy ${quote(name)} is of type ${quote(type)}, which has no effect`,
    hint: ({ type, known }: { type: string; known: readonly string[] }) => {
      const near = nearest(type, known);
      return near === undefined ? `types: ${known.join(', ')}` : `did you mean ${near}?`;
    },
  },
  'tier-unknown': {
    severity: 'error',
    summary: 'The annotation that says when a component is applied has a value that it cannot have.',
    message: ({ tier, component }: { tier: string; component: string }) =>
      `the tier of component ${quote(component)} cannot be ${quote(tier)}`,
    hint: ({ tiers }: { tiers: readonly string[] }) => `tiers: ${tiers.join(', ')}`,
  },
  'tier-of-nothing': {
    severity: 'error',
    summary: 'A policy gives a tier to a component that is not there.',
    message: ({ component, policy }: { component: string; policy: string }) =>
      `the policy ${quote(policy)} gives a tier to ${quote(component)}, which is no component`,
    hint: ({ component, known }: { component: string; known: readonly string[] }) => {
      const near = nearest(component, known);
      return near === undefined ? `components: ${known.join(', ')}` : `did you mean ${near}?`;
    },
  },
  'label-taken': {
    severity: 'warning',
    summary: 'A label of the application is one that kurel sets itself, and has no effect there.',
    message: ({ key, kind }: { key: string; kind: string }) =>
      `the label ${quote(key)} of the application is set by kurel on each ${kind}, and has no effect there`,
    hint: () => 'give it another key',
  },
  'object-twice': {
    severity: 'error',
    summary: 'Two parts of an application make the same object.',
    message: ({ object, first, second, trait }: Twice) => {
      if (first !== second) return `${second} makes ${object}, which ${first} makes as well`;
      return trait === undefined
        ? `${second} makes ${object} twice`
        : `${second} makes ${object}, which another trait ${quote(trait)} of the component makes as well`;
    },
    hint: ({ keys }: Twice) =>
      keys.length === 0 ? 'give one of them another name' : `give one of them a ${keys.map(quote).join(' or a ')}`,
  },
  'object-name': {
    severity: 'error',
    summary: 'The name of an object that is made is not one that Kubernetes takes.',
    message: ({ object, reason }: { object: string; reason: string }) => `the name of ${object} ${reason}`,
    hint: () => 'give the component or the trait a shorter name',
  },
  'policy-source': {
    severity: 'error',
    summary: 'Something is to be taken from a host that the policy does not allow.',
    message: ({ url }: { url: string }) => `${quote(url)} is on a host that the policy does not allow`,
    hint: ({ allowed }: { allowed: readonly string[] }) => `allowed: ${allowed.join(', ')}`,
  },
});
