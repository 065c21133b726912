import { putFiles } from '../make-files.mjs';

const secret = (value) =>
  `apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData:\n  p: ${value}\n  q: |\n    ${value}\n    end\n`;

export function make(directory) {
  putFiles(directory, {
    's.yaml': secret('s3cr3t-new'),
    'old.yaml': secret('s3cr3t-old'),
    'old/secret-s.yaml': secret('s3cr3t-old'),
    'p.kpatch': '[secret.s]\nstringData.p: {a: s3cr3t-map}\nstringData.q[0]: s3cr3t-deep\n',
    'label.kpatch': '[secret.s]\nlabels.a: b\nstringData.p: s3cr3t-old\n',
    'braces.yaml':
      '- target: secret.s\n  patch: {"stringData.p.x": s3cr3t-deep, "data": [s3cr3t-list]}\n- target: secret.s\n  type: json\n  patch: [{op: test, path: /stringData/p, value: s3cr3t-map}]\n',
  });
}
