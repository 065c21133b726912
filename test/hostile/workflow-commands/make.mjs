import { parameters, putFiles } from '../make-files.mjs';

const pod = (word) => `apiVersion: v1
kind: Pod
metadata:
  name: web
  labels: {"::error::k": "::error::v"}
spec:
  containers:
  - {name: a, image: "::error::${word}"}
  - {name: "::error::n", image: "a:1", args: ["x\\n::error::${word}", "\\e[31mred"]}
`;

/** Texts that a log of GitHub would take for commands, wherever they could begin a line. */
export function make(directory) {
  putFiles(directory, {
    'a.yaml': pod('a'),
    'b.yaml': pod('b'),
    'broken/x\n::error::y.yaml': '::error::z: [\n',
    'chart/Chart.yaml': 'apiVersion: v2\nname: chart\nversion: 1.0.0\n',
    'chart/templates/a.yaml': '{{ fail "x\\n::error::y\\n  ::add-mask::z\\r::warning::w" }}\n',
    'shop.kurel/parameters.yaml': `${parameters.replace('{', '{description: "a\\n::error::b", ')}"::error::p": "::error::v\\n::error::w"\n`,
    'shop.kurel/resources/a.yaml': pod('a'),
    'shop.kurel/patches/::error::p.kpatch': '# ::error::c\n[pod.web]\nmetadata.labels.a: ${::error::r}\n',
  });
}
