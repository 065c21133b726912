// node bench/patch-with-library.mjs FILE: what the patches of the suite "comments" do, by the documents of the npm package yaml.
import { readFileSync } from 'node:fs';

import { parseAllDocuments } from 'yaml';

const container = ['spec', 'template', 'spec', 'containers', 0];
const documents = parseAllDocuments(readFileSync(process.argv[2], 'utf8'));
for (const document of documents) {
  document.setIn(['metadata', 'labels', 'bench'], '1');
  document.setIn(['spec', 'replicas'], 7);
  document.setIn([...container, 'image'], 'registry.example.com/bench:2.0.0');
}
process.stdout.write(documents.map(String).join(''));
