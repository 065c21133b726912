import type { Environment } from './environment.ts';

/** What standard input holds can be used by several inputs of one command. */
export function readStdinOnce(environment: Environment): Environment {
  let text: Promise<string> | undefined;
  return { ...environment, readStdin: () => (text ??= environment.readStdin()) };
}
