import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startLabRedfish } from './redfish.ts';

test('a remote screen whose port was taken during a restart gets another', async () => {
  const admin = { username: 'provider', password: 'secret' };
  await using first = await startLabRedfish({ admin });
  await using second = await startLabRedfish({ admin, kvmPort: first.kvm.port });
  assert.notEqual(second.kvm.port, first.kvm.port);
});
