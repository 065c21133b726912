const places: ReadonlyMap<string, string> = new Map([
  ['ClusterProfile', 'a profile is given with --profile'],
  ['Policy', 'a policy is given with --policy'],
  ['CapabilityDefinition', 'definitions are given with --capability-def, or lie in definitions/ of the package'],
  ['Package', 'it declares the parameters of a package, and is its kurel.yaml'],
  ['Application', 'it is the app.yaml of a package, which is named by its directory'],
]);

/** Where a document belongs that was given in the place of another; `undefined` for kinds that are not kurel's. */
export function placeOfDocument(kind: string): string | undefined {
  return places.get(kind);
}
