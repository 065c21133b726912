/** The standard name of a status, because a server can send any text. */
export function nameStatus(status: number): string {
  const name = process.getBuiltinModule('node:http').STATUS_CODES[status];
  return name === undefined ? String(status) : `${status} ${name}`;
}
