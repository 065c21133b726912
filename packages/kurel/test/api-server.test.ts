import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { differences } from '../../../test/api-server/differences.ts';
import { mutateKinds } from '../../../test/api-server/mutate-kinds.ts';
import type { Mutation } from '../../../test/api-server/mutate-kinds.ts';
import { readObjects } from '../../../test/api-server/read-objects.ts';
import { digestOf, mutationOptions, readKindVerdicts } from '../../../test/api-server/verdicts.ts';
import { openStore } from '../../../test/corpus/open-store.ts';
import type { KubeObject } from '../src/model/index.ts';
import { validateObjects } from '../src/validate/index.ts';
import { repository } from './source-tree.ts';

const kinds = readObjects(repository);
const mutated = mutateKinds(kinds, mutationOptions);
const verdicts = readKindVerdicts(join(repository, 'test', 'api-server', 'verdicts.json'));
const store = openStore(repository, '1.37');

/** Whether kurel reports no error. */
function isValid(object: KubeObject): boolean {
  let errors = 0;
  const report = ({ severity }: { readonly severity: string }): void => void (errors += severity === 'error' ? 1 : 0);
  validateObjects([object], { store, report, isPart: true });
  return errors === 0;
}

describe('kurel and Kubernetes agree about', () => {
  it('every object that mutations start from', () => {
    const refused = kinds.flatMap(({ kind, objects }) => objects.filter((object) => !isValid(object)).map(() => kind));
    expect(refused).toEqual([]);
  });

  it('at least 300 mutations of each kind', () => {
    expect(kinds.length).toBeGreaterThan(50);
    const few = mutated.filter(({ mutations }) => mutations.length < 300).map(({ kind }) => kind);
    // There is not much that a few kinds can have.
    expect(few).toEqual(fewMutations);
  });

  it('mutations that the verdicts are about', () => {
    expect(digestOf(mutated), 'run node test/api-server/refresh.mjs').toBe(verdicts.digest);
  });

  it('all mutations but for those with a reason, which are fewer than one in 200', () => {
    const found: string[] = [];
    let count = 0;
    for (const { kind, mutations } of mutated) {
      const theirs = verdicts.kinds[kind]!;
      mutations.forEach((mutation, index) => {
        count += 1;
        const isTheirs = theirs[index] === '1';
        if (isValid(mutation.object) !== isTheirs) found.push(nameOf(kind, mutation, isTheirs));
      });
    }
    const listed = differences.flatMap(({ mutations }) => mutations);
    expect(found.toSorted()).toEqual(listed.toSorted());
    expect(found.length / count).toBeLessThan(0.005);
  });
});

const fewMutations: readonly string[] = [];

function nameOf(kind: string, { operation, path, object }: Mutation, isTheirs: boolean): string {
  const value = path.reduce<unknown>((holder, step) => (holder as Record<string, unknown> | undefined)?.[step], object);
  const text = JSON.stringify(value) ?? 'nothing';
  return `${isTheirs ? 'taken' : 'refused'}: ${kind}, ${operation} ${path.join('.')}: ${text.length > 60 ? `${text.slice(0, 60)}…` : text}`;
}
