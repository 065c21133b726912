import { DiagnosticError } from '../diagnostics/index.ts';
import { type ProgramCall, ProgramError, type ProgramResult, type ProgramRunner } from '../model/index.ts';
import { inputProblems } from './problems.ts';

/** Runs a program that a renderer needs; that it is missing, hangs or floods is a finding. */
export async function runProgram(programs: ProgramRunner, call: ProgramCall): Promise<ProgramResult> {
  try {
    return await programs.run(call);
  } catch (error) {
    if (!(error instanceof ProgramError)) throw error;
    const args = { reason: error.message, hint: error.hint };
    throw new DiagnosticError([inputProblems.create('input-needs-program', args)], { cause: error });
  }
}
