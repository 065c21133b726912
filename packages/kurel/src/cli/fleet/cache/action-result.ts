/**
 * An ActionResult of the Remote Execution API, as far as kurel uses it: servers for Bazel's cache may parse what is stored under `ac/`,
 * and keep the files that it names.
 */
export interface ActionResult {
  readonly files: readonly ResultFile[];
  /** `stdout_raw` */
  readonly stdout: Uint8Array;
  /** `stderr_raw` */
  readonly stderr: Uint8Array;
}

interface ResultFile {
  readonly path: string;
  /** SHA-256 in hexadecimal. */
  readonly hash: string;
  readonly size: number;
}

// Field numbers of ActionResult, OutputFile and Digest in remote_execution.proto, version 2.
const outputFiles = 2;
const stdoutRaw = 5;
const stderrRaw = 7;
const filePath = 1;
const fileDigest = 2;
const digestHash = 1;
const digestSize = 2;

const varint = 0;
const fixed64 = 1;
const lengthDelimited = 2;
const fixed32 = 5;

export function encodeActionResult({ files, stdout, stderr }: ActionResult): Uint8Array {
  return Buffer.concat([
    ...files.map(({ path, hash, size }) => {
      const digest = Buffer.concat([encodeBytes(digestHash, Buffer.from(hash)), encodeNumber(digestSize, size)]);
      const file = Buffer.concat([encodeBytes(filePath, Buffer.from(path)), encodeBytes(fileDigest, digest)]);
      return encodeBytes(outputFiles, file);
    }),
    ...(stdout.length === 0 ? [] : [encodeBytes(stdoutRaw, stdout)]),
    ...(stderr.length === 0 ? [] : [encodeBytes(stderrRaw, stderr)]),
  ]);
}

function encodeBytes(field: number, bytes: Uint8Array): Uint8Array {
  return Buffer.concat([encodeVarint(field * 8 + lengthDelimited), encodeVarint(bytes.length), bytes]);
}

function encodeNumber(field: number, value: number): Uint8Array {
  return value === 0 ? Buffer.alloc(0) : Buffer.concat([encodeVarint(field * 8 + varint), encodeVarint(value)]);
}

function encodeVarint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Uint8Array.from([...bytes, rest]);
}

/** `undefined` if the bytes are not a message. Fields that kurel does not use are skipped: servers may add some. */
export function decodeActionResult(bytes: Uint8Array): ActionResult | undefined {
  const fields = decodeFields(bytes);
  if (fields === undefined) return undefined;
  const files: ResultFile[] = [];
  for (const { number, value } of fields) {
    if (number !== outputFiles || typeof value === 'number') continue;
    const file = decodeFile(value);
    if (file === undefined) return undefined;
    files.push(file);
  }
  return { files, stdout: bytesOf(fields, stdoutRaw), stderr: bytesOf(fields, stderrRaw) };
}

function decodeFile(bytes: Uint8Array): ResultFile | undefined {
  const fields = decodeFields(bytes);
  const digest = fields && decodeFields(bytesOf(fields, fileDigest));
  if (fields === undefined || digest === undefined) return undefined;
  const size = digest.findLast(({ number }) => number === digestSize)?.value ?? 0;
  const hash = Buffer.from(bytesOf(digest, digestHash)).toString('latin1');
  if (typeof size !== 'number' || !/^[0-9a-f]{64}$/.test(hash)) return undefined;
  return { path: Buffer.from(bytesOf(fields, filePath)).toString('utf8'), hash, size };
}

interface Field {
  readonly number: number;
  readonly value: number | Uint8Array;
}

function bytesOf(fields: readonly Field[], number: number): Uint8Array {
  const value = fields.findLast((field) => field.number === number)?.value;
  return value === undefined || typeof value === 'number' ? new Uint8Array() : value;
}

function decodeFields(bytes: Uint8Array): readonly Field[] | undefined {
  const fields: Field[] = [];
  let at = 0;
  const readVarint = (): number => {
    let value = 0;
    for (let scale = 1; scale < Number.MAX_SAFE_INTEGER; scale *= 128) {
      const byte = bytes[at++];
      if (byte === undefined) return Number.NaN;
      value += (byte % 128) * scale;
      if (byte < 128) return value;
    }
    return Number.NaN;
  };
  const take = (length: number): Uint8Array | undefined => {
    const part = bytes.subarray(at, at + length);
    at += length;
    return part.length === length ? part : undefined;
  };
  while (at < bytes.length) {
    const tag = readVarint();
    const type = tag % 8;
    const value =
      type === varint
        ? readVarint()
        : type === lengthDelimited
          ? take(readVarint())
          : type === fixed64 || type === fixed32
            ? take(type === fixed64 ? 8 : 4)
            : undefined;
    if (value === undefined || Number.isNaN(value) || Number.isNaN(tag)) return undefined;
    fields.push({ number: Math.floor(tag / 8), value });
  }
  return fields;
}
