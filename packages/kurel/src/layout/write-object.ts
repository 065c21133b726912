import { describeObject, locateObject } from '../kube/index.ts';
import type { KubeObject } from '../model/index.ts';
import { writeJson } from '../yaml/index.ts';
import type { LayoutInput } from './layout.ts';
import { printObject } from './print-object.ts';
import { layoutProblems } from './problems.ts';

/** The text of one object in the format of the layout; what no manifest can hold (NaN from a jq program, say) is reported. */
export function writeObject(object: KubeObject, { origins, format, report }: LayoutInput): string | undefined {
  try {
    return format === 'json' ? `${writeJson(object)}\n` : printObject(object, origins.get(object));
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
    const args = { object: describeObject(object), reason: error.message };
    report(layoutProblems.create('object-unwritable', args, { location: locateObject(object, origins) }));
    return undefined;
  }
}
