// Moves between the members of a cluster of two LXD daemons, as staff order them: through the operator API and its workflow. The
// driver's part is in test/peers/virtual-lxd-cluster.test.ts. LXD's own client is the witness.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { waitForMachines } from '#app/site/machines.ts';
import { machineSync } from '#reconcilers/machine-sync.ts';
import { waitForLastAction } from '#test/support/actions.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { listEvents } from '#test/support/event-stream.ts';
import { currentOf, instancesOf } from '#test/support/lxd-console.ts';
import { lxdPool, lxdTemplate, needsLxd, startLxdCluster, type LxdCluster } from '#test/support/lxd.ts';
import { machineSite } from '#test/support/machine-site.ts';
import { asOperator, operatorResult } from '#test/support/operators.ts';
import { requestResult, type ErrorResult } from '#test/support/request.ts';
import { suiteResources } from '#test/support/suite-resources.ts';
import { until, untilDefined } from '#test/support/until.ts';

const [service, name] = ['2001', 'vm-101'];
const shape = { vcpus: 1, memoryMb: 64, diskGb: 1, bandwidthGb: 100, template: 'tiny' };
type Move = Readonly<Record<'action' | 'status' | 'member' | 'reason' | 'detail' | 'ended', string>>;

// One after the other, because they share a machine.
describe('a move within an LXD cluster, through the API', { ...needsLxd(), concurrency: 1 }, () => {
  const owned = suiteResources();
  let cluster: LxdCluster;
  let app: TestApp;
  let key: string;
  before(async () => {
    cluster = owned.use(await startLxdCluster());
    const settings = { ...cluster.access, pool: lxdPool, nic: { nictype: 'p2p' } };
    const template = { name: 'Tiny Linux', value: 'tiny', type: 'OpenVZ', source: lxdTemplate } as const;
    const fixture = machineSite([{ name: 'ct-cluster', driver: 'lxd', settings }], [shape], [template]);
    key = fixture.key;
    app = owned.use(await openTestApp({ trustedProxies: ['127.0.0.1'], worksOffJobs: true, site: fixture.site }));
    await waitForMachines(app.parts, 120_000);
  });
  const look = () => machineSync(app.parts, async () => {}).run(AbortSignal.timeout(60_000));
  const place = async () => {
    const { location, status } = (await currentOf(cluster.first, name))!;
    return { location, status };
  };
  const otherMember = async () => ((await place()).location === 'first' ? 'second' : 'first');
  const move = async (member: string): Promise<Move> => {
    const { action } = await operatorResult<{ action: string }>(app, 'POST', 'machine/migrate', {
      device: name,
      member,
    });
    const find = async () =>
      (await operatorResult<Move[]>(app, 'GET', 'machine/migration', { service })).find(
        (each) => each.action === action,
      );
    await until(async () => (await find())?.ended !== '', { saw: find });
    return (await find())!;
  };
  /** Waits for the connection between the members, which LXD renews after one was too busy to keep it. */
  const fileInside = async () => {
    const { name: instance } = (await currentOf(cluster.first, name))!;
    return untilDefined(() =>
      cluster.first.lxc('exec', instance, '--', 'cat', '/root/kept').catch((error: unknown) => {
        if (!String(error).includes('Missing event connection')) throw error;
        return undefined;
      }),
    );
  };

  it('takes the machine with its content and snapshots to the other member, and powers it on there', async () => {
    const { name: instance } = (await currentOf(cluster.first, name))!;
    await cluster.first.lxc('exec', instance, '--', 'sh', '-c', 'echo content > /root/kept');
    await requestResult(app, 'POST', '/v2/machine/snapshot', { key, params: { service, name: 'before the move' } });
    assert.equal((await waitForLastAction(app, key, service)).status, 'Completed');
    await look();
    const members = await operatorResult<string[]>(app, 'GET', 'node/ct-cluster/members');
    assert.deepEqual(members.toSorted(), ['first', 'second']);
    const target = await otherMember();

    const { status, reason, member, detail } = await move(target);
    assert.deepEqual([status, reason, member], ['Completed', '', target], detail);
    assert.deepEqual(await place(), { location: target, status: 'Running' });
    assert.equal(await fileInside(), 'content\n');
    const options = { key, params: { service } };
    const snapshots = await requestResult<{ id: string; name: string }[]>(app, 'GET', '/v2/machine/snapshot', options);
    assert.deepEqual(
      snapshots.map((snapshot) => snapshot.name),
      ['before the move'],
    );
    const types = (await listEvents(app, key, { service })).map(({ type }) => type);
    assert.ok(types.includes('device.migration.completed'), types.join());
  });

  it('restores a snapshot that moved with it', async () => {
    const { name: instance } = (await currentOf(cluster.first, name))!;
    await cluster.first.lxc('exec', instance, '--', 'sh', '-c', 'echo changed > /root/kept');
    const options = { key, params: { service } };
    const [snapshot] = await requestResult<{ id: string }[]>(app, 'GET', '/v2/machine/snapshot', options);
    await requestResult(app, 'POST', '/v2/machine/snapshot/restore', {
      key,
      params: { service, id: snapshot!.id },
    });
    const { status, error } = await waitForLastAction(app, key, service);
    const { output } = cluster.second;
    assert.deepEqual([status, error], ['Completed', ''], output());
    assert.equal(await fileInside(), 'content\n');
  });

  it('is rejected if there is no such member, or if the machine is there already', async () => {
    const { location } = await place();
    await look();
    const refusal = async (member: string) =>
      (await asOperator<ErrorResult>(app, 'POST', 'machine/migrate', { device: name, member })).status;
    assert.equal(await refusal(location), 409);
    const { status, reason } = await move('third');
    assert.deepEqual([status, reason], ['Failed', 'Cluster member third does not exist or is down.']);
    assert.deepEqual(await place(), { location, status: 'Running' });
  });

  it('that fails leaves the machine running where it was', async () => {
    const { location } = await place();
    const target = await otherMember();
    const { [target]: there } = { first: cluster.first, second: cluster.second };
    await there!.resizePool('512k');
    try {
      const { status } = await move(target);
      assert.equal(status, 'Failed');
    } finally {
      await there!.resizePool('3g');
    }
    assert.deepEqual(await place(), { location, status: 'Running' });
    assert.equal(await fileInside(), 'content\n');
    assert.deepEqual(
      new Set((await instancesOf(cluster.first, name)).map((each) => each.location)),
      new Set([location]),
    );
  });

  it('works again when the member has room', async () => {
    const target = await otherMember();
    assert.equal((await move(target)).status, 'Completed');
    assert.deepEqual(await place(), { location: target, status: 'Running' });
  });
});
