import { createBudget } from '../budget/index.ts';
import type { Diagnostic, Json, Location, Path } from '../model/index.ts';
import { check, createFinding } from '../schema/index.ts';
import type { SchemaNode } from '../schema/index.ts';

export interface PartCheck {
  readonly schema: SchemaNode;
  /** Where the part stands in the document of its author. */
  readonly path: Path;
  /** Paths lead from the root of that document. */
  readonly found: (path: Path, createAt: (locate: (path: Path) => Location) => Diagnostic) => void;
  /** A number or boolean as it is written there. */
  readonly writtenAt?: ((path: Path, value: number | bigint | boolean) => string | undefined) | undefined;
}

/** Checks a part of an object that is not yet in one, such as the `env` of a container that is still to be made. */
export function checkPart(value: Json, { schema, path, found, writtenAt }: PartCheck): void {
  check(value, schema, {
    path,
    source: { noun: 'field', whole: 'the document', isBuiltIn: true, writtenAt },
    // Only Kubernetes' own schemas, whose patterns are few and short.
    budget: createBudget(),
    report: (finding) => found(finding.path, (locate) => createFinding(finding, locate)),
  });
}
