// takes:   findings
// gives:   messages: text with an excerpt, JSON, SARIF; the nearest name to a misspelled one; whether there were errors
// refuses: to decide what is wrong; the other modules do that
export * from './define-problems.ts';
export { countColumns, severityCodes, shouldUseColor, wrapText } from './character-width.ts';
export { findSecrets, hiddenText, isSecretName } from './find-secrets.ts';
export * from './format-diagnostics.ts';
export { hideSecrets } from './hide-words.ts';
export { countBefore, positionAt } from './find-place.ts';
export * from './list-words.ts';
export * from './nearest.ts';
export * from './quote.ts';
export * from './spell-message.ts';
export * from './export-diagnostics.ts';
