import { explainImageReference, parseImageReference } from '../../../kube/index.ts';
import type { Path } from '../../../model/index.ts';
import type { ReportAt } from '../catalog/define.ts';
import { podProblems } from './problems.ts';

/** An image that can be anything tomorrow is warned of; one that is no image is refused. */
export function checkImage(image: string, path: Path, report: ReportAt): void {
  const reference = parseImageReference(image);
  if (reference === undefined) {
    const reason = explainImageReference(image) ?? '';
    report(podProblems.create('image-invalid', { image, reason }), path);
  } else if (reference.digest === undefined && (reference.tag === undefined || reference.tag === 'latest')) {
    report(podProblems.create('image-not-pinned', { image, tag: reference.tag }), path);
  }
}
