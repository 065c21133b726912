/**
 * The section of a version in the changelog, without its heading; undefined if there is none. Relative links lead nowhere from the page of a
 * release, so they get the address of the repository's files.
 */
export function findNotes(changelog: string, version: string, files = ''): string | undefined {
  const sections = changelog.split(/^(?=## \[)/m);
  const section = sections.find((text) => text.startsWith(`## [${version}]`));
  return section
    ?.slice(section.indexOf('\n'))
    .trim()
    .replaceAll(/\]\((?!\w+:|#)/g, `](${files}`);
}
