import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actionLabel, changeLabel, isInProgress, spellOut, stepLabel, targetLabel } from './operation-labels.ts';

test('an operation has the same label on every API', () => {
  assert.equal(actionLabel('v2.devicePowerSet'), 'Power command');
  assert.equal(actionLabel('site.apply'), 'Provisioning');
  assert.equal(actionLabel('legacy.netblockRequest'), 'Netblock request');
});

test('an audited change is described in the past tense', () => {
  assert.equal(changeLabel('v2.contactCreate'), 'Contact created');
  assert.equal(changeLabel('automation.zonePatch'), 'Records changed');
  assert.equal(changeLabel('automation.acmePresent'), 'ACME challenge added');
  assert.equal(changeLabel('v2.zoneFileImport'), 'Zone file imported');
  assert.equal(changeLabel('v2.recordDeleteMany'), 'Records deleted');
  assert.equal(changeLabel('cli.billingAudit'), 'Billing audit');
});

test('a step without a label is spelled out from its name', () => {
  assert.equal(stepLabel('key'), 'Waiting for licence key');
  assert.equal(stepLabel('powerOff'), 'Power off');
  assert.equal(stepLabel('wait-for-boot'), 'Wait for boot');
  assert.equal(spellOut(''), '');
});

test('an audit target names what was changed', () => {
  assert.equal(targetLabel('domain=8 record=12'), 'zone 8, record 12');
  assert.equal(targetLabel('reason=Unpaid since May'), 'reason Unpaid since May');
  assert.equal(targetLabel('LAB-0002'), 'LAB-0002');
  assert.equal(targetLabel('attempts=4'), '4 attempts');
  assert.equal(targetLabel(''), '');
});

test('queued and running actions are in progress', () => {
  const states = ['Queued', 'Running', 'Completed', 'Failed', 'Cancelled'] as const;
  assert.deepEqual(
    states.filter((status) => isInProgress({ status })),
    ['Queued', 'Running'],
  );
});
