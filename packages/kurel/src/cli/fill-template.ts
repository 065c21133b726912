import type { OutputFile } from '../model/index.ts';

/** Texts by path, with the name of the package for `NAME`, in quotes where a YAML reader would take it for something else. */
export function fillTemplate(texts: Readonly<Record<string, string>>, name: string): readonly OutputFile[] {
  const value = yamlWords.test(name) ? `"${name}"` : name;
  return Object.entries(texts).map(([path, text]) => {
    const valued = path.endsWith('.yaml') ? text.replaceAll(/: NAME$/gm, `: ${value}`) : text;
    return { path, text: valued.slice(1).replaceAll('NAME', name) };
  });
}

/** Names of packages that one YAML reader or another takes for something else than a text. */
const yamlWords = /^(?:true|false|null|yes|no|on|off|y|n)$/;
