import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const nodeFloor = { subject: 'node -e 0', role: 'floor', command: process.execPath, args: ['-e', '0'] };

const jsonSubject = 'JSON.parse + JSON.stringify';

/** Programs that do less than the work of a case. Only the page for contributors shows them. */
export const floorSubjects = [nodeFloor.subject, jsonSubject];

const program = fileURLToPath(new URL('json-floor.mjs', import.meta.url));

/**
 * The floor for work on data: `JSON.parse` and `JSON.stringify` of what a build with these arguments gives, the two calls alone,
 * in a process of their own. Also gives the number of objects and the file with their JSON.
 */
export function prepareJson({ out, kurel }, { id, args }) {
  const printed = execFileSync(process.execPath, [kurel, 'build', ...args, '--format', 'json'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 2 ** 29,
    encoding: 'utf8',
  });
  const objects = JSON.parse(printed);
  const directory = join(out, 'json');
  mkdirSync(directory, { recursive: true });
  const file = join(directory, `${id}.json`);
  writeFileSync(file, JSON.stringify(objects));
  const floor = {
    subject: jsonSubject,
    role: 'floor',
    command: process.execPath,
    args: [program, file],
    reports: true,
  };
  return { floor, file, objects: objects.length };
}
