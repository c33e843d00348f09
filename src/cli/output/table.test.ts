// Tables: aligned, no wider than the terminal, and free of control characters.
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describe, it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import type { Shell } from '../shell.ts';
import { paletteFor } from './colour.ts';
import { fieldsText, tableText } from './table.ts';
import { truncate, displayWidth, stripControls, singleLine } from './text.ts';

const shellWith = (isTTY: boolean, env: Record<string, string> = {}): Shell => ({
  in: new PassThrough(),
  out: Object.assign(new PassThrough(), { isTTY }),
  err: new PassThrough(),
  env,
  home: '/',
});
const plain = paletteFor(shellWith(false));
const rows = [
  { service: '1001', hostname: 'web1.example.net', status: 'Active' },
  { service: '2001', hostname: '日本.example.net', status: 'Suspended' },
];

describe('a table', () => {
  it('aligns its columns, even under characters of double width', () => {
    assert.equal(
      tableText(rows, ['service', 'hostname', 'status'], { width: undefined, palette: plain }),
      'SERVICE  HOSTNAME          STATUS\n' +
        '1001     web1.example.net  Active\n' +
        '2001     日本.example.net  Suspended\n',
    );
  });

  it('truncates its widest columns first on a narrow terminal', () => {
    const text = tableText(rows, ['service', 'hostname', 'status'], { width: 30, palette: plain });
    assert.equal(text.split('\n')[1], '1001     web1.exam…  Active');
  });

  it('becomes one block of lines for each item if it has more columns than the terminal has room for', () => {
    const text = tableText(rows, ['service', 'hostname', 'status'], { width: 21, palette: plain });
    assert.equal(
      text,
      'service   1001\nhostname  web1.example.net\nstatus    Active\n\n' +
        'service   2001\nhostname  日本.example.net\nstatus    Suspended\n',
    );
  });

  it('is never wider than a terminal that has room for its columns, whatever the cells contain', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ one: fc.string({ unit: 'grapheme' }), two: fc.string(), three: fc.string() })),
        fc.integer({ min: 30, max: 120 }),
        (items, width) => {
          const text = tableText(items, ['one', 'two', 'three'], { width, palette: plain });
          const lines = text.split('\n');
          assert.equal(lines.length, items.length + 2);
          for (const line of lines) assert.ok(displayWidth(line) <= width, line);
        },
      ),
    );
  });

  it('is coloured on a terminal only, and not with NO_COLOR', () => {
    const on = (shell: Shell): string => tableText(rows, ['status'], { width: undefined, palette: paletteFor(shell) });
    assert.equal(
      on(shellWith(true)),
      '\u001B[1mSTATUS\u001B[0m\n\u001B[32mActive\u001B[0m\n\u001B[31mSuspended\u001B[0m\n',
    );
    for (const shell of [shellWith(false), shellWith(true, { NO_COLOR: '1' }), shellWith(true, { TERM: 'dumb' })])
      assert.equal(on(shell), 'STATUS\nActive\nSuspended\n');
  });
});

describe('the fields of an object', () => {
  it('are printed one per line', () => {
    assert.equal(
      fieldsText(
        [
          ['id', '1'],
          ['hostname', 'web1\nweb2'],
        ],
        plain,
      ),
      'id        1\nhostname  web1 web2\n',
    );
  });
});

describe('untrusted text', () => {
  it('contains no control characters after cleaning', () => {
    assert.equal(stripControls('a\u001B]0;title\u0007\u009B31m\u202Eb\r\n\tc'), 'a]0;title31mb\n\tc');
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        assert.doesNotMatch(singleLine(text), /\p{Control}/u);
      }),
    );
  });

  it('ends in an ellipsis when it is truncated', () => {
    assert.equal(truncate('web1.example.net', 6), 'web1.…');
    assert.equal(truncate('日本語', 4), '日…');
    assert.equal(truncate('web1', 4), 'web1');
  });
});
