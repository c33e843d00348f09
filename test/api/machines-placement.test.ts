// Where a new machine goes: a node of its kind where it fits, the one with most room; one that is there already is taken over.
// Where nothing fits its service waits, and the operator reads why.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { applySite } from '#app/site/apply.ts';
import { machineReport } from '#app/machines/report.ts';
import { machinesMade } from '#app/site/machines.ts';
import type { SiteMachine, SiteNode } from '#contract/site-machines.ts';
import { hypervisorDrivers } from '#drivers/hypervisor/registry.ts';
import { startLabNode, type LabNode, type LabNodeOptions } from '#lab/node/node.ts';
import { machineFind } from '#store/devices/machines.ts';
import { machineSite, smallMachine } from '#test/support/machine-site.ts';
import { request } from '#test/support/request.ts';
import { engines, openTestYard } from '#test/support/yard.ts';
import { until } from '#test/support/until.ts';

const token = 'secret-enough';
const timing = { bootMs: 0, buildMs: 0, softOffMs: 0 };
const patienceMs = 60_000;

const startNode = (room: Partial<LabNodeOptions> = {}): Promise<LabNode> => startLabNode({ token, timing, ...room });
const siteNode = (name: string, { address, port }: LabNode, driver = 'lab'): SiteNode => ({
  name,
  driver,
  settings: { address, port, token },
});
/** Nodes that take containers only are the same nodes under another name. */
const hypervisors = { ...hypervisorDrivers, containers: { ...hypervisorDrivers['lab']!, kinds: ['OpenVZ'] as const } };
const container: SiteMachine = { ...smallMachine, template: 'debian-12-container' };
const had = (node: LabNode): string[] => [...node.machines.keys()].toSorted();

for (const { engine, suite, start } of engines) {
  describe(`a new machine on ${engine}`, { ...suite, concurrency: 3 }, () => {
    let database: Awaited<ReturnType<typeof start>>;
    before(async () => void (database = await start()));
    after(() => database?.[Symbol.asyncDispose]());
    const open = async (nodes: SiteNode[], machines: SiteMachine[]) => {
      const { site, key } = machineSite(nodes, machines);
      const yard = await openTestYard({ ...(await database.newDatabase()), worksOffJobs: true, hypervisors, site });
      const statusOf = async (service: string) => {
        const path = '/v2/device/list';
        const answer = await request<{ result: { status: string }[] }>(yard, 'GET', path, { key, params: { service } });
        return answer.body.result[0]!.status;
      };
      return { yard, site, key, statusOf };
    };

    it('goes to the node of its kind with most room left, and runs', async () => {
      await using small = await startNode({ memoryMb: 1200 });
      await using large = await startNode({ memoryMb: 2000 });
      await using containers = await startNode({ memoryMb: 100_000 });
      const nodes = [siteNode('small', small), siteNode('large', large), siteNode('boxes', containers, 'containers')];
      const wanted = { ...smallMachine, node: 'small' };
      const { yard, statusOf } = await open(nodes, [smallMachine, smallMachine, smallMachine, wanted, container]);
      await using _ = yard;
      await machinesMade(yard.parts, patienceMs);
      // Whatever the order in which they came, together they are where there was room.
      assert.equal(small.machines.size + large.machines.size, 4);
      assert.ok(small.machines.has('vm-104'));
      assert.deepEqual(had(containers), ['vm-105']);
      for (const machine of [...small.machines.values(), ...large.machines.values()]) {
        assert.equal(machine.state.power, 'on');
        assert.match(machine.system().hostname, /^vps[1-4]\.example\.net$/);
        assert.equal(machine.system().rootPassword.length, 20);
      }
      assert.equal(await statusOf('2001'), 'Active');
      // Applied again, nothing changes.
      const before = [small.events.length, large.events.length];
      await applySite(yard.parts, yard.site);
      assert.equal(await statusOf('2001'), 'Active');
      assert.deepEqual([small.events.length, large.events.length], before);
    });

    it('that fits nowhere leaves its service Pending, with the reason, until there is room', async () => {
      await using full = await startNode({ memoryMb: 256 });
      await using dead = await startNode();
      dead.setFaults({ isDown: true });
      const { yard, site, key, statusOf } = await open(
        [siteNode('full', full), siteNode('dead', dead)],
        [smallMachine],
      );
      await using _ = yard;
      const reason = async () => (await machineFind(yard.parts.store.queries, 2001))!.reason;
      await until(async () => (await reason()) !== '');
      assert.match(await reason(), /512 MB of memory and 10 GB of disk left\. No answer from dead/);
      assert.match(
        (await machineReport(yard.parts)).join('\n'),
        /vm-101 {2}service 2001 {2}- {2}Pending: No node has 512/,
      );
      assert.equal(await statusOf('2001'), 'Pending');
      const refused = await request(yard, 'POST', '/vps/power', { key, form: { vmid: '101', action: 'on' } });
      assert.equal(refused.status, 409);
      await using added = await startNode();
      await applySite(yard.parts, { ...site, nodes: [...site.nodes!, siteNode('added', added)] });
      yard.pass(10_000);
      await until(async () => (await statusOf('2001')) === 'Active');
      assert.deepEqual([had(full), had(added)], [[], ['vm-101']]);
      assert.equal(await reason(), '');
    });

    it('that a node has already is taken over as it is', async () => {
      await using node = await startNode();
      await using other = await startNode({ memoryMb: 1_000_000 });
      const first = await hypervisorDrivers['lab']!.open({ address: node.address, port: node.port, token } as never);
      const shape = { vcpus: 1, memoryMb: 512, diskGb: 10, mac: '52:54:00:00:00:65' };
      const system = { id: 'theirs', template: 'debian-12', hostname: 'old.example.net', rootPassword: 'kept' };
      const whole = { ...system, addresses: [], nameServers: [] };
      await first.machines.create('vm-101', shape, whole, AbortSignal.timeout(patienceMs));
      await first[Symbol.asyncDispose]();
      const { yard, statusOf } = await open([siteNode('node', node), siteNode('other', other)], [smallMachine]);
      await using _ = yard;
      await machinesMade(yard.parts, patienceMs);
      assert.equal(await statusOf('2001'), 'Active');
      assert.deepEqual([had(node), had(other)], [['vm-101'], []]);
      const { current, power } = node.machines.get('vm-101')!.state;
      assert.deepEqual([current, power], ['theirs', 'off']);
      assert.deepEqual(node.events, ['create vm-101']);
    });
  });
}
