import { kindsNamed } from '../../kube/index.ts';

/** What a kind in a patch means, in lower case: itself when an object has it, else what it is short for, or the plural of. */
export function kindAliases(kinds: { has(kind: string): boolean }): (kind: string) => string {
  return (kind) => {
    const named = kindsNamed(kind);
    return named.find((one) => kinds.has(one)) ?? named[0]!;
  };
}
