import { textAt, withoutAnnotations, annotationsOf } from '../../kube/index.ts';
import { isJsonArray, isJsonObject } from '../../model/index.ts';
import type { KubeObject, SourceFile } from '../../model/index.ts';
import { editDocument, readYaml } from '../../yaml/index.ts';
import type { Kustomization } from './scan-kustomization.ts';

const annotation = 'config.kubernetes.io/origin';
const setting = 'originAnnotations';

/** Whether a kustomization asks kustomize to annotate objects with where they come from. */
export function asksForOrigins({ data }: Kustomization): boolean {
  const { buildMetadata } = data;
  return isJsonArray(buildMetadata) && buildMetadata.includes(setting);
}

/** The file of a kustomization, changed so that it asks for origins. One that kustomize will refuse stays as it is. */
export function askForOrigins({ source, data }: Kustomization): SourceFile {
  const { buildMetadata = [] } = data;
  const document = readYaml(source).documents[0];
  if (!isJsonObject(document?.data) || !isJsonArray(buildMetadata)) return source;
  const { range } = document;
  const wanted = { ...data, buildMetadata: [...buildMetadata, setting] };
  const edited = editDocument(source, range, { wanted, parsed: document.data });
  return { ...source, text: source.text.slice(0, range.start) + edited + source.text.slice(range.end) };
}

/** The object as kustomize prints it without origins. */
export function withoutOrigin(object: KubeObject): KubeObject {
  return withoutAnnotations(object, [annotation]);
}

/**
 * The file that an object comes from, as kustomize names it: from the kustomization, or inside a repository that was fetched. For a
 * generated object it is the file that configures the generator.
 */
export function originOf(object: KubeObject): { readonly path: string; readonly repository?: string } | undefined {
  const text = annotationsOf(object)[annotation];
  const data = text === undefined ? undefined : readYaml({ path: annotation, text }).documents[0]?.data;
  if (!isJsonObject(data)) return undefined;
  const path = textAt(data, 'path') ?? textAt(data, 'configuredIn');
  if (path === undefined) return undefined;
  const repository = textAt(data, 'repo');
  if (repository === undefined) return { path };
  const ref = textAt(data, 'ref');
  return { path, repository: `${withoutLogin(repository)}//${path}${ref === undefined ? '' : `?ref=${ref}`}` };
}

/** An address may have a password in it. */
function withoutLogin(address: string): string {
  return address.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@]*@/i, '$1');
}
