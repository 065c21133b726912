import { formatField, formatObject, sha256, writeJson } from '../../index.ts';
import type { ImageList, ImageUse, ListedImage, NamedImageReference, StepKind, TraceStep } from '../../index.ts';
import { compareText } from '../../model/index.ts';
import type { JsonObject, Location } from '../../model/index.ts';
import { groupBy } from '../../provenance/index.ts';
import { spell } from '../../diagnostics/index.ts';
import { spellAsFlags } from '../spell-findings.ts';
import { kurelVersion } from '../kurel-version.ts';

/** It has no timestamp: the same input results in the same bytes. */
export function imagesToCycloneDx({ images, hidden }: ImageList, name: string, toolVersion = kurelVersion): string {
  const components = groupByIdentity(images).map(describeComponent);
  return formatBill({
    metadata: {
      tools: { components: [{ type: 'application', name: 'kurel', version: toolVersion }] },
      component: { type: 'application', 'bom-ref': 'built', name },
    },
    components,
    dependencies: [{ ref: 'built', dependsOn: components.map((component) => component['bom-ref']) }],
    ...(hidden.length === 0 ? {} : { compositions: [{ aggregate: 'incomplete', dependencies: ['built'] }] }),
  });
}

/** A bill of materials in CycloneDX 1.6, whose serial number is a hash of its content. */
export function formatBill(content: JsonObject): string {
  const bill = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(writeJson(content, 0))}`,
    version: 1,
    ...content,
  };
  return `${writeJson(bill)}\n`;
}

/** Two spellings can name the same image: `nginx` and `docker.io/library/nginx`. */
function groupByIdentity(images: readonly ListedImage[]): readonly (readonly ListedImage[])[] {
  const groups = groupBy(images, ({ image, reference }) => (reference === undefined ? image : purlOf(reference)));
  return [...groups].toSorted(([a], [b]) => compareText(a, b)).map(([, group]) => group);
}

function describeComponent(group: readonly ListedImage[]): JsonObject & { readonly 'bom-ref': string } {
  const { image, reference } = group[0]!;
  const uses = group.flatMap((listed) => listed.uses.map((use) => ({ image: listed.image, use })));
  const properties = uses.flatMap(({ image: text, use }, index) => describeUse(use, text, index));
  if (reference === undefined) return { type: 'container', 'bom-ref': `image:${image}`, name: image, properties };
  const { registry, path, tag, digest } = reference;
  const purl = purlOf(reference);
  return {
    type: 'container',
    'bom-ref': purl,
    name: `${registry}/${path}`,
    version: tag ?? digest ?? 'latest',
    purl,
    properties,
  };
}

/** Property names are numbered, so that the properties of different uses can be distinguished. */
function describeUse(use: ImageUse, text: string, index: number): readonly JsonObject[] {
  const { object, path } = use;
  const property = (name: string, value: string): JsonObject => ({ name: `kurel:use:${index}:${name}`, value });
  const parameters = changersOf(use).flatMap(({ parameter }) => parameter ?? []);
  return [
    property('image', text),
    property('object', formatObject(object)),
    property('field', formatField(path, object)),
    ...parameters.map((parameter) => property('parameter', parameter)),
  ];
}

/** A package URL of type `oci`: qualifiers sorted alphabetically, slashes encoded, colons not. */
function purlOf({ registry, path, tag, digest }: NamedImageReference): string {
  const encode = (text: string): string => encodeURIComponent(text).replaceAll('%3A', ':');
  const version = digest === undefined ? '' : `@${encode(digest)}`;
  // The default of the container runtime without a tag and a digest.
  const named = tag ?? (digest === undefined ? 'latest' : undefined);
  const qualifiers = [
    `repository_url=${encode(`${registry}/${path}`)}`,
    ...(named === undefined ? [] : [`tag=${encode(named)}`]),
  ];
  return `pkg:oci/${encode(path.slice(path.lastIndexOf('/') + 1))}${version}?${qualifiers.join('&')}`;
}

/** A UUID of version 8, whose bits an application may choose. */
function uuidOf(text: string): string {
  const digits = sha256(text);
  const variant = ((Number.parseInt(digits[16]!, 16) & 0x3) | 0x8).toString(16);
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-');
}

/** A place that a user edits to change an image. */
export interface ImageChanger {
  readonly kind: StepKind;
  /** Name of the parameter, if it is one. */
  readonly parameter?: string;
  /** Source of the value: `--set image.tag=2`, `default`; empty if the location is enough. */
  readonly words: string;
  readonly location?: Location | undefined;
}

// Causes of the same step: none of them overrides the others.
const composed: ReadonlySet<StepKind> = new Set(['author', 'profile', 'policy', 'default']);

/** The last step that set the field, or the parameters that it substituted. Each is reported once. */
export function changersOf({ trace, likely }: ImageUse): readonly ImageChanger[] {
  const steps = trace?.steps ?? [];
  const last = steps.at(-1);
  const isComposed = last !== undefined && composed.has(last.kind);
  const start = isComposed ? steps.findLastIndex(({ kind }) => !composed.has(kind)) + 1 : -1;
  // A patch overrides the source of the object, so the likely causes there do not count.
  const changers = [...steps.slice(start), ...(isComposed ? likely : [])].flatMap(changersIn);
  return [...new Map(changers.map((changer) => [JSON.stringify(changer), changer])).values()];
}

function changersIn({ kind, words, location, parameters }: TraceStep): readonly ImageChanger[] {
  if (parameters.length === 0) return [{ kind, words: spell(words, spellAsFlags), location }];
  return parameters.map((parameter) => ({
    kind: 'parameter',
    parameter: parameter.name,
    words: spell(parameter.words, spellAsFlags),
    location: parameter.location,
  }));
}
