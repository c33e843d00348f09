// What installers say of themselves, in whatever form they can.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readReport } from './report.ts';

describe('what an installer says', () => {
  it('is read from the query, a form or JSON', () => {
    const said = { phase: 'Installing', percent: 40, message: 'half way' };
    assert.deepEqual(readReport('', { phase: 'Installing', percent: '40', message: 'half way' }), said);
    assert.deepEqual(readReport('phase=Installing&percent=40&message=half+way', {}), said);
    assert.deepEqual(readReport(JSON.stringify(said), {}), said);
    assert.deepEqual(readReport('', { phase: 'Completed', percent: '', message: '' }), { phase: 'Completed' });
  });

  it('is nothing where it makes no sense', () => {
    for (const body of [
      '',
      'phase=Dancing',
      'phase=Installing&percent=101',
      'phase=Installing&percent=x',
      '{"phase"',
      '[]',
      '{"phase":{}}',
    ])
      assert.equal(readReport(body, {}), undefined, body);
    fc.assert(fc.property(fc.string(), (body) => void readReport(body, {})));
  });
});
