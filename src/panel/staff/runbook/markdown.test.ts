import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { parseInline, parseMarkdown } from './markdown.ts';

describe('the Markdown of runbooks', () => {
  it('has headings, paragraphs, lists, tables and code', () => {
    const source = [
      '# Disk almost full',
      '',
      'Fires when **less** than a tenth',
      'is free.',
      '',
      '- Look at `df`.',
      '- Then see [Down](HostyardDown.md),',
      '  and wait.',
      '',
      '| effect | meaning |',
      '| ------ | ------- |',
      '| `a`    | b       |',
      '',
      '```sh',
      'df -h',
      '```',
    ].join('\n');
    assert.deepEqual(parseMarkdown(source), [
      { kind: 'heading', level: 1, content: [{ kind: 'text', text: 'Disk almost full' }] },
      {
        kind: 'paragraph',
        content: [
          { kind: 'text', text: 'Fires when ' },
          { kind: 'strong', text: 'less' },
          { kind: 'text', text: ' than a tenth is free.' },
        ],
      },
      {
        kind: 'list',
        items: [
          [
            { kind: 'text', text: 'Look at ' },
            { kind: 'code', text: 'df' },
            { kind: 'text', text: '.' },
          ],
          [
            { kind: 'text', text: 'Then see ' },
            { kind: 'link', text: 'Down', target: 'HostyardDown.md' },
            { kind: 'text', text: ', and wait.' },
          ],
        ],
      },
      {
        kind: 'table',
        head: [[{ kind: 'text', text: 'effect' }], [{ kind: 'text', text: 'meaning' }]],
        rows: [[[{ kind: 'code', text: 'a' }], [{ kind: 'text', text: 'b' }]]],
      },
      { kind: 'code', text: 'df -h' },
    ]);
  });

  it('is text if it is anything else', () => {
    const html = '<img src=x onerror=alert(1)> [x](a b)';
    assert.deepEqual(parseInline(html), [{ kind: 'text', text: html }]);
  });

  it('is read to its end, whatever it is', () => {
    const line = fc.oneof(fc.string(), fc.constantFrom('```', '- a', '| a |', '# a', '', '**', '[a](b)'));
    fc.assert(fc.property(fc.array(line), (lines) => void parseMarkdown(lines.join('\n'))));
  });
});
