import { createOriginTable } from '../../engine/index.ts';
import { installPhaseOf, installPhases, nameOf, namespaceOf } from '../../kube/index.ts';
import { withoutUndefined } from '../../model/index.ts';
import type { Json, JsonObject, KubeObject, Report, Values } from '../../model/index.ts';
import { leavesOf } from '../../parameters/index.ts';
import { writeYaml } from '../../yaml/index.ts';
import type { DescriptionRequest, PackageDescription, PackageInfo, PublishedParts } from '../form-types.ts';
import { formatList, formatRows, joinLines, showBriefly } from '../package-info.ts';
import type { InfoRow } from '../package-info.ts';
import { findRefusedParameters } from './check-package.ts';
import { examinePackage } from './examine-package.ts';
import type {
  ExaminedPackage,
  PackageMetadata,
  PackagePatch,
  PackageRendering,
  PatchPackage,
} from './patch-package.ts';
import { once } from '../../provenance/index.ts';
import { renderPackage } from './render-package.ts';
import { hideSecretParameters, listSecretWords } from './static-secrets.ts';
import { generateParameterSchema } from './schema/generate-schema.ts';
import { typeOf } from './schema/validate-values.ts';

export async function describe(request: DescriptionRequest, report: Report): Promise<PackageDescription | undefined> {
  const { path, fileSystem, values, store, published, package: settings = {} } = request;
  const examined = await examinePackage({ ...settings, path, fileSystem, values });
  const { package: pkg, parameters, plan, found: findings } = examined;
  // Without its patches, only the documents of a package can be checked.
  (published === undefined ? Object.values(findings).flat() : findings.load).forEach(report);
  if (pkg === undefined) return undefined;
  request.onSecrets?.(() => listSecretWords(examined, store?.()));
  const { name, version, description, home } = pkg.metadata;
  const authors = peopleOf(pkg.metadata);
  const own = withoutMetadata(parameters?.merged ?? pkg.layers[0]!.data);
  const { generate = generateParameterSchema } = settings.schema ?? {};
  return {
    name,
    version,
    description,
    annotations: {
      ...(home === undefined ? {} : { 'org.opencontainers.image.url': home }),
      ...(authors === undefined ? {} : { 'org.opencontainers.image.authors': authors }),
    },
    // Values instead of declarations: each field can be set.
    listParameters: () => leavesOf(own).map(([leaf, value]) => ({ name: leaf, type: typeOf(value), default: value })),
    plan,
    createSchema: (reportSchema) => generate({ package: pkg, plan, store: store?.() }, reportSchema),
    createInfo: async () =>
      published === undefined
        ? await infoOfRendering(examined, { store, report })
        : infoOfDocuments(pkg, { path, own, published }),
  };
}

function withoutMetadata(values: Values): Values {
  const { kurel: _, ...own } = values;
  return own;
}

async function infoOfRendering(
  examined: ExaminedPackage,
  { store: openStore, report }: Pick<DescriptionRequest, 'store'> & { readonly report: Report },
): Promise<PackageInfo | undefined> {
  const store = openStore?.();
  const { rendering } = renderPackage(examined, {
    origins: createOriginTable(),
    store,
    report(diagnostic) {
      // Notes are only of interest when building.
      if (diagnostic.severity !== 'note') report(diagnostic);
    },
  });
  if (rendering === undefined) return undefined;
  if (store !== undefined) (await findRefusedParameters(examined, { store })).diagnostics.forEach(report);
  const { merged } = rendering.parameters;
  const shown = once(() => hideSecretParameters(withoutMetadata(merged), examined, store));
  return {
    data: () => describeRendering(rendering, shown()),
    lines: (all) => formatRendering(rendering, shown(), all),
  };
}

