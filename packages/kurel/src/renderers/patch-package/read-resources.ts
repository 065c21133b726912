import { describeObject, gvkOf, locateObject, nameOf } from '../../kube/index.ts';
import { isJsonObject, isKubeObject } from '../../model/index.ts';
import type {
  Budget,
  KubeObject,
  Location,
  OriginTable,
  Path,
  RenderContext,
  Report,
  SourceFile,
} from '../../model/index.ts';
import { createResourceSubstitution } from '../../parameters/index.ts';
import type { Substitution } from '../../parameters/index.ts';
import { typeForField } from '../../patch/index.ts';
import { fieldAt } from '../../schema/index.ts';
import type { KindSchema, SchemaNode, SchemaStore } from '../../schema/index.ts';
import { readObjects } from '../read-objects.ts';
import type { PackageParameters, PatchPackage, ResourceReference } from './patch-package.ts';
import { packageProblems } from './problems.ts';
import { reportUnreplaced } from './report-unreplaced.ts';

export interface ResourceReading {
  /** Without them, references stay as they are. */
  readonly parameters: Pick<PackageParameters, 'values' | 'writtenAt'> | undefined;
  readonly origins: OriginTable;
  readonly report: Report;
  /** Says which fields take texts and which take numbers. */
  readonly store: SchemaStore | undefined;
  readonly budget?: Budget | undefined;
}

export interface Resources {
  readonly objects: readonly KubeObject[];
  readonly references: readonly ResourceReference[];
}

/** The objects below `resources/`, in the order of the files, with the values of the parameters in them. */
export function readResources(
  { path, resources }: Pick<PatchPackage, 'path' | 'resources'>,
  reading: ResourceReading,
): Resources {
  const references: ResourceReference[] = [];
  const { parameters } = reading;
  const substitution = parameters && createResourceSubstitution(parameters, reading);
  const objects = resources.flatMap((file) => {
    const read = readFile(file, path, reading);
    reportKinds(read, file, reading.report);
    // An escape such as \x24 may stand for either character.
    const mayRefer = /\$\{|\{\{|\\[xuU]/.test(file.text);
    return read.flatMap((object) => {
      const filled =
        parameters === undefined || substitution === undefined || !mayRefer
          ? object
          : fill(object, references, { ...reading, parameters, substitution });
      if (filled === undefined) return [];
      reportNameless(filled, reading);
      return [filled];
    });
  });
  return { objects, references };
}

function readFile(
  file: SourceFile,
  source: string,
  { origins, report, budget }: ResourceReading,
): readonly KubeObject[] {
  const context = { origins, report, budget } as Pick<RenderContext, 'origins' | 'report'> as RenderContext;
  const origin = { renderer: 'patch-package', source, file: file.path };
  return readObjects(file, { context, report: refuseSkipping(report), originOf: () => origin });
}

/** Whatever is below `resources/` is meant to be an object, so nothing of it may be missing in the output. */
function refuseSkipping(report: Report): Report {
  return (diagnostic) => {
    if (diagnostic.code !== 'object-skipped') return report(diagnostic);
    const { location } = diagnostic;
    const number = (location?.document ?? 0) + 1;
    report(packageProblems.create('resource-without-kind', { number }, { location }));
  };
}

function reportNameless(object: KubeObject, { origins, report }: ResourceReading): void {
  if (nameOf(object) !== '' || hasGeneratedName(object)) return;
  const location = locateObject(object, origins);
  report(packageProblems.create('resource-nameless', { object: describeObject(object) }, { location }));
}

function hasGeneratedName({ metadata }: KubeObject): boolean {
  return isJsonObject(metadata) && typeof metadata['generateName'] === 'string' && metadata['generateName'] !== '';
}

interface Filling extends ResourceReading {
  readonly parameters: NonNullable<ResourceReading['parameters']>;
  readonly substitution: Substitution;
}

function fill(
  object: KubeObject,
  references: ResourceReference[],
  { parameters, substitution, origins, report, store }: Filling,
): KubeObject | undefined {
  const origin = origins.get(object)!;
  const { source, document, path: inside = [] } = origin.text!;
  const gvk = gvkOf(object);
  const kind = gvk === undefined ? undefined : store?.find(gvk);
  const locate = (path: Path, at?: 'key'): Location => ({
    file: source.path,
    document,
    path: [...inside, ...path],
    ...(at === undefined ? {} : { at }),
  });
  reportUnreplaced(object, { values: parameters.values, locate, report });
  const { data: filled, spots } = substitution.fillTree(object, {
    locate,
    adapt: ({ value, writtenAt }, path) =>
      typeForField(value, { node: kind && nodeAt(kind, path), path }, (inner) => writtenAt?.(inner)),
  });
  if (!isKubeObject(filled)) {
    const location = locateObject(object, origins);
    report(packageProblems.create('resource-not-an-object', { object: describeObject(object) }, { location }));
    return undefined;
  }
  if (filled !== object) origins.set(filled, origin);
  for (const { writtenPath: path, references: found } of spots) {
    for (const { text } of found) references.push({ object: filled, path, parameter: text });
  }
  return filled;
}

function nodeAt(kind: KindSchema, path: Path): SchemaNode | undefined {
  const field = fieldAt(kind, path);
  return 'found' in field ? field.found : undefined;
}

function reportKinds(objects: readonly KubeObject[], { path }: SourceFile, report: Report): void {
  const kinds = new Set(
    objects.map((object) => {
      const gvk = gvkOf(object);
      return gvk === undefined ? object.kind : `${gvk.group === '' ? '' : `${gvk.group}/`}${gvk.version} ${gvk.kind}`;
    }),
  );
  if (kinds.size < 2) return;
  report(packageProblems.create('resource-mixed-kinds', { kinds: [...kinds] }, { location: { file: path } }));
}
