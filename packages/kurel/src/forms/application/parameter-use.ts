import { valueAt } from '../../model/index.ts';
import type { Json, Path, Report, SourceFile } from '../../model/index.ts';
import {
  applicationSyntax,
  createUndeclared,
  findParameter,
  nearestReference,
  parameterProblems,
  referencesIn,
} from '../../parameters/index.ts';
import type { ParameterDeclaration } from '../../parameters/index.ts';
import { visitTemplates } from '../../documents/index.ts';
import type { LocatedData } from '../../documents/index.ts';
import { createIsOff } from './application-parts.ts';
import type { ApplicationPackage } from './load-application.ts';
import { applicationProblems } from './problems.ts';

interface Use {
  readonly off: readonly Path[];
  readonly declarations: readonly ParameterDeclaration[];
  readonly pkg: ApplicationPackage;
}

/** Parameters that are used only in disabled parts, directly or through the defaults of others. */
export function findNeedless(application: Json, { off, declarations, pkg }: Use): ReadonlySet<string> {
  if (off.length === 0) return new Set();
  const references = findReferences(application, createIsOff(off));
  const byName = new Map(declarations.map((declaration) => [declaration.name, declaration]));
  const nameOf = (reference: string): string => findParameter(reference, declarations)?.name ?? reference;
  const close = (names: Iterable<string>): Set<string> => {
    const closed = new Set<string>();
    const rest = Array.from(names, nameOf);
    for (let name = rest.pop(); name !== undefined; name = rest.pop()) {
      if (closed.has(name)) continue;
      closed.add(name);
      for (const reference of namesIn(byName.get(name)?.default)) rest.push(nameOf(reference));
    }
    return closed;
  };
  const inPatches = pkg.patches.flatMap(({ source }) => namesIn(source.text));
  const inParts = close(references.off);
  const unused = declarations.flatMap(({ name }) => (inParts.has(name) ? [] : [name]));
  const needed = close([...references.on, ...inPatches, ...unused]);
  return new Set([...inParts].filter((name) => !needed.has(name)));
}

/** The references in the strings of an application as written, separately for enabled and disabled parts. */
export function findReferences(
  application: Json,
  isOff: (path: Path) => boolean = () => false,
): Readonly<Record<'on' | 'off', ReadonlySet<string>>> {
  const references = { on: new Set<string>(), off: new Set<string>() };
  visitTemplates(application, [], (text, path) => {
    // Parts are at spec.components[i] and spec.components[i].traits[j].
    const part = [path.slice(0, 5), path.slice(0, 3)].find(isOff);
    // The condition is evaluated even when it disables the part.
    const into = part === undefined || path[part.length] === 'enabled' ? references.on : references.off;
    for (const name of namesIn(text)) into.add(name);
  });
  return references;
}

function namesIn(data: Json | undefined): readonly string[] {
  return data === undefined ? [] : referencesIn(data, applicationSyntax).map(({ text }) => text);
}

/** Reports parameters without a use, references without a declaration, and references without a closing brace. */
export function reportUse(authored: LocatedData, use: Use, report: Report): void {
  const unclosed = findUnclosed(authored.data, use.declarations);
  reportUnused(authored.data, use, [...unclosed.values()], report);
  reportUndeclared(authored, use, report);
  for (const [path, reference] of unclosed) {
    // A warning only: without the brace, the value is an ordinary string.
    const place = { location: authored.locate(path), severity: 'warning' as const };
    report(parameterProblems.create('reference-unclosed', { text: `\${${reference}` }, place));
  }
}

/** Setting an unused parameter has no effect, which users would not notice. */
function reportUnused(
  application: Json,
  { declarations, pkg }: Use,
  unclosed: readonly string[],
  report: Report,
): void {
  const { on } = findReferences(application);
  const references = new Set([
    ...on,
    ...unclosed,
    ...pkg.patches.flatMap(({ source }) => namesIn(source.text)),
    ...declarations.flatMap((declaration) => namesIn(declaration.default)),
  ]);
  // A misspelled reference is reported separately, and counts as a use of the parameter it resembles.
  const used = new Set(Array.from(references, (reference) => findMeant(reference, declarations)));
  for (const { name, location } of declarations) {
    if (used.has(name)) continue;
    const place = { ...location, path: [...(location.path ?? []), 'name'] };
    report(parameterProblems.create('parameter-unused', { name, where: 'app.yaml' }, { location: place }));
  }
}

function findMeant(reference: string, declarations: readonly ParameterDeclaration[]): string | undefined {
  const near =
    findParameter(reference, declarations) === undefined ? nearestReference(reference, declarations) : undefined;
  const [first] = /^[^.[]*/.exec(reference) ?? [];
  return findParameter(near ?? reference, declarations)?.name ?? first;
}

/** Disabled parts are not filled in, but their references must still be declared. */
function reportUndeclared({ data, locate }: LocatedData, { off, declarations }: Use, report: Report): void {
  for (const path of off) {
    visitTemplates(valueAt(data, path), path, (text, place) => {
      for (const reference of namesIn(text)) {
        if (findParameter(reference, declarations) !== undefined) continue;
        report({ ...createUndeclared(reference, declarations), location: locate(place) });
      }
    });
  }
}

// Matches only declared-looking names: a shell's `${` is often followed by other characters.
const openReference = /(?<!\$)\$\{([A-Za-z_][\w.-]*)/;

/** References without a closing brace, by the path of their string. */
function findUnclosed(application: Json, declarations: readonly ParameterDeclaration[]): ReadonlyMap<Path, string> {
  const unclosed = new Map<Path, string>();
  const declared = new Set(declarations.map(({ name }) => name));
  visitTemplates(application, [], (text, path) => {
    const reference = openReference.exec(text.slice(text.lastIndexOf('}') + 1))?.[1];
    const name = reference === undefined ? undefined : findParameter(reference, declarations)?.name;
    // The name of the package is a parameter without a declaration.
    if (name !== undefined && declared.has(name)) unclosed.set(path, reference!);
  });
  return unclosed;
}

// `sh -c 'echo ${HOME}'` is an ordinary string; a value that is only a reference was probably meant as one.
const wholeReference = /^\$\{([A-Za-z_][\w.-]*)\}$/;

/** Without declarations a reference is a literal string. */
export function reportIneffective({ data, locate }: LocatedData, { text: source }: SourceFile, report: Report): void {
  // Only an escape could be read as a reference that the text does not contain.
  if (!source.includes('${') && !source.includes('\\')) return;
  visitTemplates(data, [], (text, path) => {
    const name = wholeReference.exec(text)?.[1];
    if (name === undefined) return;
    report(applicationProblems.create('reference-without-package', { name }, { location: locate(path) }));
  });
}
