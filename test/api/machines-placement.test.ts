// Placement of a new machine: a hypervisor of its kind with enough capacity, preferably the emptiest; an existing
// machine is adopted. If nothing fits, its service waits and the operator sees why.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Static } from 'typebox';
import { applySite } from '#app/site/apply.ts';
import { machineReport } from '#app/machines/report.ts';
import { runChecks } from '#app/doctor/check.ts';
import { equipmentChecks } from '#app/doctor/equipment-checks.ts';
import { workChecks } from '#app/doctor/work-checks.ts';
import { ensureMachine, waitForMachines } from '#app/site/machines.ts';
import { errorKinds } from '#contract/errors.ts';
import type { SiteMachine, SiteNode, SiteTemplate } from '#contract/site/machines.ts';
import type { OperatorService as OperatorServiceShape } from '#contract/shapes/operator-service.ts';
import type { HypervisorDriver } from '#drivers/hypervisor/driver.ts';
import { hypervisorDrivers } from '#drivers/hypervisor/registry.ts';
import { startLabHypervisor, type LabHypervisor, type LabHypervisorOptions } from '#lab/hypervisor/hypervisor.ts';
import { ApiError } from '#lib/api-error.ts';
import { machineSync } from '#reconcilers/machine-sync.ts';
import { machineFind } from '#store/devices/machines.ts';
import { labCatalogue, machineSite, smallMachine } from '#test/support/machine-site.ts';
import { operatorResult } from '#test/support/operators.ts';
import { request, requestResult, type Envelope } from '#test/support/request.ts';
import { openTestApp } from '#test/support/app.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { until } from '#test/support/until.ts';

type OperatorService = Static<typeof OperatorServiceShape>;

const token = 'secret-enough';
const timing = { bootMs: 0, buildMs: 0, softOffMs: 0 };
const patienceMs = 60_000;

const startNode = (capacity: Partial<LabHypervisorOptions> = {}): Promise<LabHypervisor> =>
  startLabHypervisor({ token, timing, ...capacity });
const siteNode = (name: string, { address, port }: LabHypervisor, driver = 'lab'): SiteNode => ({
  name,
  driver,
  settings: { address, port, token },
});
/** Hypervisors that accept containers only, and ones that refuse to create machines: the same ones under other names. */
const lab = hypervisorDrivers['lab']!;
const refusal = "Storage pool 'vms' is not active";
const refusing: HypervisorDriver = {
  ...lab,
  async open(settings) {
    const hypervisor = await lab.open(settings);
    const create = () => Promise.reject(new ApiError('node_error', { internal: refusal }));
    return { ...hypervisor, machines: { ...hypervisor.machines, create } };
  },
};
const noFirmware = 'It has no UEFI firmware: install ovmf on it.';
/** One that has no firmware but BIOS. */
const bare: HypervisorDriver = {
  ...lab,
  async open(settings) {
    const hypervisor = await lab.open(settings);
    return { ...hypervisor, findPlatformProblems: async ({ firmware }) => (firmware === 'uefi' ? [noFirmware] : []) };
  },
};
const hypervisors = { ...hypervisorDrivers, bare, containers: { ...lab, kinds: ['OpenVZ'] as const }, refusing };
const container: SiteMachine = { ...smallMachine, template: 'debian-12-container' };
const machineNames = (node: LabHypervisor): string[] => [...node.machines.keys()].toSorted();

