import { nearest } from '../../diagnostics/index.ts';
import { isJsonArray, isJsonObject } from '../../model/index.ts';
import type { Json, KubeObject, Location, Path, Report } from '../../model/index.ts';
import { formatReferencePath, parameterProblems, parseTemplate } from '../../parameters/index.ts';
import type { Reference } from '../../parameters/index.ts';
import { once } from '../../provenance/index.ts';
import { packageProblems } from './problems.ts';

interface UnreplacedCheck {
  /** Names of the parameters. */
  readonly names: ReadonlySet<string>;
  /** Parameters with a name similar to the given one. */
  readonly namesNear: (name: string) => readonly string[];
  /** Values that are checked elsewhere. */
  readonly images: ReadonlySet<Json | undefined>;
  readonly locate: (path: Path, at?: 'key') => Location;
  readonly report: Report;
}

interface Kept {
  readonly reference: string;
  readonly location: Location;
  readonly near: string | undefined;
}

/**
 * Only references to parameters are replaced in resources. Reports every other `${…}`: as an error if it looks like a reference to
 * a parameter, otherwise in one note for the object, because shells and Flux have variables of the same form.
 */
export function reportUnreplaced(object: KubeObject, check: UnreplacedCheck): void {
  const kept: Kept[] = [];
  visit(object, []);
  const [first] = kept;
  if (first === undefined) return;
  const references = [...new Set(kept.map(({ reference }) => reference))];
  const near = kept.find(({ near: resembled }) => resembled !== undefined)?.near;
  const args = { references, near };
  check.report(packageProblems.create('resource-reference-kept', args, { location: first.location }));

  function visit(value: Json, path: Path): void {
    if (typeof value === 'string') {
      if (path.at(-1) !== 'image' || !check.images.has(value))
        checkText(value, { place: () => check.locate(path), check, kept });
    } else if (isJsonArray(value)) {
      for (const [index, item] of value.entries()) visit(item, [...path, index]);
    } else if (isJsonObject(value)) {
      for (const [key, inner] of Object.entries(value)) {
        const here = [...path, key];
        checkText(key, { place: () => check.locate(here, 'key'), check, kept });
        visit(inner, here);
      }
    }
  }
}

interface TextCheck {
  readonly place: () => Location;
  readonly check: UnreplacedCheck;
  readonly kept: Kept[];
}

// Other programs have templates with other keywords, which are valid in their own objects.
const helmTemplate = /^\s*\{\{-?\s*(?:\.(?:Values|Release|Chart|Capabilities)\b|(?:include|template)\s)[^\n]*\}\}\s*$/;

function checkText(text: string, { place, check, kept }: TextCheck): void {
  const { report, names } = check;
  if (helmTemplate.test(text)) {
    report(packageProblems.create('resource-template', { text }, { location: place() }));
    return;
  }
  if (!text.includes('${')) return;
  const { parts, unclosed } = parseTemplate(text);
  const isLong = text.includes('\n');
  const keep = (reference: string, near?: string): unknown => kept.push({ reference, location: place(), near });
  if (unclosed !== undefined) {
    const rest = text.slice(unclosed).split('\n', 1)[0]!;
    const { name } = readStart(rest.slice(2));
    if (names.has(name)) {
      report(parameterProblems.create('reference-unclosed', { text: rest }, { location: place() }));
    } else keep(rest.slice(2));
  }
  for (const part of parts) {
    if (typeof part === 'string' || isReplaced(part, names)) continue;
    const look = resemblance(part, { isLong, check });
    if (look === undefined) keep(part.text);
    else if (look.isNote) keep(part.text, look.near);
    else if ('isSyntax' in look) {
      report(parameterProblems.create('reference-syntax', { reference: part.text }, { location: place() }));
    } else {
      const args = { reference: part.text, near: look.near };
      report(packageProblems.create('resource-reference-near', args, { location: place() }));
    }
  }
}

function isReplaced({ path }: Reference, names: UnreplacedCheck['names']): boolean {
  return typeof path?.[0] === 'string' && names.has(path[0]);
}

/** The name at the start of a text, and what follows: `image` of `image.tag`, `image[0]`, `image:-x` and `image-x`. */
function readStart(text: string): { readonly name: string; readonly rest: string } {
  const [, quoted, plain = ''] = /^\s*(?:\["([^"\\]+)"\]|([^\s.[\]{}"'$|=!&()?:,;<>+*%\\#/@^]+))/.exec(text) ?? [];
  return { name: quoted ?? plain, rest: text.slice(text.indexOf(plain) + plain.length) };
}

type Resemblance =
  | { readonly near: string; readonly isNote: boolean }
  /** It starts with a parameter, but is not a path. */
  | { readonly isSyntax: true; readonly isNote: false };

// A shorter name resembles too many others.
const shortestNear = 4;

/** The parameter that a reference most likely means. */
function resemblance(
  { text, path }: Reference,
  { isLong, check }: { readonly isLong: boolean; readonly check: UnreplacedCheck },
): Resemblance | undefined {
  const { names, namesNear } = check;
  const { name, rest } = readStart(text);
  const isSection = /^\s*[.[]/.test(rest);
  // `${image-latest}` is image with a default in a shell.
  const word = /^[A-Za-z_]\w*/.exec(name)?.[0] ?? '';
  if (path === undefined && (names.has(name) || (word !== name && names.has(word)))) {
    return { isSyntax: true, isNote: false };
  }
  // The notation of patches, which accept both.
  const inside = path?.[1];
  if (name === 'values' && typeof inside === 'string' && names.has(inside)) {
    return { near: formatReferencePath(path!.slice(1)), isNote: false };
  }
  // The notation of environment variables.
  if (name === '' || (!isSection && /^[A-Z_][A-Z0-9_]*$/.test(name))) return undefined;
  const near = nearest(name, namesNear(name), { maxDistance: 1 });
  if (near === undefined || (!isSection && Math.min(name.length, near.length) < shortestNear)) return undefined;
  const meant = formatReferencePath([near, ...(path?.slice(1) ?? [])]);
  // The variables of a script have names of their own.
  return { near: meant, isNote: isLong && !isSection };
}

// Comparing each reference with each parameter would take minutes for thousands of both.
const mostCompared = 200;

/** Names that differ by one edit are equal after removing one character from one or both. */
export function indexNames(names: readonly string[]): UnreplacedCheck['namesNear'] {
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
