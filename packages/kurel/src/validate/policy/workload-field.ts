import { quote } from '../../diagnostics/index.ts';
import { fieldOf, has, pathTo, textAt } from '../../kube/index.ts';
import type { Place } from '../../kube/index.ts';
import { isJsonObject } from '../../model/index.ts';
import type { Json, JsonObject, Path } from '../../model/index.ts';
import type { Enforcing } from './enforcing.ts';

/** A field of a workload, with its parent. */
export interface Field {
  readonly value: Json;
  readonly key: string;
  readonly holder: JsonObject;
  readonly place: Place;
  readonly enforcing: Enforcing;
}

/** What a field of a certain name is checked for. */
export type Check = (field: Field) => void;

/** Includes Argo Workflows (`container`, `script`) and Tekton (`steps`, `sidecars`, `stepTemplate`). */
const containerField = /^(?:.*containers?|script|steps|sidecars?|stepTemplate)$/i;

const containerKeys = ['command', 'args', 'env', 'envFrom', 'volumeMounts', 'imagePullPolicy', 'workingDir', 'script'];

/** Whether an object is a container: by the field that contains it, or by fields that only containers have. */
export function isContainer(holder: JsonObject, place: Place): boolean {
  return (
    containerField.test(fieldOf(place)) ||
    (typeof holder['image'] === 'string' && containerKeys.some((key) => has(holder, key)))
  );
}

/** `container "proxy" of apps/v1 Deployment "web"` */
export function subjectAt({ place, enforcing }: Field): string {
  const subject = enforcing.subject();
  for (let at: Place | undefined = place; at !== undefined; at = at.above) {
    const { value } = at;
    if (!isJsonObject(value)) continue;
    const isVolume = typeof at.step === 'number' && fieldOf(at) === 'volumes';
    if (!isVolume && !isContainer(value, at)) continue;
    return isVolume ? `volume ${quote(textAt(value, 'name') ?? '')} of ${subject}` : nameContainer(value, subject);
  }
  return subject;
}

/** `container "proxy" of apps/v1 Deployment "web"` */
export function nameContainer(container: JsonObject, subject: string): string {
  return `container ${quote(textAt(container, 'name') ?? '')} of ${subject}`;
}

export function pathOf({ place, key }: Field, ...steps: Path): Path {
  return [...pathTo(place), key, ...steps];
}
