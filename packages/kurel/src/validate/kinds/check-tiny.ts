import type { Json, Path } from '../../model/index.ts';
import { fieldName } from '../../schema/index.ts';
import type { KindCheck } from './kind-check.ts';
import { readAmount, showAmount, wholeOf } from './read-amount.ts';

const byte = 1_000_000_000n;
const kibibyte = 1024n * byte;

interface Bytes {
  readonly of: 'memory' | 'storage';
  readonly value: Json | undefined;
  readonly path: Path;
}

/** Nobody asks for so few bytes: a unit is missing, or `m` stands for millions where it means thousandths. */
export function checkTiny({ object, findings }: Pick<KindCheck, 'object' | 'findings'>, bytes: Bytes): void {
  const { of, value, path } = bytes;
  const amount = value === undefined ? undefined : readAmount(value);
  if (amount === undefined || amount.nanos <= 0n || amount.nanos >= kibibyte) return;
  const count = wholeOf(amount);
  const meaning = amount.nanos < byte ? 'less than one byte' : count === 1n ? '1 byte' : `${count} bytes`;
  findings.add(object, { path }, [
    of === 'memory' ? 'memory-tiny' : 'storage-tiny',
    { field: fieldName(path), amount: showAmount(value!), meaning, meant: propose(showAmount(value!), of) },
  ]);
}

// Memory is given in gigabytes up to here, and beyond in megabytes.
const mostGigabytes = 32;

function propose(amount: string, of: Bytes['of']): string | undefined {
  const [, number, suffix] = /^\+?(\d+(?:\.\d+)?)(m?)$/.exec(amount) ?? [];
  if (number === undefined) return undefined;
  const isMegabytes = suffix === 'm' || (of === 'memory' && Number(number) > mostGigabytes);
  const meant = `${number}${isMegabytes ? 'Mi' : 'Gi'}`;
  return readAmount(meant)!.nanos < kibibyte ? undefined : meant;
}
