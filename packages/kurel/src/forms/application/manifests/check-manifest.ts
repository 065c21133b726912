import {
  checkDnsLabel,
  checkDnsSubdomain,
  checkPathSegment,
  describeObject,
  gvkOf,
  nameOf,
  namespaceOf,
} from '../../../kube/index.ts';
import { isJsonArray } from '../../../model/index.ts';
import type { KubeObject, Location, Path, Report } from '../../../model/index.ts';
import type { Field } from '../documents/field.ts';
import { readField } from '../documents/read-field.ts';
import { manifestProblems } from './problems.ts';

const open = { type: 'any' } as const satisfies Field;

/** The fields that are read from objects of any kind; the rest is validated later. */
const manifest = {
  type: 'object',
  open,
  properties: {
    metadata: {
      type: 'object',
      description: 'Object with the name of the manifest.',
      required: true,
      open,
      properties: {
        name: { type: 'string', description: 'Name of the object.', required: true, format: 'filled' },
        namespace: { type: 'string' },
        labels: { type: 'object', open: { type: 'string' } },
        annotations: { type: 'object', open: { type: 'string' } },
      },
    },
  },
} as const satisfies Field;

interface Placed {
  readonly object: KubeObject;
  readonly locate: (path: Path) => Location;
}

/** Reports mistakes that no later stage would report, or would misinterpret. */
export function checkManifest({ object, locate }: Placed, report: Report): void {
  if (readField(manifest, object, { locate, report }) !== undefined) checkNames({ object, locate }, report);
  if (isJsonArray(object['items'])) {
    const args = { object: describeObject(object) };
    report(manifestProblems.create('manifest-items', args, { location: locate(['items']) }));
  }
}

function checkNames({ object, locate }: Placed, report: Report): void {
  const namespace = namespaceOf(object);
  const reasons = {
    name: nameRule(object)(nameOf(object)),
    namespace: namespace === '' ? undefined : checkDnsLabel(namespace),
  };
  for (const what of ['name', 'namespace'] as const) {
    const reason = reasons[what];
    if (reason === undefined) continue;
    const args = { what, object: describeObject(object), reason };
    report(manifestProblems.create('manifest-name', args, { location: locate(['metadata', what]) }));
  }
}

const freeGroups: ReadonlySet<string> = new Set(['rbac.authorization.k8s.io', 'apiregistration.k8s.io']);
const freeKinds: ReadonlySet<string> = new Set(['ClusterTrustBundle', 'IPAddress']);

/** Names of roles, addresses and similar objects may contain colons. */
function nameRule(object: KubeObject): (name: string) => string | undefined {
  const isFree = freeGroups.has(gvkOf(object)?.group ?? '') || freeKinds.has(object.kind);
  return isFree ? checkPathSegment : checkDnsSubdomain;
}
