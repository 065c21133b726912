// takes:   acceptances (a code, an object, a reason) and findings
// gives:   the remaining findings, the accepted ones, and the unused acceptances
// refuses: acceptances of findings that cannot be accepted, such as policy errors
export * from './acceptance.ts';
export { acceptProblems } from './problems.ts';
