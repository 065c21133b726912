import { hideSecrets } from '../../diagnostics/index.ts';
import { annotationsOf, nameOf, namespaceOf, parseApiVersion } from '../../kube/index.ts';
import { formatField } from '../../index.ts';
import { isKubeObject } from '../../model/index.ts';
import type { Diagnostic, Json, JsonObject, KubeObject, Location } from '../../model/index.ts';
import { locateInYaml } from '../../yaml/index.ts';
import { locatePlace } from '../explain/answer-from-build.ts';
import type { Findings } from '../print-diagnostics.ts';

interface ResultContext {
  /** The items that findings are about, by the name of their text. */
  readonly items: ReadonlyMap<string, KubeObject>;
  readonly functionConfig?: Json | undefined;
  /** Other objects that findings may be about. */
  readonly objects: readonly KubeObject[];
}

const severities = { error: 'error', warning: 'warning', note: 'info' } as const;

/** Findings as results of a KRM function, without the values of Secrets. */
export function describeResults({ diagnostics, sources }: Findings, context: ResultContext): readonly JsonObject[] {
  const texts = new Map(sources.map((source) => [source.path, source]));
  const lineOf = (location: Location): number | undefined => {
    const source = texts.get(location.file);
    return source && locatePlace(source, location).line;
  };
  const shown = hideSecrets(diagnostics, { sources, locate: locateInYaml });
  return shown.map((diagnostic) => describeResult(diagnostic, { subject: subjectOf(diagnostic, context), lineOf }));
}

interface ResultPlace {
  readonly subject: ResultSubject | undefined;
  readonly lineOf: (location: Location) => number | undefined;
}

function describeResult(
  { code, severity, message, hint, location }: Diagnostic,
  { subject, lineOf }: ResultPlace,
): JsonObject {
  const inFile = subject?.location === undefined ? location : undefined;
  const line = inFile && lineOf(inFile);
  return {
    message: hint === undefined ? message : `${message}; ${hint}`,
    severity: severities[severity],
    ...(subject === undefined ? {} : { resourceRef: refer(subject.object) }),
    ...(subject?.location === undefined ? {} : describeField(subject.location, subject.object)),
    ...(inFile === undefined || isInput(inFile) ? {} : { file: { path: inFile.file } }),
    tags: { code, ...(line === undefined ? {} : { line: String(line) }) },
  };
}

/** Parts of standard input are not files. */
function isInput({ file }: Location): boolean {
  return file === 'stdin' || file === 'functionConfig';
}

interface ResultSubject {
  readonly object: KubeObject;
  /** Present if the finding is about a field that the caller knows. */
  readonly location?: Location | undefined;
}

function subjectOf({ location, object: name }: Diagnostic, context: ResultContext): ResultSubject | undefined {
  const { items, functionConfig, objects } = context;
  if (location?.file === 'functionConfig' && isKubeObject(functionConfig)) return { object: functionConfig, location };
  const item = items.get(location?.file ?? '');
  if (item !== undefined) return { object: item, location };
  const object = objects.find(
    (one) =>
      one.kind === name?.kind &&
      nameOf(one) === name.name &&
      namespaceOf(one) === name.namespace &&
      parseApiVersion(one.apiVersion)?.group === name.group,
  );
  return object === undefined ? undefined : { object };
}

function refer(object: KubeObject): JsonObject {
  const { apiVersion, kind } = object;
  const [name, namespace] = [nameOf(object), namespaceOf(object)];
  return { apiVersion, kind, ...(name === '' ? {} : { name }), ...(namespace === '' ? {} : { namespace }) };
}

function describeField({ path = [] }: Location, object: KubeObject): JsonObject {
  const annotations = annotationsOf(object);
  const read = (key: string): string | undefined =>
    annotations[`internal.config.kubernetes.io/${key}`] ?? annotations[`config.kubernetes.io/${key}`];
  const [file, index] = [read('path'), Number(read('index') ?? '0')];
  return {
    ...(path.length === 0 ? {} : { field: { path: formatField(path, object) } }),
    ...(file === undefined ? {} : { file: { path: file, ...(Number.isInteger(index) ? { index } : {}) } }),
  };
}
