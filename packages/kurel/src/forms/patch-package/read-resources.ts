import { nearest } from '../../diagnostics/index.ts';
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
import { isJsonArray, isJsonObject, isKubeObject } from '../../model/index.ts';
import type {
  Budget,
  Json,
  KubeObject,
  Location,
  OriginTable,
  Path,
  Report,
  SourceFile,
  Values,
} from '../../model/index.ts';
import {
  createResourceSubstitution,
  formatReferencePath,
  parameterProblems,
  parseTemplate,
  wholeReference,
} from '../../parameters/index.ts';
import type { Reference, Template } from '../../parameters/index.ts';
import { typeForField } from '../../patch/index.ts';
import { once } from '../../provenance/index.ts';
import { fieldAt } from '../../schema/index.ts';
import type { SchemaStore } from '../../schema/index.ts';
import { readObjects } from '../read-objects.ts';
import type { PackageParameters, PatchPackage, ResourceReference } from './patch-package.ts';
import { packageProblems } from './problems.ts';

interface ResourceReading {
  /** Without them, references are left unchanged. */
  readonly parameters: Pick<PackageParameters, 'values' | 'writtenAt'> | undefined;
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
  const namesNear = parameters && indexNames(Object.keys(parameters.values));
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
    reportUnreplaced(object, { values: parameters.values, namesNear, images, locate, report });
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

interface UnreplacedCheck {
  readonly values: Values;
  /** Parameters with a name similar to the given one. */
  readonly namesNear: (name: string) => readonly string[];
  readonly images: ReadonlySet<Json | undefined>;
  readonly locate: (path: Path) => Location;
  readonly report: Report;
}

/** Only references to parameters are replaced in resources; reports others that are most likely mistyped. */
function reportUnreplaced(value: Json, check: UnreplacedCheck, path: Path = []): void {
  if (typeof value === 'string') {
    if (path.at(-1) !== 'image' || !check.images.has(value)) checkText(value, path, check);
    return;
  }
  if (isJsonArray(value)) {
    for (const [index, item] of value.entries()) reportUnreplaced(item, check, [...path, index]);
    return;
  }
  if (!isJsonObject(value)) return;
  for (const [key, inner] of Object.entries(value)) {
    const here = [...path, key];
    checkText(key, here, { ...check, locate: (place) => ({ ...check.locate(place), at: 'key' }) });
    reportUnreplaced(inner, check, here);
  }
}

// Other programs have templates with other keywords, which are valid in their own objects.
const helmTemplate = /^\s*\{\{-?\s*(?:\.(?:Values|Release|Chart|Capabilities)\b|(?:include|template)\s)[^\n]*\}\}\s*$/;

function checkText(text: string, path: Path, check: UnreplacedCheck): void {
  if (helmTemplate.test(text)) {
    check.report(packageProblems.create('resource-template', { text }, { location: check.locate(path) }));
    return;
  }
  if (!text.includes('${')) return;
  const template = parseTemplate(text);
  const rest = template.unclosed === undefined ? '' : text.slice(template.unclosed);
  const name = /^\$\{\s*([^\s.[\]{}"'$]+)/.exec(rest)?.[1];
  if (name !== undefined && Object.hasOwn(check.values, name)) {
    const place = { location: check.locate(path), severity: 'warning' as const };
    check.report(parameterProblems.create('reference-unclosed', { text: rest.split('\n', 1)[0]! }, place));
  }
  for (const part of template.parts) {
    const near = typeof part === 'string' ? undefined : findNear(part, template, check);
    if (near === undefined) continue;
    const args = { reference: (part as Reference).text, near };
    check.report(packageProblems.create('resource-reference-near', args, { location: check.locate(path) }));
  }
}

/** Multi-line strings are files with their own syntax, and `${HOME}` is a shell variable. */
function findNear({ path }: Reference, template: Template, check: UnreplacedCheck): string | undefined {
  const { values, namesNear } = check;
  const [first, ...rest] = path ?? [];
  if (typeof first !== 'string' || Object.hasOwn(values, first) || template.text.includes('\n')) return undefined;
  if (rest.length === 0 && wholeReference(template) === undefined) return undefined;
  const near = nearest(first, namesNear(first), { maxDistance: 1 });
  const isOther = near === undefined || near.toLowerCase() === first.toLowerCase();
  return isOther ? undefined : formatReferencePath([near, ...rest]);
}

// Comparing each reference with each parameter would take minutes for thousands of both.
const mostCompared = 200;

/** Names that differ by one edit are equal after removing one character from one or both. */
function indexNames(names: readonly string[]): UnreplacedCheck['namesNear'] {
  if (names.length <= mostCompared) return () => names;
  const byVariant = once(() => {
    const variants = new Map<string, string[]>();
    for (const name of names) {
      for (const variant of variantsOf(name)) {
        const alike = variants.get(variant);
        if (alike === undefined) variants.set(variant, [name]);
        else if (alike.length < mostCompared) alike.push(name);
      }
    }
    return variants;
  });
  return (name) => variantsOf(name).flatMap((variant) => byVariant().get(variant) ?? []);
}

const longestName = 64;

function variantsOf(name: string): readonly string[] {
  if (name.length > longestName) return [];
  const lower = name.toLowerCase();
  return [lower, ...Array.from(lower, (_, index) => lower.slice(0, index) + lower.slice(index + 1))];
}
