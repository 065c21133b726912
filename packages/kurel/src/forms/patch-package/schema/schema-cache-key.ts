import { contentHash } from '../../../engine/index.ts';
import type { Json, SourceFile } from '../../../model/index.ts';
import type { PackageParameters, PatchPackage, PatchPlan } from '../patch-package.ts';

export interface CacheKeyParts {
  /** Of kurel: another version may generate another schema. */
  readonly toolVersion: string;
  readonly kubernetesVersion: string;
  /** As given to the generation: what is required, and what is told of variables, depends on them. */
  readonly plan?: PatchPlan | undefined;
  readonly parameters?: PackageParameters | undefined;
}

/** `sha256:` and 64 digits over everything that the generated schema of a package depends on. */
export function schemaCacheKey(pkg: PatchPackage, parts: CacheKeyParts): string {
  const { resources, patches, definitions, schemaOverrides } = pkg;
  const { toolVersion, kubernetesVersion, plan, parameters } = parts;
  const { layers } = parameters ?? pkg;
  const identityOf = (one: { readonly id: string; readonly owner: string }): Json => [one.owner, one.id];
  return contentHash({
    apiVersion: 'kurel.dev/v1',
    kind: 'ParameterSchema',
    toolVersion,
    kubernetesVersion,
    layers: layers.map(({ kind, source }) => [kind, textOf(source)]),
    resources: resources.map(textOf),
    patches: patches.map((patch) => [
      identityOf(patch),
      textOf(patch.file.source),
      patch.sidecar === undefined ? null : textOf(patch.sidecar.source),
    ]),
    definitions: definitions.map(textOf),
    overrides: schemaOverrides === undefined ? null : textOf(schemaOverrides),
    enabled: plan === undefined ? null : plan.enabled.map(({ patch }) => identityOf(patch)),
  });
}

function textOf({ text }: SourceFile): string {
  return text;
}
