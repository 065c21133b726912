import { textAt } from '../../kube/index.ts';
import { valueAt } from '../../model/index.ts';
import type { Json, Path } from '../../model/index.ts';
import { applicationSyntax, fillWherePossible, findValue } from '../../parameters/index.ts';
import type { DeclaredValues } from '../../parameters/index.ts';
import { fieldAt } from '../../schema/index.ts';
import type { Catalog } from './catalog/catalog.ts';
import type { FindKubernetesField } from './check-kubernetes.ts';
import { anyMapping } from './documents/field.ts';
import type { Field, Fields, KubernetesField } from './documents/field.ts';
import { applicationTables } from './documents/read-application-document.ts';

interface TextOptions {
  readonly catalog: Catalog;
  /** `undefined` if no Kubernetes schemas are available. */
  readonly findField: FindKubernetesField | undefined;
  readonly parameters: DeclaredValues;
}

const { metadata, spec } = applicationTables;
const document: Field = { type: 'object', properties: { metadata, spec } };

/** Tells whether a path of an application accepts only strings, according to the property tables and Kubernetes schemas. */
export function createFindTexts(application: Json, options: TextOptions): (path: Path) => boolean {
  return (path) => {
    let field: Field | undefined = document;
    let data: Json | undefined = application;
    for (const [depth, step] of path.entries()) {
      const rest = path.slice(depth);
      if (field?.kubernetes !== undefined) return isText(field.kubernetes, rest);
      const inner: Field | undefined = field === undefined ? undefined : fieldIn(field, step);
      // An inline object states its own kind.
      const [apiVersion, kind] = [textAt(data, 'apiVersion'), textAt(data, 'kind')];
      const isFree = inner?.type === 'any' && apiVersion !== undefined && kind !== undefined;
      if (isFree) return isText([apiVersion, kind], rest);
      field = inner === anyMapping && step === 'properties' ? tableOf(data, path) : inner;
      data = valueAt(data, [step]);
    }
    if (field?.kubernetes !== undefined) return isText(field.kubernetes, []);
    return field?.type === 'string' || field?.type === 'scalar';
  };

  function isText(field: KubernetesField, path: Path): boolean {
    const schema = options.findField?.(field);
    const found = schema === undefined ? undefined : fieldAt({ schema }, path);
    return found !== undefined && 'found' in found && found.found.type === 'string';
  }

  /** The property table of a component, trait or policy. */
  function tableOf(part: Json | undefined, path: Path): Field | undefined {
    const { components, traits, policies } = options.catalog;
    const handlers: ReadonlyMap<string, { readonly properties: Fields }> =
      path[1] === 'policies' ? policies : path[3] === 'traits' ? traits : components;
    const properties = handlers.get(typeOf(textAt(part, 'type') ?? ''))?.properties;
    return properties === undefined ? undefined : { type: 'object', properties };
  }

  function typeOf(text: string): string {
    return (
      fillWherePossible(text, (reference) => findValue(reference.text, options.parameters), applicationSyntax) ?? ''
    );
  }
}

function fieldIn({ properties = {}, open, items }: Field, step: string | number): Field | undefined {
  if (typeof step === 'number') return items;
  return Object.hasOwn(properties, step) ? properties[step] : open;
}
