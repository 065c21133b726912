import { countNoun, describeValue } from '../../diagnostics/index.ts';
import { parseQuantity } from '../../kube/index.ts';
import type { Quantity } from '../../kube/index.ts';
import type { Json } from '../../model/index.ts';
import { fieldName } from '../../schema/index.ts';
import { refuse } from './field-site.ts';
import type { FieldSite, Site } from './field-site.ts';
import type { FieldRule } from './field-rules.ts';

const whole = 1_000_000_000n;
const thousandth = 1_000_000n;
const kibibyte = 1024n * whole;

/** An amount that must not be negative. */
export const amount: FieldRule = { also: (site) => checkLeast(site, 0n, 'must be at least 0') };

export const positiveAmount: FieldRule = { also: (site) => checkLeast(site, 1n, 'must be greater than 0') };

/** The memory of a container, or the size of a volume. */
export const memory: FieldRule = { also: (site) => checkTiny(site, 'memory') };
export const storage: FieldRule = { also: (site) => checkTiny(site, 'storage') };

/** Checks an amount in billionths. */
function checkLeast(site: FieldSite, least: bigint, demand: string): void {
  const quantity = readAmount(site.value);
  if (quantity !== undefined && quantity.nanos < least)
    refuse(site, [], { code: 'field-range', demand, got: showAmount(site.value) });
}

/** So few bytes are a mistake: the unit is missing, or `m` was used for megabytes although it means thousandths. */
export function checkTiny({ object, findings, value, path }: Site & { readonly value: Json }, of: Bytes): void {
  const quantity = readAmount(value);
  if (quantity === undefined || quantity.nanos <= 0n || quantity.nanos >= kibibyte) return;
  const meaning = quantity.nanos < whole ? 'less than one byte' : countNoun(wholeOf(quantity), 'byte');
  const text = showAmount(value);
  findings.add(object, { path }, [
    of === 'memory' ? 'memory-tiny' : 'storage-tiny',
    { field: fieldName(path), amount: text, meaning, meant: propose(text, of) },
  ]);
}

type Bytes = 'memory' | 'storage';

// A larger number of memory units most likely means megabytes.
const mostGigabytes = 32;

function propose(text: string, of: Bytes): string | undefined {
  const [, number, suffix] = /^\+?(\d+(?:\.\d+)?)(m?)$/.exec(text) ?? [];
  if (number === undefined) return undefined;
  const isMegabytes = suffix === 'm' || (of === 'memory' && Number(number) > mostGigabytes);
  const meant = `${number}${isMegabytes ? 'Mi' : 'Gi'}`;
  return readAmount(meant)!.nanos < kibibyte ? undefined : meant;
}

// All containers of a build have the same few amounts.
const quantities = new Map<string, Quantity | undefined>();
const mostKnown = 1000;
const nothing: Quantity = { nanos: 0n, format: 'decimal-si' };

/** A quantity as the API server reads it; `undefined` for an invalid one, which the schema check reports. */
export function readAmount(value: Json | undefined): Quantity | undefined {
  // The API server reads a null amount as 0, not as a missing field.
  if (value === null) return nothing;
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') return undefined;
  const text = String(value);
  const earlier = quantities.get(text);
  if (earlier !== undefined) return earlier;
  const quantity = parseQuantity(text);
  if (quantities.size < mostKnown) quantities.set(text, quantity);
  return quantity;
}

/** The amount as its author wrote it, without quotes. */
export function showAmount(value: Json): string {
  return typeof value === 'string' ? value : describeValue(value);
}

/** The amount as an integer, rounded up. */
export function wholeOf({ nanos }: Quantity): bigint {
  return (nanos + whole - 1n) / whole;
}

/** Whether the amount is an integer after rounding up to thousandths, as the API server does. */
export function isWholeAmount({ nanos }: Quantity): boolean {
  return ((nanos + thousandth - 1n) / thousandth) % 1000n === 0n;
}
