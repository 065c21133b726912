import { DiagnosticError } from '../diagnostics/index.ts';
import { ProgramError } from '../model/index.ts';
import type { ProgramCall, ProgramResult, ProgramRunner } from '../model/index.ts';
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

/** Where no programs can be run, needing one is a finding. */
export const noPrograms: ProgramRunner = {
  run({ program }) {
    throw new ProgramError(program, 'not-found', `${program} is needed, but no programs can be run here`, {
      hint: 'give `programs`, as in `programs: programRunner({ environment: process.env })` of kurel/host',
    });
  },
};
