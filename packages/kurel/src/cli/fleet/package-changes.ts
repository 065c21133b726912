import { digestOfPackage, nameOfPackage } from '../../fleet/index.ts';
import type { FleetTarget } from '../../fleet/index.ts';
import type { JsonObject } from '../../model/index.ts';

/** The package of a target on one side of a comparison. */
interface ComparedPackage {
  /** Its name in its registry, or its path. */
  readonly name: string;
  /** Absent for a path. */
  readonly url?: string | undefined;
  /** Of the lock, or its tag. */
  readonly version?: string | undefined;
  readonly digest?: string | undefined;
}

/** A package that targets have replaced by another one, most often by another version of it. */
export interface PackageChange {
  readonly before: ComparedPackage;
  readonly after: ComparedPackage;
  readonly targets: readonly string[];
}

/** Collects the packages in registries that differ between two sides. */
export function collectPackageChanges(): {
  readonly add: (before: FleetTarget | undefined, after: FleetTarget) => void;
  /** In the order in which they were added. */
  readonly changes: () => readonly PackageChange[];
} {
  const changes = new Map<string, PackageChange & { readonly targets: string[] }>();
  return {
    add(before, after) {
      if (before === undefined || before.settings.package === after.settings.package) return;
      if (before.registered === undefined && after.registered === undefined) return;
      const pair = { before: describeSide(before), after: describeSide(after) };
      const key = JSON.stringify(pair);
      const known = changes.get(key);
      if (known === undefined) changes.set(key, { ...pair, targets: [after.name] });
      else known.targets.push(after.name);
    },
    changes: () => [...changes.values()],
  };
}

function describeSide({ registered, settings }: FleetTarget): ComparedPackage {
  if (registered === undefined) return { name: settings.package };
  const { url, tag, locked } = registered;
  const digest = digestOfPackage(registered);
  return { name: nameOfPackage(registered), url, version: locked?.version ?? locked?.tag ?? tag, digest };
}

/** `shop 1.2.0 → 1.3.0` */
export function showPackageChange({ before, after }: PackageChange): string {
  if (before.url !== after.url) return `${showWhole(before)} → ${showWhole(after)}`;
  const { name, version } = before;
  // Somebody has moved a tag.
  if (version !== undefined && version === after.version)
    return `${name} ${version} (${showDigest(before)} → ${showDigest(after)})`;
  return `${name} ${version ?? showDigest(before)} → ${after.version ?? showDigest(after)}`;
}

function showWhole({ name, url, version, digest }: ComparedPackage): string {
  return url === undefined ? name : `${url} ${version ?? showDigest({ digest })}`;
}

function showDigest({ digest }: Pick<ComparedPackage, 'digest'>): string {
  return digest?.slice(0, 'sha256:'.length + 12) ?? 'not locked';
}

export function packageChangeToJson({ before, after, targets }: PackageChange): JsonObject {
  const side = (one: ComparedPackage): JsonObject => JSON.parse(JSON.stringify(one)) as JsonObject;
  return { before: side(before), after: side(after), targets: [...targets] };
}
