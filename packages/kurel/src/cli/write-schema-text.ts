import { resolve } from 'node:path';

import { DiagnosticError } from '../diagnostics/index.ts';
import { writeOutputFile } from '../host/index.ts';
import { writeJson } from '../index.ts';
import type { Diagnostic, JsonObject } from '../model/index.ts';
import type { Environment } from './environment.ts';

/** Prints a JSON Schema, or writes it to a file; gives what is wrong with the file. */
export function writeSchemaText(
  schema: JsonObject,
  target: string | undefined,
  environment: Environment,
): readonly Diagnostic[] {
  const text = `${writeJson(schema)}\n`;
  if (target === undefined || target === '-') {
    environment.writeStdout(text);
    return [];
  }
  const { workingDirectory } = environment;
  // Messages should say the path as it was written, which only works from the directory it was written in.
  const path = workingDirectory === process.cwd() ? target : resolve(workingDirectory, target);
  try {
    writeOutputFile(path, text);
    return [];
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    return error.diagnostics;
  }
}