function describeRendering({ package: pkg, plan, objects }: PackageRendering, parameters: Values): JsonObject {
  const enabled = new Set(plan.enabled.map(({ patch }) => patch));
  return withoutUndefined({
    ...pkg.metadata,
    path: pkg.path,
    local: pkg.localPath,
    parameters,
    resources: objects.map((object) =>
      withoutUndefined({
        apiVersion: object.apiVersion,
        kind: object.kind,
        name: nameOf(object),
        namespace: namespaceOf(object) === '' ? undefined : namespaceOf(object),
        phase: installPhaseOf(object),
      }),
    ),
    patches: pkg.patches.map((patch) =>
      withoutUndefined({
        id: patch.id,
        owner: patch.owner,
        description: patch.sidecar?.description,
        condition: patch.sidecar?.enabled,
        enabled: enabled.has(patch),
      }),
    ),
  });
}

function formatRendering(
  { package: pkg, objects }: PackageRendering,
  parameters: Values,
  all: boolean,
): readonly string[] {
  return [
    ...headLines(pkg, [['Phases', describePhases(objects)]]),
    '',
    ...formatParameters(parameters, all),
    ...formatList('Resources', objects.map(describeResource)),
    ...formatList('Patches', pkg.patches.map(describePackagePatch)),
  ];
}

interface Documents {
  readonly path: string;
  readonly own: Values;
  readonly published: PublishedParts;
}

function infoOfDocuments(pkg: PatchPackage, { path, own, published }: Documents): PackageInfo {
  const patches = published.files.flatMap((file) => /^patches\/(.+\.kpatch)$/.exec(file)?.[1] ?? []);
  return {
    data: () => withoutUndefined({ ...pkg.metadata, path, parameters: own, patches }),
    lines: (all) => [...headLines(pkg, []), '', ...formatParameters(own, all), ...formatList('Patches', patches)],
  };
}

function headLines({ metadata, localPath }: PatchPackage, more: readonly InfoRow[]): readonly string[] {
  const { name, version, appVersion, description, home, keywords } = metadata;
  return formatRows([
    ['Package', name],
    ['Version', version],
    ['App version', appVersion],
    ['Description', description],
    ['Home', home],
    ['Keywords', keywords.length === 0 ? undefined : keywords.join(', ')],
    ['Maintainers', peopleOf(metadata)],
    ['Local extension', localPath],
    ...more,
  ]);
}

function peopleOf({ maintainers }: PackageMetadata): string | undefined {
  const people = maintainers.map(({ name, email }) => (email === undefined ? name : `${name} <${email}>`));
  return people.length === 0 ? undefined : people.join(', ');
}

function describePhases(objects: readonly KubeObject[]): string | undefined {
  const phases = installPhases.map((phase) => {
    const count = objects.filter((object) => installPhaseOf(object) === phase).length;
    return count === 0 ? [] : [`${phase} (${count})`];
  });
  return objects.length === 0 ? undefined : phases.flat().join(', ');
}

function formatParameters(values: Values, all: boolean): readonly string[] {
  const names = Object.keys(values).toSorted();
  return [`Parameters (${names.length}):`, ...names.flatMap((name) => parameterLines(name, values[name]!, all))];
}

function parameterLines(name: string, value: Json, all: boolean): readonly string[] {
  if (!all) return [`  ${name}: ${typeOf(value)}${value === null ? '' : ` = ${showBriefly(value)}`}`];
  return writeYaml({ [name]: value })
    .trimEnd()
    .split('\n')
    .map((line) => `  ${line}`);
}

function describeResource(object: KubeObject): string {
  const namespace = namespaceOf(object);
  const phase = installPhaseOf(object);
  const facts = [
    ...(namespace === '' ? [] : [`namespace: ${namespace}`]),
    ...(phase === undefined || phase === 'main' ? [] : [`phase: ${phase}`]),
  ];
  return `${object.kind}/${nameOf(object)}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}`;
}

function describePackagePatch({ id, owner, sidecar }: PackagePatch): string {
  const { description, enabled } = sidecar ?? {};
  return [
    id,
    ...(description === undefined ? [] : [`: ${joinLines(description)}`]),
    ...(enabled === undefined
      ? []
      : [` [enabled: ${typeof enabled === 'string' ? enabled : JSON.stringify(enabled)}]`]),
    ...(owner === 'local' ? [' [local]'] : []),
  ].join('');
}
