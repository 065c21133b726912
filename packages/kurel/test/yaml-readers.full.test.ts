import { readSources } from '../../../test/oracles/yaml-live/read-sources.ts';
import { repository } from './source-tree.ts';
import { describeYamlReaders } from './yaml-readers.ts';

const folders = ['test/corpus/cases/manifests', 'packages/kurel/src', 'packages/kurel/test', 'examples', 'docs'];
describeYamlReaders(readSources(repository, folders), { readings: 100_000, writings: 50_000, seed: 20_261_116 });
