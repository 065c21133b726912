import { parseDuration } from '../../../kube/index.ts';
import type { JsonObject, Path } from '../../../model/index.ts';
import type { ReportAt } from '../catalog/define.ts';
import { given } from '../catalog/given.ts';
import type { ValueOf } from '../documents/field.ts';
import { httprouteProblems } from './httproute-problems.ts';
import type { routeRule } from './route-properties.ts';

type Timeouts = ValueOf<typeof routeRule.timeouts>;

const millisecond = 1_000_000n;
// Gateway API has at most five digits for each unit.
const longest = 99_999n;

export function createTimeouts(timeouts: Timeouts, path: Path, report: ReportAt): JsonObject {
  const { request, backendRequest } = timeouts;
  if (request === undefined && backendRequest === undefined) {
    report(httprouteProblems.create('httproute-timeouts-empty', {}), path, 'key');
  }
  const [whole, one] = [parseDuration(request ?? '0') ?? 0n, parseDuration(backendRequest ?? '0') ?? 0n];
  if (whole !== 0n && one > whole) {
    const args = { request: request!, backendRequest: backendRequest! };
    report(httprouteProblems.create('httproute-timeout-order', args), [...path, 'backendRequest']);
  }
  const write = (field: 'request' | 'backendRequest', nanoseconds: bigint): string | undefined => {
    const text = timeouts[field];
    if (text === undefined) return undefined;
    const reason = explainDuration(nanoseconds);
    if (reason === undefined) return formatGatewayDuration(nanoseconds);
    report(httprouteProblems.create('httproute-timeout', { field, text, reason }), [...path, field]);
    return text;
  };
  return given({ request: write('request', whole), backendRequest: write('backendRequest', one) });
}

function explainDuration(nanoseconds: bigint): string | undefined {
  if (nanoseconds % millisecond !== 0n) return 'must be a whole number of milliseconds';
  return hoursOf(nanoseconds) > longest ? `must be at most ${longest} hours` : undefined;
}

function hoursOf(nanoseconds: bigint): bigint {
  return nanoseconds / (3_600_000n * millisecond);
}

/** As Go writes it, only that Gateway API knows no fractions: `1m30s`, `1s500ms`, `0s`. */
export function formatGatewayDuration(nanoseconds: bigint): string {
  const total = nanoseconds / millisecond;
  const [hours, minutes] = [hoursOf(nanoseconds), (total / 60_000n) % 60n];
  const [seconds, milliseconds] = [(total / 1000n) % 60n, total % 1000n];
  if (total < 1000n) return total === 0n ? '0s' : `${total}ms`;
  const parts = [
    hours > 0n ? `${hours}h` : '',
    hours > 0n || minutes > 0n ? `${minutes}m` : '',
    `${seconds}s`,
    milliseconds > 0n ? `${milliseconds}ms` : '',
  ];
  return parts.join('');
}
