import { describe, expect, it } from 'vitest';

import type { KubeObject } from '../../model/index.ts';
import { diffObjects } from '../../index.ts';
import { formatMarkdown } from './format-markdown.ts';

function configMap(name: string, text: string): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { text } };
}

function format(before: readonly KubeObject[], after: readonly KubeObject[]): string {
  return formatMarkdown(diffObjects(before, after), { a: 'a', b: 'b' });
}

describe('a comment', () => {
  it.each([
    ['many objects', 5000, 'x'],
    ['long texts', 40, 'line\n'.repeat(300)],
    ['long names', 3000, 'x'],
  ])('holds no more than fits: %s', { tags: 'slow' }, (what, count, text) => {
    const pad = what === 'long names' ? 'n'.repeat(5000) : '';
    const objects = Array.from({ length: count }, (_, index) => configMap(`${index}${pad}`, text));
    const comment = format([], objects);
    expect(comment.length).toBeLessThan(65_536);
    expect(comment).toMatch(/\nWhat differs in \d+ more objects is too long for a comment\.\n$/);
    expect(comment.match(/<details>/g)?.length).toBe(comment.match(/^<\/details>$/gm)?.length);
  });

  it('leaves out what is too long, but nothing after it', () => {
    const long = configMap('a', `${'word '.repeat(30)}\n`.repeat(900));
    const comment = format([], [long, configMap('b', 'short')]);
    expect(comment).toContain('<summary><code>+ configmap.b</code>');
    expect(comment).toMatch(/\nWhat differs in 1 more object is too long for a comment\.\n$/);
  });

  it.each(['```', '````\n</details>', '`', '~~~', 'a``b`', '|', '<img src=x onerror=y>', '@team', '[x](y)'])(
    'keeps %j where it belongs',
    (text) => {
      const comment = format([configMap('a', 'before')], [configMap('a', text), configMap(text, text)]);
      const fences = Array.from(comment.matchAll(/^(`{3,})diff\n([^]*?)\n\1\n\n<\/details>$/gm));
      expect(fences).toHaveLength(2);
      // Nothing of it is left when the code is taken out.
      const rest = comment
        .replaceAll(/^(`{3,})diff\n[^]*?\n\1$/gm, '')
        .replaceAll(/(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)/g, '')
        .replaceAll(/<code>[^<]*<\/code>/g, '');
      expect(rest.replaceAll(/<\/?(?:details|summary)>/g, '')).not.toMatch(/[<@[`~]/);
      for (const row of comment.split('\n').filter((line) => line.startsWith('| `'))) {
        expect(row.match(/(?<!\\)\|/g)).toHaveLength(5);
      }
    },
  );
});
