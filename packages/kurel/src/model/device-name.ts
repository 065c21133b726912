const deviceName = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$) *(?:\.|$)/i;

/** Whether Windows opens a device instead of a file with this name, whatever its extension is. */
export function isDeviceName(name: string): boolean {
  return deviceName.test(name);
}
