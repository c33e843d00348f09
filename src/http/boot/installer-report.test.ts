// Reports of installers, in whatever form they can send.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readInstallerReport } from './installer-report.ts';

describe('the report of an installer', () => {
  it('is read from the query, a form or JSON', () => {
    const said = { phase: 'Installing', percent: 40, message: 'half way' };
    assert.deepEqual(readInstallerReport('', { phase: 'Installing', percent: '40', message: 'half way' }), said);
    assert.deepEqual(readInstallerReport('phase=Installing&percent=40&message=half+way', {}), said);
    assert.deepEqual(readInstallerReport(JSON.stringify(said), {}), said);
    assert.deepEqual(readInstallerReport('', { phase: 'Completed', percent: '', message: '' }), { phase: 'Completed' });
  });

  it('is undefined if it is invalid', () => {
    for (const body of [
      '',
      'phase=Dancing',
      'phase=Installing&percent=101',
      'phase=Installing&percent=x',
      '{"phase"',
      '[]',
      '{"phase":{}}',
    ])
      assert.equal(readInstallerReport(body, {}), undefined, body);
    fc.assert(fc.property(fc.string(), (body) => void readInstallerReport(body, {})));
  });
});
