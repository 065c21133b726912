/**
 * Characters that a terminal obeys instead of showing, or that a reader cannot see: controls, escapes, overrides of the
 * writing direction, zero-width characters, line separators, and halves of surrogate pairs. The two presentation selectors
 * of emoji are let through: they change nothing but the look of the character before them.
 */
const unsafe = /(?![\u{FE0E}\u{FE0F}])[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{FFF9}-\u{FFFB}]/gu;
// Most texts have nothing but plain ASCII, and need no second look.
const plain = /^[\x20-\x7E]*$/;

/** The text with everything unsafe made visible, so that a user's string can neither steer a terminal nor hide. */
export function escapeControls(text: string): string {
  return plain.test(text) ? text : text.replace(unsafe, showCharacter);
}

/** The JSON text with unsafe characters as escapes, which JSON readers give back as they were. */
export function escapeControlsInJson(json: string): string {
  return json.replace(unsafe, (character) =>
    character === '\n'
      ? character
      : Array.from({ length: character.length }, (_, index) => escapeUnit(character.charCodeAt(index))).join(''),
  );
}

function escapeUnit(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}

function showCharacter(character: string): string {
  const code = character.codePointAt(0)!;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  return `\\u{${code.toString(16)}}`;
}
