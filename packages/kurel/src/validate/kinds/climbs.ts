/** Whether a path has a step that leads up. */
export function escapesRoot(path: string): boolean {
  return path.split('/').includes('..');
}
