export function removeSignature(bytes: Buffer): Buffer;
