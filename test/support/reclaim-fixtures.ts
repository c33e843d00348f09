// The fixture of reclaiming a server, for the harness: the former customer left a BMC user and a boot choice on a simulated BMC,
// and the erasing system reports like the real one.
import assert from 'node:assert/strict';
import { switchDrivers } from '#drivers/switch/registry.ts';
import { openSwitches } from '#equipment/switches.ts';
import type { LabBoot } from '#lab/bmc/serial.ts';
import { secretBox } from '#lib/secrets.ts';
import { certificatesInsert } from '#store/devices/certificates.ts';
import { deviceLockFind } from '#store/devices/device-locks.ts';
import { eraseFindings, reclaimInsert, reclaimLoad, type Reclaim } from '#store/devices/reclaims.ts';
import { eraseLoad, reloadInsert, reloadUpdate } from '#store/devices/reloads.ts';
import { serverFind, serverMove } from '#store/devices/servers.ts';
import type { Queries } from '#store/store.ts';
import type { Scenario } from '#workflows/engine/harness.ts';
import { serverReclaim } from '#workflows/server/reclaim.ts';
import type { EraseOrder, ReclaimDeps, ReclaimInput } from '#workflows/server/reclaim-steps.ts';
import { poweredServerName as server, startPoweredServer } from './powered-server.ts';

const reclaim = 'reclaim-of-the-harness';
const intruder = 'intruder';
const disks = [{ serial: 'DISK1', bytes: 1000, method: 'discard', seconds: 1, isErased: true }] as const;

interface Observed {
  readonly state: string | undefined;
  readonly locked: boolean;
  readonly certificates: number;
}

export async function makeFormerServer() {
  const fixture = await startPoweredServer('server-reclaim', ({ device }: LabBoot) =>
    device === 'pxe' ? runEraser() : undefined,
  );
  const { store, account, service, deps, bmc } = fixture;
  const { queries } = store;
  let order = '';

  async function runEraser(): Promise<'login'> {
    const at = deps.clock.now();
    const findings = eraseFindings.encode({ disks, memoryMb: 32_768 });
    if ((await eraseLoad(queries, order))?.open === 1)
      await reloadUpdate(queries, order, { requested_at: at, outcome: 'Completed', findings });
    return 'login';
  }

  await serverMove(queries, server, 'assigned');
  await serverMove(queries, server, 'reclaiming');
  await reclaimInsert(queries, {
    id: reclaim,
    server,
    account_id: account,
    service_id: service,
    workflow_id: '',
    started_at: 0,
  });
  await deps.bmcs.use(server, (driver) => driver.users!.create(intruder, 'a password', AbortSignal.timeout(5000)));
  return {
    ...fixture,
    input: { server, purpose: 'a test', reclaim },
    deps: {
      ...deps,
      switches: openSwitches({ ...deps, secrets: secretBox(Buffer.alloc(32)), drivers: switchDrivers }),
      reclaims: {
        providerBmcUsers: async () => [],
        rotatesBmcPassword: async () => true,
        requireEraser: async () => {},
        async orderErase(inside: Queries, { id, workflow }: EraseOrder) {
          order = id;
          const created_at = deps.clock.now();
          const row = { id, account_id: account, service_id: service, server, kind: 'erase', created_at } as const;
          const system = JSON.stringify({ name: 'Rescue', value: 'rescue' });
          const secrets = { secret_hash: id, password_hash: null, new_password: null, ssh_keys: '[]' };
          await reloadInsert(inside, { ...row, system, ...secrets });
          await reloadUpdate(inside, id, { workflow_id: workflow, open: 1 });
        },
        removeTraces: async () => {},
        async issueCertificate(inside: Queries, { id }: Reclaim) {
          const none = { former_account_id: null, former_service_id: null, account_id: null, service_id: null };
          await certificatesInsert(inside, [{ id, server, issued_at: 0, signed: '', ...none }]);
        },
      },
    },
    observe: async () => ({
      power: bmc.chassis.power,
      nextBoot: bmc.chassis.bootFlags.isValid ? bmc.chassis.bootFlags.device : 'none',
      rotated: (await serverFind(queries, server))?.bmc_file_digest !== null,
      users: await deps.bmcs.use(server, (driver) => driver.users!.list(AbortSignal.timeout(60_000))),
      state: (await serverFind(queries, server))?.state,
      findings: Object.keys(JSON.parse((await reclaimLoad(queries, reclaim))!.findings) as object),
      order: order === '' ? undefined : (await eraseLoad(queries, order))?.open,
      certificates: (await queries.selectFrom('certificates').select('id').execute()).length,
      locked: (await deviceLockFind(queries, server, deps.clock.now())) !== undefined,
    }),
  };
}

export const reclaimScenario: Scenario<ReclaimDeps, ReclaimInput> = {
  workflow: serverReclaim,
  makeFixture: makeFormerServer,
  // Nothing is restored: a server that was not verified to the end never becomes available.
  assertFailed(observed) {
    const { state, locked, certificates } = observed as Observed;
    assert.deepEqual({ state, locked, certificates }, { state: 'quarantined', locked: false, certificates: 0 });
  },
};
