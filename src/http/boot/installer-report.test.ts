// Reports of installers, in whatever form they can send.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { readInstallerReport } from './installer-report.ts';

describe('the report of an installer', () => {
  it('is read from the query, a form or JSON', () => {
    const report = { phase: 'Installing', percent: 40, message: 'half way' };
    assert.deepEqual(readInstallerReport('', { phase: 'Installing', percent: '40', message: 'half way' }), report);
    assert.deepEqual(readInstallerReport('phase=Installing&percent=40&message=half+way', {}), report);
    assert.deepEqual(readInstallerReport(JSON.stringify(report), {}), report);
    assert.deepEqual(readInstallerReport('', { phase: 'Completed', percent: '', message: '' }), { phase: 'Completed' });
  });

  it('names a disk that was erased, and how many there were', () => {
    const disk = 'phase=Erased&index=2&serial=WD-1%2f2&bytes=4000787030016&method=discard&seconds=7&result=';
    assert.deepEqual(readInstallerReport(`${disk}erased`, {}), {
      phase: 'Erased',
      diskReport: {
        index: 2,
        disk: { serial: 'WD-1/2', bytes: 4_000_787_030_016, method: 'discard', seconds: 7, isErased: true },
      },
    });
    assert.equal(readInstallerReport(`${disk}failed`, {})?.diskReport?.disk.isErased, false);
    assert.deepEqual(readInstallerReport('', { phase: 'Completed', disks: '2', memory: '65536' }), {
      phase: 'Completed',
      summary: { disks: 2, memoryMb: 65_536 },
    });
    const valid = Object.fromEntries(new URLSearchParams(`${disk}erased`));
    for (const wrong of [
      { index: '0' },
      { index: '1001' },
      { index: '-1' },
      { serial: '' },
      { serial: 'a b' },
      { serial: 'a\n' },
      { serial: 'x'.repeat(65) },
      { bytes: '1e3' },
      { bytes: '9999999999999999' },
      { method: 'prayer' },
      { seconds: '' },
      { result: 'true' },
    ])
      assert.equal(readInstallerReport('', { ...valid, ...wrong }), undefined, JSON.stringify(wrong));
  });

  it('is undefined if it is invalid', () => {
    for (const body of [
      'phase=Erased',
      'phase=Completed&disks=2',
      'phase=Completed&disks=two&memory=1',
      'phase=Installing&disks=1&memory=1',
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
