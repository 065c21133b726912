/** The first of some flags that was given. */
export function findGiven<Name extends string>(
  flags: Readonly<Record<Name, unknown>>,
  names: readonly Name[],
): Name | undefined {
  return names.find((name) => {
    const value = flags[name];
    return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;
  });
}
