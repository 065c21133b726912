import { shouldUseColor } from '../diagnostics/index.ts';
import type { Environment } from './environment.ts';

/** Wraps text in a Select Graphic Rendition code, such as `1` for bold or `36` for cyan. */
export function paint(code: string | undefined, text: string, color: boolean): string {
  return color && code !== undefined && text !== '' ? `\u001B[${code}m${text}\u001B[0m` : text;
}

/** Whether to paint, by `--color` and the terminal. */
export function useColor(
  flag: 'auto' | 'always' | 'never' | undefined,
  environment: Environment,
  isTerminal = environment.stderrIsTerminal,
): boolean {
  if (flag === 'always') return true;
  if (flag === 'never') return false;
  return shouldUseColor({ isTerminal, environment: environment.variables });
}
