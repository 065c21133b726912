/** Whether a path has a step that leads up. */
export function climbs(path: string): boolean {
  return path.split('/').includes('..');
}
