import type { DescribedType, KindSchema } from '../index.ts';

/** What a field is of that is shown. */
export type ShownSubject = KindSchema | ShownType;

/** A type of the catalog, and who writes the properties that are shown. */
interface ShownType extends DescribedType {
  readonly writer: 'author' | 'platform';
  /** The kind that is called the same, but for its case. */
  readonly namesake: string | undefined;
}

export function subjectLines(subject: ShownSubject): readonly string[] {
  return 'category' in subject ? typeLines(subject) : kindLines(subject);
}

export function subjectToJson(subject: ShownSubject): Readonly<Record<string, string>> {
  if ('category' in subject) return { [subject.category]: subject.type, writer: subject.writer };
  const { gvk, scope, source } = subject;
  return { group: gvk.group, version: gvk.version, kind: gvk.kind, scope, source };
}

function kindLines(kind: KindSchema): readonly string[] {
  const { group, version, kind: name } = kind.gvk;
  return [
    ...(group === '' ? [] : [`GROUP:      ${group}`]),
    `KIND:       ${name}`,
    `VERSION:    ${version}`,
    `SOURCE:     ${kind.source}`,
    `SCOPE:      ${kind.scope}`,
    ...deprecationLines(kind),
  ];
}

function deprecationLines({ deprecation }: KindSchema): readonly string[] {
  if (deprecation === undefined) return [];
  const { since, removedIn, replacement, warning } = deprecation;
  const words = [
    since === undefined ? undefined : `since ${since}`,
    removedIn === undefined ? undefined : `gone in ${removedIn}`,
    replacement === undefined ? undefined : `use ${replacement}`,
    warning,
  ].filter((word) => word !== undefined);
  return [`DEPRECATED: ${words.join(', ')}`];
}

const placesOf: Readonly<Record<DescribedType['category'], string>> = {
  component: 'spec.components[].properties of app.yaml',
  trait: 'spec.components[].traits[].properties of app.yaml',
  policy: 'spec.policies[].properties of app.yaml',
};

function typeLines({ category, type, writer, namesake }: ShownType): readonly string[] {
  const place = writer === 'author' ? placesOf[category] : `spec.capabilities.${type}.rendering of a ClusterProfile`;
  return [
    `${category.toUpperCase()}:`.padEnd(12) + type,
    `WRITTEN IN: ${place}`,
    ...(namesake === undefined ? [] : [`SEE ALSO:   kurel schema show ${namesake}, for the kind`]),
  ];
}
