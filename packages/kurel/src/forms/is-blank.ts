/** Whether a setting that must say something says nothing; JavaScript callers have no compiler to tell them it is missing. */
export function isBlank(text: string | undefined): boolean {
  return typeof text !== 'string' || text.trim() === '';
}
