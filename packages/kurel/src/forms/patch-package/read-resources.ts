import {
  carryOrigin,
  containersOf,
  describeObject,
  gvkOf,
  locateObject,
  nameOf,
  podSiteOf,
  textAt,
} from '../../kube/index.ts';
import { isKubeObject } from '../../model/index.ts';
import type { Budget, KubeObject, Location, OriginTable, Path, Report, SourceFile } from '../../model/index.ts';
import { createResourceSubstitution } from '../../parameters/index.ts';
import { typeForField } from '../../patch/index.ts';
import { fieldAt } from '../../schema/index.ts';
import type { SchemaStore } from '../../schema/index.ts';
import { readObjects } from '../read-objects.ts';
import type { PackageParameters, PatchPackage, ResourceReference } from './patch-package.ts';
import { packageProblems } from './problems.ts';
import { indexNames, reportUnreplaced } from './unreplaced-references.ts';

interface ResourceReading {
  /** Without them, references are left unchanged. */
  readonly parameters: Pick<PackageParameters, 'values' | 'names' | 'writtenAt'> | undefined;
  readonly origins: OriginTable;
  readonly report: Report;
  /** Determines which fields are strings and which are numbers. */
  readonly store: SchemaStore | undefined;
  readonly budget?: Budget | undefined;
}

/** Objects in `resources/`, in file order, with parameters filled in. */
export function readResources(
  { path: source, resources }: Pick<PatchPackage, 'path' | 'resources'>,
  reading: ResourceReading,
): { readonly objects: readonly KubeObject[]; readonly references: readonly ResourceReference[] } {
  const { parameters, origins, report, store } = reading;
  const references: ResourceReference[] = [];
  const substitution = parameters && createResourceSubstitution(parameters, reading);
  const namesNear = parameters && indexNames([...parameters.names]);
  const objects = resources.flatMap((file) => {
    const origin = { renderer: 'patch-package', source, file: file.path };
    const read = readObjects(file, { context: reading, report: refuseSkipping(report), originOf: () => origin });
    reportKinds(read, file, report);
    // An escape such as \x24 may be either character.
    const mayRefer = /\$\{|\{\{|\\[xuU]/.test(file.text);
    return read.flatMap((object) => {
      const filled = mayRefer ? fill(object) : object;
      if (filled !== undefined && isNameless(filled)) reportObject('resource-nameless', filled);
      return filled ?? [];
    });
  });
  return { objects, references };

  function fill(object: KubeObject): KubeObject | undefined {
    if (parameters === undefined || substitution === undefined || namesNear === undefined) return object;
    const gvk = gvkOf(object);
    const kind = gvk === undefined ? undefined : store?.find(gvk);
    const locate = (path: Path, at?: 'key'): Location => ({
      ...locateObject(object, origins, path)!,
      ...(at === undefined ? {} : { at }),
    });
    const pod = gvk && podSiteOf(object, gvk);
    // Validation reports placeholders in the images of the final objects, because a patch may replace them.
    const images = new Set(pod === undefined ? [] : containersOf(pod).map((site) => site.container['image']));
    reportUnreplaced(object, { names: parameters.names, namesNear, images, locate, report });
    const { data: filled, spots } = substitution.fillTree(object, {
      locate,
      adapt: ({ value, writtenAt }, path) => {
        const field = kind && fieldAt(kind, path);
        const node = field && 'found' in field ? field.found : undefined;
        return typeForField(value, { node, path }, (inner) => writtenAt?.(inner));
      },
    });
    if (!isKubeObject(filled)) {
      reportObject('resource-not-an-object', object);
      return undefined;
    }
    carryOrigin(origins, object, filled);
    for (const { writtenPath: path, references: inText } of spots) {
      for (const reference of inText) references.push({ object: filled, path, parameter: reference.text });
    }
    return filled;
  }

  function reportObject(code: 'resource-nameless' | 'resource-not-an-object', object: KubeObject): void {
    const location = locateObject(object, origins);
    report(packageProblems.create(code, { object: describeObject(object) }, { location }));
  }
}

/** Every document in `resources/` is meant to be an object, so a skipped one is an error. */
function refuseSkipping(report: Report): Report {
  return (diagnostic) => {
    if (diagnostic.code !== 'object-skipped') return report(diagnostic);
    const { location } = diagnostic;
    const number = (location?.document ?? 0) + 1;
    report(packageProblems.create('resource-without-kind', { number }, { location }));
  };
}

function isNameless(object: KubeObject): boolean {
  return nameOf(object) === '' && (textAt(object['metadata'], 'generateName') ?? '') === '';
}

function reportKinds(objects: readonly KubeObject[], { path }: SourceFile, report: Report): void {
  const kinds = new Set(
    objects.map((object) => (gvkOf(object) === undefined ? object.kind : `${object.apiVersion} ${object.kind}`)),
  );
  if (kinds.size < 2) return;
  report(packageProblems.create('resource-mixed-kinds', { kinds: [...kinds] }, { location: { file: path } }));
}
