import { createBudget } from '../budget/index.ts';
import type { Diagnostic, Json, Location, Path } from '../model/index.ts';
import type { SchemaNode } from '../schema/index.ts';
import { checkPartFields } from './fields/check-fields.ts';
import type { Findings } from './findings.ts';
import { validateProblems } from './problems.ts';

export interface PartCheck {
  readonly schema: SchemaNode;
  /** Where the part stands in the document of its author. */
  readonly path: Path;
  /** Paths lead from the root of that document. */
  readonly found: (path: Path, createAt: (locate: (path: Path) => Location) => Diagnostic) => void;
}

/** Checks a part of an object that is not yet in one, such as the `env` of a container that is still to be made. */
export function checkPart(value: Json, { schema, path: start, found }: PartCheck): void {
  const findings: Pick<Findings, 'add'> = {
    add(_object, { path, at, related = [], severity }, [code, args]) {
      found(path, (locate) => {
        const place = locate(path);
        return validateProblems.create(code, args, {
          location: at === 'key' ? { ...place, at } : place,
          ...(related.length === 0
            ? {}
            : { related: related.map(({ message, path: other }) => ({ message, location: locate(other) })) }),
          ...(severity === undefined ? {} : { severity }),
        });
      });
    },
  };
  // Only Kubernetes' own schemas, whose patterns are few and short.
  checkPartFields(value, { path: start, schema, findings, budget: createBudget() });
}
