import { checkDnsLabel, parseDuration } from '../kube/index.ts';
import type { JsonObject, Report } from '../model/index.ts';
import { readFluxSource } from './flux-source.ts';
import { instanceOf } from './layout.ts';
import type { LayoutInput } from './layout.ts';
import { phaseName } from './phase.ts';
import type { Phase } from './phase.ts';
import { layoutProblems } from './problems.ts';

export interface FluxSettings {
  /** Of the instance. */
  readonly name: string;
  readonly namespace: string;
  readonly interval: string;
  /** Of the output in the source, without a slash at its end: `.`, `./clusters/production`. */
  readonly path: string;
  readonly source: JsonObject;
}

/** As the schema of Flux's own objects has it. */
export const fluxDuration = /^(?:[0-9]+(?:\.[0-9]+)?(?:ms|s|m|h))+$/;

/** `undefined` when something is wrong; all of it has been reported, but for a name that every layout refuses. */
export function readFluxSettings(input: LayoutInput, phases: readonly Phase[]): FluxSettings | undefined {
  const { report, options = {} } = input;
  const name = readName(input, phases);
  const namespace = readNamespace(options.fluxNamespace ?? 'flux-system', report);
  const interval = readInterval(options.fluxInterval ?? '10m', report);
  const root = readPath(options.fluxPath ?? '.', report);
  const given = options.fluxSource === undefined ? undefined : readFluxSource(options.fluxSource, report);
  if (name === undefined || namespace === undefined || interval === undefined || root === undefined) return undefined;
  if (options.fluxSource !== undefined && given === undefined) return undefined;
  const subtree = input.place?.directory ?? '';
  const path = subtree === '' ? root : `${root}/${subtree}`;
  // What two environments of a package are read from is the same.
  return { name, namespace, interval, path, source: given ?? { kind: 'GitRepository', name: input.name ?? name } };
}

// Flux writes the name of its object into a label of everything that it applies.
const longestName = 63;

function readName(input: LayoutInput, phases: readonly Phase[]): string | undefined {
  const { report } = input;
  const name = instanceOf(input);
  if (name === undefined) {
    report(layoutProblems.create('layout-name-missing', {}));
    return undefined;
  }
  if (checkDnsLabel(name) !== undefined) return undefined;
  const names = phases.map((phase) => phaseName(phase, name));
  const long = names.filter((one) => one.length > longestName);
  if (long.length === 0) return name;
  report(layoutProblems.create('flux-name-too-long', { names: long, longest: longestName }));
  return undefined;
}

function readNamespace(namespace: string, report: Report): string | undefined {
  const reason = checkDnsLabel(namespace);
  if (reason === undefined) return namespace;
  report(layoutProblems.create('flux-namespace-invalid', { namespace, reason }));
  return undefined;
}

function readInterval(interval: string, report: Report): string | undefined {
  if (fluxDuration.test(interval) && (parseDuration(interval) ?? 0n) > 0n) return interval;
  report(layoutProblems.create('flux-interval-invalid', { interval }));
  return undefined;
}

function readPath(path: string, report: Report): string | undefined {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  // oxlint-disable-next-line no-control-regex -- control characters are what is refused
  if (path !== '' && !path.startsWith('/') && !parts.includes('..') && !/[\u0000-\u001f\u007f\\]/.test(path)) {
    return ['.', ...parts].join('/');
  }
  report(layoutProblems.create('flux-path-invalid', { path }));
  return undefined;
}
