// What hostyard doctor reports of an installation in which one thing is broken.
import assert from 'node:assert/strict';
import type { Finding } from '#app/doctor/check.ts';

export function problemsIn(findings: readonly Finding[]): Finding[] {
  return findings.filter(({ state }) => state !== 'ok');
}

export type ExpectedFinding = [check: string, state: 'warning' | 'fault', pattern: RegExp];

/** Asserts that exactly this check reports something, once, with a fix. */
export function assertOnlyFinding(findings: readonly Finding[], ...[check, state, pattern]: ExpectedFinding): void {
  const [finding, ...more] = problemsIn(findings);
  assert.deepEqual(more, [], 'nothing else is reported');
  assert.equal(finding?.check, check);
  assert.equal(finding.state, state);
  assert.match(finding.message, pattern);
  assert.ok((finding.fix ?? '').length > 10, 'a fix');
}
