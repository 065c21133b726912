import type { Environment } from './environment.ts';

/** Several inputs of a command can use stdin, so its content is kept. */
export function readStdinOnce(environment: Environment): Environment {
  let text: Promise<string> | undefined;
  return { ...environment, readStdin: () => (text ??= environment.readStdin()) };
}
