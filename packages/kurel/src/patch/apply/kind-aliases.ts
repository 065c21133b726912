import { kindsNamed } from '../../kube/index.ts';

/** Resolves a kind in a patch, in lower case: unchanged if an object has it, otherwise by short name or plural. */
export function kindAliases(kinds: { has(kind: string): boolean }): (kind: string) => string {
  return (kind) => {
    const named = kindsNamed(kind);
    return named.find((one) => kinds.has(one)) ?? named[0]!;
  };
}
