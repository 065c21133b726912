import { isJsonArray, isJsonObject } from '../model/index.ts';
import type { Json, KubeObject, Location, Path } from '../model/index.ts';
import { parseTemplate, wholeReference } from '../parameters/index.ts';
import type { Reference, Template } from '../parameters/index.ts';
import type { SchemaNode } from '../schema/index.ts';
import { formatPath } from './apply/format-path.ts';
import type { KindShape } from './apply/kind-shape.ts';
import { locationBelow } from './apply/prepare-field.ts';
import { isBuiltIn } from './merge/merging.ts';

/** A field of a kind. List positions are left out: `spec.ports.port` is the port of any item. */
export interface TracedField {
  readonly kind: string;
  readonly path: readonly string[];
  readonly node: SchemaNode | undefined;
  /** Whether the kind is built into Kubernetes rather than defined by a CRD. */
  readonly builtIn: boolean;
}

export function rootFieldOf({ kind }: KubeObject, shape: KindShape): TracedField {
  return { kind, path: [], node: shape.schema, builtIn: isBuiltIn(shape.kindSchema) };
}

/** Enters a field of an object by name, or the items of a list by number. */
export function enterField(field: TracedField, step: string | number): TracedField {
  const { node } = field;
  if (typeof step === 'number') return { ...field, node: node?.type === 'list' ? node.items : undefined };
  return { ...field, path: [...field.path, step], node: node?.type === 'list' ? undefined : node?.property(step) };
}

const containerLists = ['containers', 'initContainers', 'ephemeralContainers'];

/** `Deployment.spec.replicas`; a container field is always `Container.…`, whatever the kind of the workload. */
export function nameOfField({ kind, path }: TracedField): string {
  const at = path.findIndex((name, index) => containerLists.includes(name) && path[index - 1] === 'spec');
  const [holder, inside] = at === -1 || at === path.length - 1 ? [kind, path] : ['Container', path.slice(at + 1)];
  const names = formatPath(inside);
  return names === '' || names.startsWith('[') ? `${holder}${names}` : `${holder}.${names}`;
}

/** A use of a parameter in a patch or manifest. */
export interface TracedReference {
  /** Path of the parameter, as written. */
  readonly parameter: Path;
  /** The reference without its braces. */
  readonly text: string;
  readonly role: ReferenceRole;
  /** The field that receives the value; `undefined` for names, and if the kind is unknown. */
  readonly field: TracedField | undefined;
  readonly location: Location;
}

export type ReferenceRole =
  /** The field gets the value of the parameter, with its type. */
  | 'whole'
  /** The value is part of a longer string. */
  | 'part'
  /** Part of the name of an object or field, or of a selector. */
  | 'name'
  /** Decides whether the object is part of the output. */
  | 'enabled';

export type Take = (reference: TracedReference) => void;

export interface Tracing {
  readonly field: TracedField | undefined;
  readonly location: Location;
  readonly take: Take;
}

/** Traces the references in a string that ends in a field. */
export function traceTemplate(template: Template, tracing: Tracing, role?: ReferenceRole): void {
  const whole = wholeReference(template);
  for (const part of template.parts) {
    if (typeof part !== 'string') takeReference(part, role ?? (part === whole ? 'whole' : 'part'), tracing);
  }
}

function takeReference({ path, text }: Reference, role: ReferenceRole, { field, location, take }: Tracing): void {
  if (path !== undefined) take({ parameter: path, text, role, field, location });
}

/** Traces the references in data, each with the field that it ends in. */
export function traceData(data: Json, tracing: Tracing): void {
  if (typeof data === 'string') {
    if (data.includes('${')) traceTemplate(parseTemplate(data), tracing);
  } else if (isJsonArray(data)) {
    data.forEach((item, index) => traceData(item, enter(tracing, index)));
  } else if (isJsonObject(data)) {
    for (const [key, value] of Object.entries(data)) {
      const inside = enter(tracing, key);
      if (key.includes('${')) {
        const place = { ...inside, field: undefined, location: { ...inside.location, at: 'key' as const } };
        traceTemplate(parseTemplate(key), place, 'name');
      }
      traceData(value, inside);
    }
  }
}

function enter({ field, location, take }: Tracing, step: string | number): Tracing {
  return {
    field: field === undefined ? undefined : enterField(field, step),
    location: locationBelow(location, [step]),
    take,
  };
}
