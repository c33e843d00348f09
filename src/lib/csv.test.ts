// CSV that any reader understands, and no spreadsheet computes.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parse } from 'csv-parse/sync';
import { fc } from '#test/support/fast-check.ts';
import { csvLine } from './csv.ts';

describe('CSV', () => {
  it('is read back unchanged', () => {
    const field = fc.string({ unit: 'grapheme' }).filter((text) => !/[=+\-@\t\r＝＋－＠]/.test(text));
    fc.assert(
      fc.property(fc.array(fc.array(field, { minLength: 2, maxLength: 2 }), { minLength: 1 }), (rows) => {
        const read = parse(rows.map(csvLine).join(''), { record_delimiter: '\r\n' }) as string[][];
        assert.deepEqual(read, rows);
      }),
    );
  });

  it('keeps numbers, and marks what a spreadsheet would compute as text', () => {
    assert.equal(csvLine(['-12.50', '=1+1', '+4930', '@x', '-x']), "-12.50,'=1+1,'+4930,'@x,'-x\r\n");
  });

  it('has no formula for a spreadsheet that separates fields by semicolons or tabs either', () => {
    const texts = ['x;=1+1', 'x\t=1+1', 'x;"=1+1', 'x\r\n=1+1', 'x;＝1+1'];
    for (const field of csvLine(texts).split(/[;\t\r\n]/)) assert.doesNotMatch(field, /^"*[=＝]/);
    assert.equal(csvLine(['Jones; -Smith; a=b']), 'Jones; -Smith; a=b\r\n');
  });
});
