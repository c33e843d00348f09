import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eraseFindings, type EraseFindings } from '#store/devices/reclaims.ts';
import { addEraseReport } from './erase-report.ts';

const disk = (serial: string) => ({ serial, bytes: 512, method: 'discard' as const, seconds: 1, isErased: true });
type Report = Parameters<typeof addEraseReport>[1];
const diskReport = (index: number, serial: string): Report => ({
  phase: 'Erased',
  diskReport: { index, disk: disk(serial) },
});
const completed = (disks: number): Report => ({ phase: 'Completed', summary: { disks, memoryMb: 1024 } });

/** Returns what is known after all reports, or undefined if the last one is rejected. */
function after(...reports: readonly Report[]): EraseFindings | undefined {
  let findings: EraseFindings | undefined;
  for (const report of reports)
    findings = addEraseReport({ findings: findings === undefined ? null : eraseFindings.encode(findings) }, report);
  return findings;
}

test('the reports of an erasing system add up, however often they are repeated', () => {
  const all = { disks: [disk('A'), disk('B')], memoryMb: 1024 };
  const [first, second] = [diskReport(1, 'A'), diskReport(2, 'B')];
  assert.deepEqual(after(first, second, completed(2)), all);
  assert.deepEqual(after(first, first, { phase: 'Installing' }, second, second, completed(2)), all);
  // The system was booted again.
  assert.deepEqual(after(diskReport(1, 'C'), diskReport(2, 'D'), first, second, completed(2)), all);
});

test('an erasing system whose reports were lost cannot complete', () => {
  assert.equal(after(diskReport(1, 'A'), diskReport(3, 'C')), undefined);
  assert.equal(after(diskReport(1, 'A'), completed(2)), undefined);
  assert.equal(after(diskReport(1, 'A'), { phase: 'Completed' }), undefined);
  assert.equal(after(completed(0)), undefined);
});