describeOnEngines('a new machine', { postgres: 'in long runs', concurrency: 3 }, ({ newDatabase }) => {
  const open = async (nodes: SiteNode[], machines: SiteMachine[]) => {
    const { site, key } = machineSite(nodes, machines);
    const app = await openTestApp({ ...(await newDatabase()), worksOffJobs: true, hypervisors, site });
    const statusOf = async (service: string) => {
      const path = '/v2/device/list';
      const result = await requestResult<{ status: string }[]>(app, 'GET', path, { key, params: { service } });
      return result[0]!.status;
    };
    return { app, site, key, statusOf };
  };

  it('goes to the hypervisor of its kind with the most capacity left, and runs', async () => {
    await using small = await startNode({ memoryMb: 1200 });
    await using large = await startNode({ memoryMb: 2000 });
    await using containers = await startNode({ memoryMb: 100_000 });
    const nodes = [siteNode('small', small), siteNode('large', large), siteNode('boxes', containers, 'containers')];
    const pinned = { ...smallMachine, node: 'small' };
    const { app, statusOf } = await open(nodes, [smallMachine, smallMachine, smallMachine, pinned, container]);
    await using _ = app;
    await waitForMachines(app.parts, patienceMs);
    // In whatever order they came, together they fill the available capacity.
    assert.equal(small.machines.size + large.machines.size, 4);
    assert.ok(small.machines.has('vm-104'));
    assert.deepEqual(machineNames(containers), ['vm-105']);
    for (const machine of [...small.machines.values(), ...large.machines.values()]) {
      assert.equal(machine.state.power, 'on');
      assert.match(machine.system().hostname, /^vps[1-4]\.example\.net$/);
      assert.equal(machine.system().rootPassword.length, 20);
    }
    assert.equal(await statusOf('2001'), 'Active');
    // Applying it again changes nothing.
    const before = [small.events.length, large.events.length];
    await applySite(app.parts, app.site);
    assert.equal(await statusOf('2001'), 'Active');
    assert.deepEqual([small.events.length, large.events.length], before);
  });

  it('that fits nowhere leaves its service Pending, with the reason, until there is capacity', async () => {
    await using full = await startNode({ memoryMb: 256 });
    await using dead = await startNode();
    dead.setMalfunctions({ isDown: true });
    const { app, site, key, statusOf } = await open([siteNode('full', full), siteNode('dead', dead)], [smallMachine]);
    await using _ = app;
    const reason = async () => (await machineFind(app.parts.store.queries, 2001))!.reason;
    await until(async () => (await reason()) !== '');
    assert.match(await reason(), /512 MB of memory and 10 GB of disk left\. No response from dead/);
    assert.match(
      (await machineReport(app.parts)).join('\n'),
      /vm-101 {2}service 2001 {2}- {2}Pending: No hypervisor has 512/,
    );
    assert.equal(await statusOf('2001'), 'Pending');
    const response = await request(app, 'POST', '/vps/power', { key, form: { vmid: '101', action: 'on' } });
    assert.equal(response.status, 409);
    await using added = await startNode();
    await applySite(app.parts, { ...site, nodes: [...site.nodes!, siteNode('added', added)] });
    app.pass(10_000);
    await until(async () => (await statusOf('2001')) === 'Active');
    assert.deepEqual([machineNames(full), machineNames(added)], [[], ['vm-101']]);
    assert.equal(await reason(), '');
  });

  it('that a hypervisor refuses shows staff its message and the customer none of it, and is retried later and later', async () => {
    await using node = await startNode();
    const { app, site, key, statusOf } = await open([siteNode('node', node, 'refusing')], [smallMachine]);
    await using _ = app;
    const { queries } = app.parts.store;
    const failures = () => operatorResult<object[]>(app, 'GET', 'workflow', { status: 'Failed' });
    const sync = () =>
      machineSync(app.parts, async (inSync, service) => void (await ensureMachine(app.parts, inSync, service))).run(
        AbortSignal.timeout(patienceMs),
      );
    const delays: number[] = [];
    for (let count = 1; count <= 3; count++) {
      await until(async () => (await failures()).length === count);
      // Nothing before its time.
      await sync();
      assert.deepEqual(await operatorResult(app, 'GET', 'workflow', { status: 'Queued' }), []);
      delays.push((await machineFind(queries, 2001))!.next_attempt_at - app.parts.clock.now());
      app.pass(delays.at(-1)! + 1);
      await sync();
    }
    assert.ok(delays[0]! > 0 && delays[1]! > delays[0]! && delays[2]! > delays[1]!, delays.join());

    const { waiting, detail, attempts } = await operatorResult<OperatorService>(app, 'GET', 'service/2001');
    assert.deepEqual([waiting, detail], [errorKinds.node_error.message, refusal]);
    assert.ok(Number(attempts) >= 3);
    const [failure] = (await failures()) as { id: string; error: string; detail: string }[];
    assert.deepEqual([failure!.error, failure!.detail], [errorKinds.node_error.message, refusal]);
    const findings = await runChecks(app.parts, workChecks);
    const finding = findings.find(({ check }) => check === 'machines')!;
    assert.match(finding.message, /^vm-101 of service 2001 cannot be created: Storage pool 'vms' is not active/);
    assert.match((await machineReport(app.parts)).join('\n'), /Pending: .*Storage pool 'vms' is not active/);
    assert.deepEqual(await requestResult(app, 'GET', '/v2/action', { key }), [], 'the customer did not ask for it');
    assert.equal((await request(app, 'GET', `/v2/action/${failure!.id}`, { key })).status, 404);

    await applySite(app.parts, { ...site, nodes: [siteNode('node', node)] });
    await operatorResult(app, 'POST', 'service/retry', { id: '2001' });
    await until(async () => (await statusOf('2001')) === 'Active');
    const { attempts: after, detail: none } = await operatorResult<OperatorService>(app, 'GET', 'service/2001');
    assert.deepEqual([after, none], ['0', '']);
  });

  it('goes to a hypervisor that can run its template, and is not reinstalled with one that cannot run', async () => {
    await using bare = await startNode({ memoryMb: 1_000_000 });
    await using able = await startNode();
    const templates: SiteTemplate[] = [
      ...labCatalogue,
      { name: 'Modern', value: 'modern', type: 'Xen', source: 'debian-12', firmware: 'uefi', secureBoot: true },
    ];
    const nodes = [siteNode('bare', bare, 'bare'), siteNode('able', able)];
    const modern = { ...smallMachine, template: 'modern' };
    const machines = [modern, { ...modern, node: 'bare' }, { ...smallMachine, node: 'bare' }];
    const { site, key } = machineSite(nodes, machines, templates);
    await using app = await openTestApp({ ...(await newDatabase()), worksOffJobs: true, hypervisors, site });
    const { queries } = app.parts.store;
    const rowOf = async (service: number) => (await machineFind(queries, service))!;
    await until(async () => (await rowOf(2001)).state === 'ready' && (await rowOf(2003)).state === 'ready');
    assert.deepEqual([(await rowOf(2001)).node, (await rowOf(2003)).node], ['able', 'bare']);
    await until(async () => (await rowOf(2002)).reason !== '');
    const { reason, detail } = await rowOf(2002);
    assert.deepEqual([reason, detail], ['No hypervisor can run the template modern.', `bare: ${noFirmware}`]);
    const form = { vmid: '103', template: 'modern' };
    const { status, body } = await request<Envelope>(app, 'POST', '/vps/reinstall', { key, form });
    assert.equal(status, 422, JSON.stringify(body));
    assert.deepEqual(bare.events, ['create vm-103', 'power vm-103']);
    const findings = await runChecks(app.parts, equipmentChecks);
    const finding = findings.find(({ message }) => message.includes('modern'));
    assert.equal(finding?.message, `Hypervisor bare cannot run the templates modern: ${noFirmware}`);
  });

  it('that is to be adopted is never created', async () => {
    await using node = await startNode();
    const { app } = await open([siteNode('node', node)], [{ ...smallMachine, node: 'node', adopt: 'web 1' }]);
    await using _ = app;
    const reason = async () => (await machineFind(app.parts.store.queries, 2001))!.reason;
    await until(async () => (await reason()) !== '');
    assert.equal(await reason(), 'Hypervisor node has no machine web 1 to adopt.');
    assert.deepEqual(machineNames(node), []);
  });

  it('that a hypervisor already has is adopted unchanged', async () => {
    await using node = await startNode();
    await using other = await startNode({ memoryMb: 1_000_000 });
    const first = await hypervisorDrivers['lab']!.open({ address: node.address, port: node.port, token } as never);
    const shape = { vcpus: 1, memoryMb: 512, diskGb: 10, mac: '52:54:00:00:00:65', networks: [] };
    const system = { id: 'theirs', template: 'debian-12', hostname: 'old.example.net', rootPassword: 'kept' };
    const fullSystem = { ...system, addresses: [], nameServers: [], sshKeys: [] };
    await first.machines.create('vm-101', shape, fullSystem, AbortSignal.timeout(patienceMs));
    await first[Symbol.asyncDispose]();
    const { app, statusOf } = await open([siteNode('node', node), siteNode('other', other)], [smallMachine]);
    await using _ = app;
    await waitForMachines(app.parts, patienceMs);
    assert.equal(await statusOf('2001'), 'Active');
    assert.deepEqual([machineNames(node), machineNames(other)], [['vm-101'], []]);
    const { current, power } = node.machines.get('vm-101')!.state;
    assert.deepEqual([current, power], ['theirs', 'off']);
    assert.deepEqual(node.events, ['create vm-101']);
  });
});
