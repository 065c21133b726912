/** Where the time goes, as pictures that `npm run flame` draws. */
export function describeProfiles() {
  const pictures = [
    ['small', 'one webservice'],
    ['large', '10,000 webservices'],
  ].flatMap(([name, input]) =>
    ['before', 'now'].map(
      (when) => `![Where the time of kurel build goes with ${input}, ${when}](flame-${name}-${when}.svg)`,
    ),
  );
  return `## Profiles

\`\`\`sh
npm run flame                     # draws the two profiles of this program
npm run flame -- --against ce52cadd # and those of an earlier one
\`\`\`

A frame is as wide as the time of its calls, and lies below what called it. Orange is loading code, blue is Node itself, grey is garbage
collection, yellow is kurel. Profiling itself takes time, which makes short functions wider.

Half of a small build is starting Node and loading code: reading what V8 compiled in earlier runs, and running each module once. The other half
is spread over composing, checking and printing, and no function has more than a few per cent.

${pictures.join('\n\n')}`;
}
