// takes:   findings
// gives:   messages: text with an excerpt, JSON, SARIF; the nearest name to a misspelt one
// refuses: to decide what is wrong; the rooms do that
export * from './define-problems.ts';
export { describeValue } from './describe-value.ts';
export * from './diagnostic-error.ts';
export { shouldUseColor } from './colors.ts';
export { escapeControls, escapeControlsInJson } from './escape-controls.ts';
export { findSecrets, hiddenText } from './find-secrets.ts';
export * from './format-diagnostics.ts';
export { hideSecrets } from './hide-words.ts';
export { positionAt } from './line-index.ts';
export * from './nearest.ts';
export * from './quote.ts';
export { isSecretName } from './secret-name.ts';
export * from './sort-diagnostics.ts';
export * from './summarise.ts';
export * from './to-json.ts';
export * from './to-junit.ts';
export * from './to-sarif.ts';
export { wrapText } from './wrap-text.ts';
