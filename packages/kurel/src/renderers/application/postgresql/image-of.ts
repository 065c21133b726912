import { parseImageReference } from '../../../kube/index.ts';
import type { ReportAt } from '../catalog/define.ts';
import { postgresqlProblems as problems } from './problems.ts';

const repository = 'ghcr.io/cloudnative-pg/postgresql';
const usualVersion = '16';

interface Asked {
  readonly version?: string | undefined;
  readonly imageName?: string | undefined;
}

/** The image that the instances run. */
export function imageOf({ version, imageName }: Asked, report: ReportAt): string {
  const image = imageName ?? `${repository}:${version ?? usualVersion}`;
  if (imageName !== undefined && version !== undefined) {
    report(problems.create('postgresql-version-unused', { version, image }), ['version']);
  }
  const property = imageName === undefined ? 'version' : 'imageName';
  const reference = parseImageReference(image);
  if (reference === undefined) {
    report(problems.create('postgresql-version', { version: version ?? '' }), [property]);
  } else if (!/^[0-9]/.test(reference.tag ?? '')) {
    report(problems.create('postgresql-image-tag', { image, tag: reference.tag }), [property]);
  }
  return image;
}
