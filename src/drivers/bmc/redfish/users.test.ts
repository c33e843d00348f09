import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startLabRedfish } from '#lab/redfish/redfish.ts';
import { openRedfish } from './driver.ts';

const admin = { username: 'provider', password: 'correct horse' };
const testTimeout = (): AbortSignal => AbortSignal.timeout(60_000);

test("a second account with the provider's name is listed by its id, and neither is removed", async () => {
  await using lab = await startLabRedfish({ admin });
  lab.accounts.add({ name: admin.username, password: 'another password', role: 'Administrator', isEnabled: true });
  const { address, port, fingerprint } = lab;
  await using bmc = await openRedfish({ address, port, fingerprint, ...admin });
  const listed = [admin.username, 'account 2'];
  assert.deepEqual(await bmc.users!.list(testTimeout()), listed);
  await bmc.users!.remove('account 2', testTimeout());
  assert.deepEqual(await bmc.users!.list(testTimeout()), listed);
});
