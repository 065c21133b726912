/** Whether a text reads like `key:value`, which a space would make the entry of a mapping. Addresses such as URLs do not. */
export function lacksColonSpace(text: string): boolean {
  return /^[^\s:]+:(?!\/\/)[^\s:]/.test(text);
}
