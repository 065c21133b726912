import { DiagnosticError } from '../diagnostics/index.ts';
import { kubeProblems } from './problems.ts';

/** A label selector that Kubernetes would refuse. */
export class LabelSelectorError extends DiagnosticError {
  /** Offset in the text of the selector where reading stopped; 0 for selectors that are objects. */
  readonly position: number;

  constructor(selector: string, reasons: readonly string[], position = 0) {
    super(reasons.map((reason) => kubeProblems.create('label-selector-invalid', { selector, reason })));
    this.name = 'LabelSelectorError';
    this.position = position;
  }
}
