import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fieldControls, listControls, requirementControls, rulesOfLevel, scopeOf } from '../src/kube/index.ts';
import type { KubeObject } from '../src/model/index.ts';
import { enforcePolicy, noPolicy } from '../src/validate/index.ts';
import type { RuleLayer } from '../src/validate/index.ts';
import { samplePods } from './pod-security-pods.ts';
import { repository } from './source-tree.ts';

interface Verdict {
  readonly baseline: readonly string[];
  readonly restricted: readonly string[];
}

const folder = join(repository, 'test/oracles/pod-security/cases');
const samples = samplePods();
const verdicts = JSON.parse(readFileSync(join(folder, 'verdicts.json'), 'utf8')) as Readonly<Record<string, Verdict>>;

/** Checks that Kubernetes relaxes for pods in a user namespace. kurel does not know whether the cluster supports those. */
const stricter = new Set([
  'procMount: in a user namespace',
  'runAsUser: in a user namespace',
  'runAsNonRoot: in a user namespace',
]);

const controls = [...fieldControls, ...requirementControls, ...Object.values(listControls)];

/** The rules that lift a check of Kubernetes. Some of its checks at the level restricted repeat one of baseline. */
function rulesOfCheck(check: string): readonly string[] {
  const repeated: Readonly<Record<string, readonly string[]>> = {
    capabilities_baseline: ['allowedCapabilities'],
    capabilities_restricted: ['allowedCapabilities'],
    seccompProfile_restricted: ['allowUnconfined'],
    procMount_restricted: ['allowProcMount'],
    restrictedVolumes: ['allowHostPathVolumes'],
  };
  return [...controls.flatMap(({ control, rule }) => (control === check ? [rule] : [])), ...(repeated[check] ?? [])];
}

function isRefused(object: KubeObject, security: RuleLayer['security']): boolean {
  let isFound = false;
  const layers: readonly RuleLayer[] = [{ ...noPolicy, security }];
  enforcePolicy(object, { rules: { layers }, scopeOf, report: () => void (isFound = true) });
  return isFound;
}

describe('the table of the Pod Security Standards', () => {
  it('is the one that the verdicts are about', () => {
    const lines = samples.map(({ name, pod }) => `${JSON.stringify(name)}: ${JSON.stringify(pod)}`);
    const text = `{\n${lines.join(',\n')}\n}\n`;
    const file = join(folder, 'pods.json');
    if (process.env['UPDATE_CASES'] === '1') writeFileSync(file, text);
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(Object.keys(verdicts).toSorted()).toEqual(samples.map(({ name }) => name).toSorted());
  });

  it('has a sample that Kubernetes refuses and one that it allows for each control', () => {
    for (const { control } of controls) {
      const isBad = samples
        .filter((sample) => sample.control === control)
        .map(({ name }) => [...verdicts[name]!.baseline, ...verdicts[name]!.restricted].length > 0);
      // Every volume of type hostPath is refused, and every other one is a sample of another control.
      expect(new Set(isBad), control).toEqual(new Set(control === 'hostPathVolumes' ? [true] : [true, false]));
    }
  });

  it('covers every check of Kubernetes', () => {
    const checks = new Set(Object.values(verdicts).flatMap(({ baseline, restricted }) => baseline.concat(restricted)));
    expect([...checks].filter((check) => rulesOfCheck(check).length === 0)).toEqual([]);
    expect(checks.size).toBe(19);
  });

  it.each(samples.filter(({ name }) => !stricter.has(name)))('agrees with Kubernetes about $name', ({ name, pod }) => {
    const { baseline, restricted } = verdicts[name]!;
    const object = pod as KubeObject;
    expect(isRefused(object, rulesOfLevel('baseline')), 'baseline').toBe(baseline.length > 0);
    expect(isRefused(object, rulesOfLevel('restricted')), 'restricted').toBe(baseline.length + restricted.length > 0);
    expect(isRefused(object, rulesOfLevel('privileged')), 'privileged').toBe(false);
    const rules = Object.entries(rulesOfLevel('restricted'));
    const violated = rules.flatMap(([rule, value]) => (isRefused(object, { [rule]: value }) ? [rule] : []));
    const lifting = [...baseline, ...restricted].map(rulesOfCheck);
    expect(violated.filter((rule) => !lifting.flat().includes(rule))).toEqual([]);
    expect(lifting.filter((own) => !own.some((rule) => violated.includes(rule)))).toEqual([]);
    // Without its rules, nothing is left of the check.
    const kept = rules.filter(([rule]) => !lifting.flat().includes(rule));
    expect(isRefused(object, Object.fromEntries(kept))).toBe(false);
  });

  it('is stricter about user namespaces', () => {
    for (const name of stricter) {
      const { pod } = samples.find((sample) => sample.name === name)!;
      expect(isRefused(pod as KubeObject, rulesOfLevel('restricted')), name).toBe(true);
    }
  });
});
