import { pathToFileURL } from 'node:url';
import { join } from 'node:path';

import { measureCall } from './measure.mjs';
import { generateObjects } from './generate-objects.mjs';

const program = '.kind == "Deployment" and (.spec.replicas // 1) > 1 and .metadata.labels.tier != "batch"';

/** One typical filter over 10,000 objects: ours object by object, jq-web in the only way it can, as one batch. */
export async function measureJq({ root, require }) {
  const { compile } = await import(pathToFileURL(join(root, 'packages/jq/dist/index.js')).href);
  const objects = require('yaml')
    .parseAllDocuments(generateObjects(1000))
    .map((document) => document.toJS());
  const all = Array.from({ length: 10 }, () => objects).flat();
  const web = await require('jq-web');

  const filter = compile(program);
  let kept = 0;
  const ours = measureCall(() => (kept = all.filter((object) => filter.first(object) === true).length), 7);
  let webKept = 0;
  const theirs = measureCall(() => {
    webKept = web.json(all, `[.[] | ${program}]`).filter(Boolean).length;
  }, 3);
  if (kept !== webKept) throw new Error(`jq-web keeps ${webKept} objects, we keep ${kept}`);
  const what = 'jq filter, 10,000 objects';
  return [
    { what, subject: 'jq-web (one batch)', seconds: theirs },
    { what, subject: '@kurel/jq', seconds: ours, ratio: `${(theirs / ours).toFixed(0)} × faster than jq-web` },
  ];
}
