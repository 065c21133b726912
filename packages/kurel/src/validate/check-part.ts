import { createBudget } from '../budget/index.ts';
import type { Diagnostic, Json, Location, Path } from '../model/index.ts';
import { check, createFinding } from '../schema/index.ts';
import type { SchemaNode } from '../schema/index.ts';

export interface PartCheck {
  readonly schema: SchemaNode;
  /** Of the part in the document of its author. */
  readonly path: Path;
  /** Paths start at the root of that document. */
  readonly found: (path: Path, createAt: (locate: (path: Path) => Location) => Diagnostic) => void;
  /** A number or boolean as the author wrote it. */
  readonly writtenAt?: ((path: Path, value: number | bigint | boolean) => string | undefined) | undefined;
}

/** Checks a part of an object that does not exist yet, such as the `env` of a container that is created later. */
export function checkPart(value: Json, { schema, path, found, writtenAt }: PartCheck): void {
  check(value, schema, {
    path,
    source: { noun: 'field', whole: 'the document', isBuiltIn: true, writtenAt },
    // The schemas of Kubernetes have few and short patterns.
    budget: createBudget(),
    report: (finding) => found(finding.path, (locate) => createFinding(finding, locate)),
  });
}
