import { identityOf } from '../../../kube/index.ts';
import { isJsonArray, isJsonObject } from '../../../model/index.ts';
import type { Json, Path } from '../../../model/index.ts';
import { composeApplication } from '../compose/compose-application.ts';
import type { ComposedObject, CompositionInput } from '../compose/composition.ts';
import type { LocatedData } from '../compose/located-data.ts';
import { findChanged, pairObjects } from './compare-objects.ts';
import { listKeys, listLeaves, withLeaf } from './input-leaf.ts';
import type { InputLeaf } from './input-leaf.ts';
import { otherValues } from './other-values.ts';

/** The values that decide a field of an object; none when nothing but the handler does, `unknown` when to find out takes too long. */
export type CausesOf = (made: ComposedObject, path: Path) => readonly InputLeaf[] | 'unknown';

/** Values of all inputs that are composed again, together: an experiment takes time with the square of its input. */
const mostWork = 500_000;
/** To compose anything at all takes as long as so many values. */
const workOfComposition = 30;

/**
 * Finds out what decides a field by experiment: a composition is a pure function, so each value of its input is changed in turn,
 * and the fields that come out different are those it decides. No handler has to tell, and none can tell wrongly. Only the
 * components that had a part in an object are composed again, and only when somebody asks.
 */
export function createFindCauses(input: CompositionInput): CausesOf {
  const experiments = new Map<string, Experiment>();
  const allowance = { left: mostWork };
  return (made, path) => {
    // Of components that share something, the first counts.
    const components = made.components.toSorted((a, b) => a - b);
    const key = components.join();
    const experiment = experiments.get(key) ?? runExperiment(keepComponents(input, components), allowance);
    experiments.set(key, experiment);
    return experiment(made, path);
  };
}

type Experiment = CausesOf;

function runExperiment({ input, pathBefore }: Kept, allowance: { left: number }): Experiment {
  const leaves = listLeaves(input);
  const keys = listKeys(input);
  const count = leaves.length + keys.length;
  const work = count * (count + workOfComposition);
  if (work > allowance.left) return () => 'unknown';
  allowance.left -= work;
  const base = composeApplication(input)?.objects ?? [];
  const causes = base.map(() => new Map<string, InputLeaf[]>());
  for (const leaf of leaves) {
    tryOthers(leaf, (index, path) => {
      const known = causes[index]!.get(path) ?? [];
      causes[index]!.set(path, [...known, placed(leaf)]);
    });
  }
  const known = causes.map((ofObject) => new Set(ofObject.keys()));
  for (const leaf of keys) {
    // Below another key everything is another field; what a value decides is decided by the value.
    tryOthers(leaf, (index, path) => {
      if (!known[index]!.has(path)) causes[index]!.set(path, [...(causes[index]!.get(path) ?? []), placed(leaf)]);
    });
  }
  const positions = new Map(base.map(({ object }, index) => [identityOf(object), index]));
  return ({ object }, path) => {
    const found = causes[positions.get(identityOf(object)) ?? -1]?.get(JSON.stringify(path)) ?? [];
    // A default decides nothing where the platform gives the property.
    const given = new Set(found.flatMap(({ isDefault, path: place }) => (isDefault === true ? [] : [place.at(-1)])));
    return found.filter(({ isDefault, path: place }) => isDefault !== true || !given.has(place.at(-1)));
  };

  function placed(leaf: InputLeaf): InputLeaf {
    return leaf.input === 'application' ? { ...leaf, path: pathBefore(leaf.path) } : leaf;
  }

  /** Puts other values in the place of one until something comes out different. */
  function tryOthers(leaf: InputLeaf, found: (index: number, path: string) => void): void {
    for (const value of otherValues(leaf, input.catalog)) {
      const others = compose(withLeaf(input, leaf, value));
      if (others === undefined) continue;
      const paired = pairObjects(base, others);
      let isFelt = false;
      for (const [index, { object }] of base.entries()) {
        findChanged(object, paired[index]?.object, (path) => {
          isFelt = true;
          found(index, JSON.stringify(path));
        });
      }
      if (isFelt) return;
    }
  }
}

/** `undefined` when the value is not one that is read. */
function compose(input: CompositionInput): readonly ComposedObject[] | undefined {
  let isRead = true;
  const report: CompositionInput['report'] = ({ code, severity }) => {
    if (severity === 'error' && /^(?:document|field|list|capability)-/.test(code)) isRead = false;
  };
  const composition = composeApplication({ ...input, report, isDraft: true });
  return isRead ? composition?.objects : undefined;
}

interface Kept {
  readonly input: CompositionInput;
  readonly pathBefore: (path: Path) => Path;
}

function keepComponents(whole: CompositionInput, components: readonly number[]): Kept {
  const pathBefore = (path: Path): Path =>
    path[0] === 'spec' && path[1] === 'components' && typeof path[2] === 'number'
      ? ['spec', 'components', components[path[2]] ?? path[2], ...path.slice(3)]
      : path;
  const { data, locate, referencesAt } = whole.application;
  const application: LocatedData = {
    data: pick(data, components),
    locate: (path) => locate(pathBefore(path)),
    referencesAt: (path) => referencesAt?.(pathBefore(path)) ?? [],
  };
  const quiet = { checkKubernetes: undefined, report: () => {}, isDraft: true };
  const policy = whole.policy && { ...whole.policy, data: withoutHosts(whole.policy.data) };
  return { input: { ...whole, ...quiet, application, policy }, pathBefore };
}

/** Lists of allowed hosts may be long, and decide nothing but what is refused. */
function withoutHosts(policy: Json): Json {
  const spec = isJsonObject(policy) ? policy['spec'] : undefined;
  const enforced = isJsonObject(spec) ? spec['enforced'] : undefined;
  if (!isJsonObject(policy) || !isJsonObject(spec) || !isJsonObject(enforced)) return policy;
  const { allowedRegistries: _registries, allowedSources: _sources, ...rest } = enforced;
  return { ...policy, spec: { ...spec, enforced: rest } };
}

function pick(application: Json, components: readonly number[]): Json {
  const spec = isJsonObject(application) ? application['spec'] : undefined;
  const list = isJsonObject(spec) ? spec['components'] : undefined;
  if (!isJsonObject(application) || !isJsonObject(spec) || !isJsonArray(list)) return application;
  return { ...application, spec: { ...spec, components: components.map((index) => list[index]!) } };
}
