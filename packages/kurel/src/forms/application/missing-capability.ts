import { DiagnosticError } from '../../diagnostics/index.ts';
import type { Diagnostic } from '../../model/index.ts';

/** The error of an application with a trait whose capability the profile does not have, or that has no profile at all. */
export class ErrMissingCapability extends DiagnosticError {
  /** The findings about capabilities; `diagnostics` has all of them. */
  readonly missing: readonly Diagnostic[];

  constructor(...[diagnostics, options]: ConstructorParameters<typeof DiagnosticError>) {
    super(diagnostics, options);
    this.name = 'ErrMissingCapability';
    this.missing = diagnostics.filter(isMissingCapability);
  }
}

/** The error for these findings. */
export function errorOf(...[diagnostics, options]: ConstructorParameters<typeof DiagnosticError>): DiagnosticError {
  const Class = diagnostics.some(isMissingCapability) ? ErrMissingCapability : DiagnosticError;
  return new Class(diagnostics, options);
}

function isMissingCapability({ code, severity }: Diagnostic): boolean {
  return severity === 'error' && (code === 'capability-missing' || code === 'capability-scope');
}
