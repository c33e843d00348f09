// Services of customers under the hands of the provider's staff: provisioned, suspended, resumed, terminated, and what the
// customer can still do meanwhile.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { machineTidy } from '#reconcilers/machine-tidy.ts';
import { machineOrder, newAccount, operated, asOperator, type Refusal } from '#test/support/operators.ts';
import { request } from '#test/support/request.ts';
import { engines, openTestYard, type TestYard } from '#test/support/yard.ts';
import { until } from '#test/support/until.ts';

interface Begun {
  readonly service: string;
  readonly workflow: string;
}
interface Shown {
  readonly status: string;
  readonly ip: string;
  readonly vmid: string;
  readonly server: string;
  readonly netblocks: readonly string[];
  readonly suspension: string;
  readonly terms: readonly { readonly price: string; readonly until: string }[];
}

for (const { engine, suite, start } of engines) {
  describe(`services and devices of customers on ${engine}`, suite, () => {
    let running: Awaited<ReturnType<typeof start>>;
    let yard: TestYard;
    before(async () => {
      running = await start();
      const database = await running.newDatabase();
      yard = await openTestYard({ ...database, trustedProxies: ['127.0.0.1'], worksOffJobs: true });
    });
    after(async () => {
      await yard?.[Symbol.asyncDispose]();
      await running?.[Symbol.asyncDispose]();
    });

    const refusedCode = async (...call: Parameters<typeof asOperator>) =>
      (await asOperator<Refusal>(...call)).body.result.code;
    const shown = (id: string) => operated<Shown>(yard, 'GET', `service/${id}`);
    const becomes = async (id: string, status: string) => {
      await until(async () => (await shown(id)).status === status, { saw: () => shown(id) });
      return shown(id);
    };
    async function customerKey(account: string): Promise<string> {
      const fields = { account, name: 'own', scopes: ['all'] };
      return (await operated<{ key: string }>(yard, 'POST', 'key', fields)).key;
    }
    const power = async (key: string, service: string, action?: string) => {
      const path = action === undefined ? `/v2/device/power/${service}` : '/v2/device/power';
      const { body, status } = await request<{ result: string & Refusal }>(yard, action ? 'POST' : 'GET', path, {
        key,
        params: action === undefined ? {} : { service, action },
      });
      return status === 200 ? body.result : `${body.result.code}: ${body.result.message}`;
    };

    test('a machine is provisioned, suspended, resumed and terminated, and nothing of it is left', async () => {
      const account = await newAccount(yard);
      const key = await customerKey(account);
      const order = machineOrder(account);
      const wrong = { ...order, template: 'no such one' };
      assert.equal(await refusedCode(yard, 'POST', 'service', wrong), 'not_in_catalogue');
      assert.equal(
        await refusedCode(yard, 'POST', 'service', { ...order, server: 'dc01r01ds01' }),
        'invalid_parameter',
      );
      const { service, workflow } = await operated<Begun>(yard, 'POST', 'service', order);
      assert.notEqual(workflow, '');
      const fresh = await becomes(service, 'Active');
      assert.equal(fresh.netblocks.length, 1);
      assert.deepEqual(
        fresh.terms.map(({ price, until: end }) => [price, end]),
        [['9.00', '']],
      );
      assert.equal(await power(key, service), 'on');

      const suspended = await operated<Begun>(yard, 'POST', 'service/suspend', { id: service, reason: 'Spam' });
      assert.notEqual(suspended.workflow, '');
      assert.equal((await becomes(service, 'Suspended')).suspension, 'Spam');
      assert.equal(await power(key, service), 'off');
      assert.match(await power(key, service, 'on'), /^service_suspended/);
      assert.equal(await refusedCode(yard, 'POST', 'service/suspend', { id: service, reason: 'x' }), 'state_conflict');

      await operated(yard, 'POST', 'service/resume', { id: service });
      await becomes(service, 'Active');
      assert.equal(await power(key, service), 'on');

      assert.equal(
        await refusedCode(yard, 'DELETE', 'service', { id: service, hostname: 'other.example.net' }),
        'invalid_parameter',
      );
      assert.equal(await refusedCode(yard, 'DELETE', 'account', { id: account }), 'state_conflict');
      await operated(yard, 'DELETE', 'service', { id: service, hostname: order.hostname });
      const over = await becomes(service, 'Terminated');
      assert.deepEqual(over.netblocks, []);
      assert.notEqual(over.terms[0]!.until, '');
      assert.equal(
        await refusedCode(yard, 'DELETE', 'service', { id: service, hostname: order.hostname }),
        'state_conflict',
      );
      assert.ok(yard.equipment.node.simulator.machines.has(`vm-${fresh.vmid}`));
      await machineTidy(yard.parts).run(new AbortController().signal);
      assert.ok(!yard.equipment.node.simulator.machines.has(`vm-${fresh.vmid}`));

      const { body } = await request<{ result: { events: { type: string }[] } }>(yard, 'GET', '/v2/event', { key });
      assert.deepEqual(
        body.result.events.map(({ type }) => type).filter((type) => type.startsWith('service.')),
        ['service.provisioned', 'service.suspended', 'service.resumed', 'service.terminated'],
      );
      await operated(yard, 'DELETE', 'account', { id: account });
    });

    test('a server is cut off by its switch ports, comes back as it was, and is free for another in the end', async () => {
      const { service, server } = yard.lab.dedicated;
      const { key } = yard.lab.customer;
      const ports = async () => {
        const found = await request<{ result: { ports: Record<string, Record<string, { ifAdminStatus: string }>> } }>(
          yard,
          'GET',
          `/v2/device/hardware/${service}`,
          { key },
        );
        return Object.values(found.body.result.ports)
          .flatMap((one) => Object.values(one))
          .map(({ ifAdminStatus }) => ifAdminStatus);
      };
      assert.ok((await ports()).every((status) => status === 'up'));
      await operated(yard, 'POST', 'service/suspend', { id: service, reason: 'Abuse' });
      await becomes(service, 'Suspended');
      assert.ok((await ports()).every((status) => status === 'down'));
      await operated(yard, 'POST', 'service/resume', { id: service });
      await becomes(service, 'Active');
      assert.ok((await ports()).every((status) => status === 'up'));

      const order = { account: yard.lab.stranger.account, type: 'dedicated', name: 'Server', server };
      const named = { ...order, hostname: 'second.example.net' };
      assert.equal(await refusedCode(yard, 'POST', 'service', named), 'state_conflict');
      const { hostname } = await operated<{ hostname: string }>(yard, 'GET', `service/${service}`);
      await operated(yard, 'DELETE', 'service', { id: service, hostname });
      await becomes(service, 'Terminated');
      const next = await operated<Begun>(yard, 'POST', 'service', named);
      assert.equal((await shown(next.service)).status, 'Active');
      assert.equal((await shown(next.service)).server, server);
      assert.equal(await power(yard.lab.stranger.key, next.service), 'off');
    });

    test('a device that is locked or under maintenance refuses its customer with the reason, and nobody else', async () => {
      const { service, vmid } = yard.lab.vps;
      const { key } = yard.lab.customer;
      const device = `vm-${vmid}`;
      await operated(yard, 'POST', 'device/maintenance', { device, reason: 'a new disk' });
      assert.equal(await power(key, service, 'on'), 'device_held: The device is under maintenance: a new disk');
      assert.equal(await power(key, service), 'on');
      const rename = { key, params: { service, hostname: 'renamed.example.net' } };
      assert.equal((await request(yard, 'POST', '/v2/device/hostname', rename)).status, 409);
      await operated(yard, 'POST', 'device/lock', { device, reason: 'evidence' });
      const machines = await operated<Record<string, string>[]>(yard, 'GET', 'device', { kind: 'machine' });
      const listed = machines.find((one) => one['device'] === device)!;
      assert.deepEqual([listed['maintenance'], listed['locked']], ['a new disk', 'evidence']);
      await operated(yard, 'DELETE', 'device/maintenance', { device });
      assert.match(await power(key, service, 'on'), /^device_held: .*evidence/);
      await operated(yard, 'DELETE', 'device/lock', { device });
      assert.equal(await refusedCode(yard, 'DELETE', 'device/lock', { device }), 'state_conflict');
      assert.doesNotMatch(await power(key, service, 'on'), /held/);
      assert.equal(await refusedCode(yard, 'POST', 'device/lock', { device: 'vm-999999', reason: 'x' }), 'not_found');
    });

    test('the parts of a server are read from its controller, and a second look finds nothing new', async () => {
      interface Found {
        stored: boolean;
        differences: { category: string; before: string[]; after: string[] }[];
      }
      const server = 'dc01r01ds02-01';
      const look = (dryrun: boolean) => operated<Found>(yard, 'POST', 'device/discover', { server, dryrun });
      const compared = await look(true);
      assert.equal(compared.stored, false);
      assert.ok(compared.differences.length > 0);
      assert.deepEqual(await look(false), { ...compared, stored: true });
      assert.deepEqual((await look(false)).differences, []);
    });
  });
}
