// takes:   text; text and edited data; data
// gives:   exact data; the same text with only the changed nodes edited; deterministic text
// refuses: duplicate keys, alias bombs, deep nesting, prototype keys, everything that is not YAML
export { checkMarkers, noteDivergent } from './note-divergent.ts';
export { findControlCharacter, isClusterBreak, nameCharacter } from './char-codes.ts';
export { cutItem } from './cut-item.ts';
export { editDocument } from './edit-document.ts';
export { findRising, identifyingKeys } from './edit-match.ts';
export { lacksColonSpace } from './char-codes.ts';
export { locateInYaml, locateWritten } from './locate-in-yaml.ts';
export { decodeEscape } from './read-scalar.ts';
export { yamlProblems } from './problems.ts';
export { readYaml } from './read-yaml.ts';
export type { YamlWords } from './resolve-plain-scalar.ts';
export type { YamlDocument, YamlReading } from './read-yaml.ts';
export { writeJson, writeYaml } from './write-yaml.ts';
