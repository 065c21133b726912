import { readSources } from '../../../test/oracles/yaml-live/read-sources.ts';
import { repository } from './source-tree.ts';
import { describeYamlReaders } from './yaml-readers.ts';

// `npm run ci:full` compares many more.
const sources = readSources(repository, ['test/corpus/cases/manifests']);
describeYamlReaders(sources, { readings: 4000, writings: 2000, seed: 1 });
