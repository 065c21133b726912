import { listAt, mappingAt, textAt } from '../../kube/index.ts';
import { isJsonObject } from '../../model/index.ts';
import type { Json, JsonObject, Report } from '../../model/index.ts';
import { fillWherePossible, findValue, resolveDeclared } from '../../parameters/index.ts';
import type { DeclaredValues, ParameterDeclaration, ParameterLayer } from '../../parameters/index.ts';
import type { Catalog } from './catalog/catalog.ts';
import { readOneDocument } from '../../documents/index.ts';
import type { PackageDocument } from '../../documents/index.ts';
import { findOptionalParts } from './application-parts.ts';
import { findNeeded } from './load-application.ts';
import type { ApplicationPackage } from './load-application.ts';
import { findNeedless } from './parameter-use.ts';
import { readPackage } from './resolve-application.ts';

/** Facts about an application package that do not need a build. */
export interface ApplicationExamination {
  readonly path: string;
  readonly package: PackageDocument | undefined;
  /** Of the application. Contains references if their parameters have no value. */
  readonly name: string;
  readonly namespace: string | undefined;
  readonly declarations: readonly ParameterDeclaration[];
  /** Parameters that are used only in parts that can be disabled. */
  readonly optional: ReadonlySet<string>;
  /** The parameters that already have a value. */
  readonly parameters: DeclaredValues | undefined;
  readonly components: readonly ExaminedPart[];
  /** Traits that require a capability from the profile. */
  readonly capabilities: readonly string[];
  readonly patches: readonly string[];
}

export interface ExaminedPart {
  readonly name: string;
  readonly type: string;
  /** The condition that enables it. */
  readonly enabled: Json | undefined;
  readonly traits: readonly Omit<ExaminedPart, 'name' | 'traits'>[];
}

interface ExamineOptions {
  readonly catalog: Catalog;
  readonly layers: readonly ParameterLayer[];
  readonly report: Report;
}

/** Inspects a package without building it, so that no profile and no values are required. */
export function examineApplication(
  pkg: ApplicationPackage,
  { catalog, layers, report }: ExamineOptions,
): ApplicationExamination | undefined {
  const located = readOneDocument(pkg.application, report);
  const declared = readPackage(pkg, { report });
  if (located === undefined || !isJsonObject(located.data)) return undefined;
  if (pkg.declaration !== undefined && declared === undefined) return undefined;
  const components = listAt(mappingAt(located.data, 'spec'), 'components').filter(isJsonObject);
  const metadata = mappingAt(located.data, 'metadata');
  const declarations = declared?.declarations ?? [];
  const parameters =
    declared && resolveDeclared(declarations, layers, { ...declared.settings, report, isUsed: () => false });
  const fill = (text: string): string =>
    fillWherePossible(text, (reference) => parameters && findValue(reference.text, parameters)) ?? text;
  const namespace = textAt(metadata, 'namespace');
  const switched = findOptionalParts(located.data).flatMap(({ path, enabled }) => (enabled === true ? [] : [path]));
  return {
    path: pkg.path,
    package: declared?.document,
    name: fill(textAt(metadata, 'name') ?? ''),
    namespace: namespace === undefined ? undefined : fill(namespace),
    declarations,
    optional: findNeedless(located.data, { off: switched, declarations, pkg }),
    parameters,
    components: components.map((component) => examineComponent(component, fill)),
    capabilities: findNeeded(located.data, catalog).map(({ type }) => type),
    patches: pkg.patches.map(({ source }) => source.path.slice(pkg.path.length + 1)),
  };
}

function examineComponent(component: JsonObject, fill: (text: string) => string): ExaminedPart {
  const traits = listAt(component, 'traits').filter(isJsonObject).map(partOf);
  return { name: fill(textAt(component, 'name') ?? ''), ...partOf(component), traits };
}

function partOf(part: JsonObject): Omit<ExaminedPart, 'name' | 'traits'> {
  return { type: textAt(part, 'type') ?? '', enabled: Object.hasOwn(part, 'enabled') ? part['enabled'] : undefined };
}
