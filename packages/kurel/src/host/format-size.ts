/** Round numbers as people say them, others to the byte. */
export function formatSize(bytes: number): string {
  const mebibytes = bytes / 1_048_576;
  return bytes > 0 && Number.isInteger(mebibytes) ? `${mebibytes} MiB` : `${bytes} bytes`;
}
