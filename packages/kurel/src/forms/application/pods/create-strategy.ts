import { mappingAt, textAt } from '../../../kube/index.ts';
import type { JsonObject } from '../../../model/index.ts';
import type { Claim, ReportAt } from '../catalog/define.ts';
import { filled } from '../catalog/filled.ts';
import { podProblems } from './problems.ts';

/**
 * The strategy of a Deployment. With a volume that only one node can mount, a new pod could not start until the old one
 * stops.
 */
export function createStrategy(
  written: JsonObject | undefined,
  claims: readonly Claim[],
  report: ReportAt,
): JsonObject | undefined {
  const exclusive = claims.find((claim) => claim.isExclusive);
  const strategy = filled(written);
  if (strategy === undefined) return exclusive === undefined ? undefined : { type: 'Recreate' };
  if (exclusive !== undefined && surges(strategy)) {
    report(podProblems.create('strategy-volume', { volume: exclusive.volume }), ['strategy']);
  }
  return strategy;
}

/** Whether new pods start before old ones stop. */
function surges(strategy: JsonObject): boolean {
  const surge = mappingAt(strategy, 'rollingUpdate')?.['maxSurge'] ?? '25%';
  return textAt(strategy, 'type') !== 'Recreate' && surge !== 0 && surge !== '0%';
}
