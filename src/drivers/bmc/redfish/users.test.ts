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

for (const generation of ['early', 'current'] as const)
  test(`an enabled account without a name is listed by its id, and removed: ${generation}`, async () => {
    await using lab = await startLabRedfish({ admin, generation });
    const anonymous = { name: '', password: 'another password', role: 'Administrator', isEnabled: true } as const;
    const slot = lab.accounts.all.find(({ id }) => id === '2');
    if (slot === undefined) lab.accounts.add(anonymous);
    else lab.accounts.change(slot, anonymous);
    const { address, port, fingerprint } = lab;
    await using bmc = await openRedfish({ address, port, fingerprint, ...admin });
    assert.deepEqual(await bmc.users!.list(testTimeout()), [admin.username, 'account 2']);
    await bmc.users!.remove('account 2', testTimeout());
    assert.deepEqual(await bmc.users!.list(testTimeout()), [admin.username]);
    const left = lab.accounts.all.find(({ id }) => id === '2');
    assert.ok(left?.isEnabled !== true);
  });
