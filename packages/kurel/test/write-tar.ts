export interface TarPart {
  readonly name: string;
  readonly content?: string | Uint8Array;
  /** Defaults to `0`, a file. */
  readonly type?: string;
  /** Defaults to 644. */
  readonly mode?: number;
  /** What the header says instead of the length of the content. */
  readonly size?: number;
  /** Changes the finished header; its checksum is made afterwards. */
  readonly change?: (header: Uint8Array) => void;
}

const encoder = new TextEncoder();

/** A tar in the POSIX format, with its end marker; the parts are not checked. */
export function writeTar(parts: readonly TarPart[]): Uint8Array {
  return Buffer.concat([...parts.flatMap(writePart), new Uint8Array(1024)]);
}

/** A record of an extended header, whose length counts its own digits. */
export function paxRecord(key: string, value: string): string {
  const rest = encoder.encode(` ${key}=${value}\n`).length;
  const guess = rest + String(rest).length;
  return `${rest + String(guess).length} ${key}=${value}\n`;
}

function writePart({ name, content = '', type = '0', mode = 0o644, size, change }: TarPart): readonly Uint8Array[] {
  const bytes = typeof content === 'string' ? encoder.encode(content) : content;
  const header = new Uint8Array(512);
  const put = (offset: number, text: string): void => header.set(encoder.encode(text), offset);
  put(0, name);
  put(100, `${mode.toString(8).padStart(7, '0')}\0`);
  put(124, `${(size ?? bytes.length).toString(8).padStart(11, '0')}\0`);
  put(136, '00000000000\0');
  put(156, type);
  put(257, 'ustar\x0000');
  change?.(header);
  put(148, '        ');
  const sum = header.reduce((total, byte) => total + byte, 0);
  put(148, `${sum.toString(8).padStart(6, '0')}\0 `);
  return [header, bytes, new Uint8Array((512 - (bytes.length % 512)) % 512)];
}
