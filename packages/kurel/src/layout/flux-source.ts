import { checkDnsLabel, checkDnsSubdomain } from '../kube/index.ts';
import type { JsonObject, Report } from '../model/index.ts';
import { layoutProblems } from './problems.ts';

/** The kinds that a Flux Kustomization can read from. */
const kinds: readonly string[] = ['GitRepository', 'OCIRepository', 'Bucket', 'ExternalArtifact'];

/** `KIND/NAME[.NAMESPACE]`. A namespace has no dots, so what is behind the last one is it. */
export function readFluxSource(source: string, report: Report): JsonObject | undefined {
  const [written = '', place, ...more] = source.split('/');
  const kind = kinds.find((one) => one.toLowerCase() === written.toLowerCase());
  const isReference = place !== undefined && more.length === 0;
  if (isReference && kind === undefined) {
    report(layoutProblems.create('flux-source-kind', { source, kind: written, kinds }));
    return undefined;
  }
  const { name, namespace } = splitPlace(place ?? '');
  const reason = isReference ? findReason(name, namespace) : 'it is not of the form KIND/NAME';
  if (reason === undefined) return { kind: kind!, name, ...(namespace === undefined ? {} : { namespace }) };
  report(layoutProblems.create('flux-source-invalid', { source, reason }));
  return undefined;
}

function splitPlace(place: string): { readonly name: string; readonly namespace?: string } {
  const dot = place.lastIndexOf('.');
  return dot === -1 ? { name: place } : { name: place.slice(0, dot), namespace: place.slice(dot + 1) };
}

function findReason(name: string, namespace: string | undefined): string | undefined {
  const nameReason = checkDnsSubdomain(name);
  if (nameReason !== undefined) return `its name ${nameReason}`;
  const namespaceReason = namespace === undefined ? undefined : checkDnsLabel(namespace);
  return namespaceReason === undefined ? undefined : `its namespace ${namespaceReason}`;
}
