// Sensors and event logs of servers: read from BMCs, stored when they change, shown to staff, and to customers if the site
// allows it and from their own time only.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import type { Static } from 'typebox';
import { canCustomersSeeSensors } from '#app/servers/sensors.ts';
import { applySite } from '#app/site/apply.ts';
import type { OperatorSensorReport, SensorReport } from '#contract/shapes/sensors.ts';
import { getSdr, getSdrRepositoryInfo } from '#protocols/ipmi/commands/storage.ts';
import { ApiError } from '#lib/api-error.ts';
import type { Reconciler } from '#reconcilers/reconciler.ts';
import { sensorsPoll } from '#reconcilers/sensors-poll.ts';
import { logAppend, logList, sensorsFind } from '#store/devices/sensors.ts';
import { serverObserveFailure, serverRemove } from '#store/devices/servers.ts';
import { updateWhere } from '#store/engine/rows.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { assertRejected, deviceOf, type TestDevice } from '#test/support/devices.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { listEvents } from '#test/support/event-stream.ts';
import { operatorResult } from '#test/support/operators.ts';
import { request, type Envelope } from '#test/support/request.ts';
import { suiteResources } from '#test/support/suite-resources.ts';

type Report = Static<typeof SensorReport>;
const minute = 60_000;
const forEver = new AbortController().signal;

function pollOf({ parts }: Pick<TestApp, 'parts'>): Reconciler {
  return sensorsPoll({ ...parts, canCustomersSee: () => canCustomersSeeSensors(parts, parts.store.queries) });
}

describeOnEngines('the sensors of a server', { postgres: 'in long runs' }, ({ newDatabase }) => {
  const owned = suiteResources();
  let app: TestApp;
  let device: TestDevice;
  let poll: Reconciler;
  /** Long enough for every server to be due. */
  const check = async (afterMs = 7 * minute): Promise<void> => {
    app.pass(afterMs);
    await poll.run(forEver);
  };
  const report = () =>
    operatorResult<Static<typeof OperatorSensorReport>>(app, 'GET', 'device/sensors', { server: device.server });
  const own = async (): Promise<Report> => (await device.v2('GET', 'sensors')).body.result as Report;
  const row = () => sensorsFind(app.parts.store.queries, device.server);
  const healthOf = async (name: string) => (await report()).sensors.find((sensor) => sensor.name === name)?.health;
  const events = async () =>
    (await listEvents<Record<string, string>>(app, app.lab.customer.key))
      .filter(({ type }) => type.startsWith('device.hardware.'))
      .map(({ type, data }) => [type, data['sensor']]);
  const allowCustomers = (customers: boolean) => applySite(app.parts, { ...app.site, sensors: { customers } });

  before(async () => {
    app = owned.use(await openTestApp(await newDatabase()));
    device = deviceOf(app);
    await allowCustomers(true);
    poll = pollOf(app);
    // Plans the first checks.
    await poll.run(forEver);
  });

  it('are waiting until they are read, then current', async () => {
    assert.deepEqual(await report(), { state: 'waiting', read: '', sensors: [], log: [], error: '', faults: [] });
    assert.deepEqual((await own()).state, 'waiting');
    await check();
    const { state, sensors, faults } = await report();
    assert.equal(state, 'current');
    assert.deepEqual(faults, []);
    assert.deepEqual(sensors[0], {
      name: 'CPU Temp',
      kind: 'temperature',
      value: '41',
      unit: '°C',
      health: 'ok',
      detail: '',
      low: '',
      high: '95',
    });
    assert.deepEqual((await own()).sensors, sensors);
    // The server that speaks only Redfish.
    const redfish = await operatorResult<Report>(app, 'GET', 'device/sensors', { server: 'dc01r01ds02-01' });
    assert.ok(redfish.sensors.some(({ kind, value, unit }) => kind === 'drive' && value === '97' && unit === '%'));
  });

  it('are read again without their records, and not stored again if nothing has changed', async () => {
    const before = await row();
    const { bmc } = device;
    bmc.setMalfunctions({ unsupportedCommands: [getSdr] });
    await check();
    assert.deepEqual(await row(), before);
    await check(31 * minute);
    assert.ok((await row())!.read_at! > before!.read_at!);
    bmc.setMalfunctions({});
  });

  it('report a broken part once when it is confirmed, and once when it is repaired', async () => {
    const { hardware } = device.bmc.server;
    hardware.setCondition('psu', 'critical');
    await check();
    assert.equal(await healthOf('PSU 2'), 'critical');
    assert.deepEqual([(await report()).faults, await events()], [[], []], 'a single reading proves nothing');
    await check(2 * minute);
    const [fault, ...others] = (await report()).faults;
    assert.deepEqual(
      [fault!.sensor, fault!.kind, fault!.severity, fault!.detail],
      ['PSU 2', 'psu', 'critical', 'failed'],
    );
    assert.deepEqual(others, []);
    for (let count = 0; count < 3; count++) await check();
    assert.deepEqual(await events(), [['device.hardware.failed', 'PSU 2']]);
    const metrics = await request<string>(app, 'GET', '/metrics', { key: app.lab.operator.key });
    assert.match(metrics.body, /^hostyard_hardware_faults\{server="dc01r01ds01",kind="psu",severity="critical"\} 1$/m);
    assert.match(metrics.body, /^hostyard_server_power_watts\{server="dc01r01ds01"\} 122$/m);
    hardware.setCondition('psu', 'ok');
    for (let count = 0; count < 4; count++) await check();
    assert.deepEqual((await report()).faults, []);
    assert.deepEqual(await events(), [
      ['device.hardware.failed', 'PSU 2'],
      ['device.hardware.recovered', 'PSU 2'],
    ]);
  });

  it('come with the event log, each entry once and the newest first, as text that a terminal can show', async () => {
    const texts = ['PSU 2: failed (ended)', 'PSU 2: failed'];
    assert.deepEqual(
      (await report()).log.map(({ text }) => text),
      texts,
    );
    assert.deepEqual(
      (await own()).log.map(({ severity }) => severity),
      ['ok', 'critical'],
    );
    device.bmc.server.hardware.clearLog();
    device.bmc.server.hardware.isClockUnset = true;
    device.bmc.server.hardware.setCondition('fan', 'warning');
    device.bmc.server.hardware.setCondition('fan', 'ok');
    await check();
    await check();
    const [ended, began, ...older] = (await report()).log;
    assert.deepEqual([ended!.time, began!.severity, older.length], ['', 'warning', 2]);
    assert.match(began!.text, /^Fan 1: below the lower threshold \(900 rpm/);
    device.bmc.server.hardware.isClockUnset = false;
  });

  it('are unknown while the BMC does not respond, and a fault stays', async () => {
    const { hardware } = device.bmc.server;
    hardware.setCondition('drive', 'critical');
    await check();
    await check(2 * minute);
    await serverObserveFailure(app.parts.store.queries, device.server, 'bmc_unreachable', 0);
    await check();
    const { state, error, read, sensors, faults } = await report();
    assert.deepEqual(
      [state, error, new Set(sensors.map(({ health }) => health))],
      ['unreachable', 'bmc_unreachable', new Set(['unknown'])],
    );
    assert.match(read, /^\d{4}/);
    assert.deepEqual([faults.length, new Set(sensors.map(({ value }) => value))], [1, new Set([''])]);
    assert.equal((await own()).state, 'unreachable');
    const metrics = await request<string>(app, 'GET', '/metrics', { key: app.lab.operator.key });
    assert.doesNotMatch(metrics.body, /^hostyard_server_power_watts\{server="dc01r01ds01"\}/m);
    assert.match(metrics.body, /^hostyard_sensors\{state="unreachable"\} 1$/m);
    await updateWhere(app.parts.store.queries, 'servers', { name: device.server }).set({ power_error: null }).execute();
    hardware.setCondition('drive', 'ok');
    for (let count = 0; count < 4; count++) await check();
    assert.deepEqual([(await report()).state, (await report()).faults], ['current', []]);
  });

  it('of a BMC without any are reported as unsupported', async () => {
    const { simulator } = app.equipment.bmcs[1]!;
    simulator.setMalfunctions({ unsupportedCommands: [getSdrRepositoryInfo] });
    await check();
    const { state } = await operatorResult<Report>(app, 'GET', 'device/sensors', {
      server: app.equipment.bmcs[1]!.server,
    });
    assert.equal(state, 'unsupported');
    simulator.setMalfunctions({});
  });

  it('are not available for a virtual machine', async () => {
    const { vps, customer } = app.lab;
    const response = await request<Envelope>(app, 'GET', `/v2/device/sensors/${vps.service}`, { key: customer.key });
    assertRejected(response, 422, 'capability_missing');
  });

  it('are shown to no other customer, and to the next one only from their own time', async () => {
    const { stranger } = app.lab;
    const { queries } = app.parts.store;
    const asStranger = () =>
      request<Envelope<Report>>(app, 'GET', `/v2/device/sensors/${stranger.service}`, { key: stranger.key });
    assertRejected(await device.v2('GET', 'sensors', {}, stranger.key), 404);
    const { server: theirs } = await queries
      .selectFrom('services')
      .select('server')
      .where('id', '=', Number(stranger.service))
      .executeTakeFirstOrThrow();
    const give = async (service: string, server: string | null) => {
      if (server !== null)
        await updateWhere(queries, 'servers', { name: server }).set({ state: 'available' }).execute();
      await updateWhere(queries, 'services', { id: Number(service) })
        .set({ server })
        .execute();
    };
    // An entry that is read only after the handover.
    device.bmc.server.hardware.setCondition('cpu', 'critical');
    device.bmc.server.hardware.setCondition('cpu', 'ok');
    await give(stranger.service, null);
    await give(device.service, null);
    await give(stranger.service, device.server);
    assert.deepEqual((await asStranger()).body.result, { state: 'waiting', read: '', sensors: [], log: [] });
    await check();
    const { state, log } = (await asStranger()).body.result;
    assert.deepEqual([state, log], ['current', []]);
    device.bmc.server.hardware.setCondition('fan', 'critical');
    device.bmc.server.hardware.setCondition('fan', 'ok');
    await check();
    assert.deepEqual((await asStranger()).body.result.log.length, 2);
    await give(stranger.service, theirs);
    await give(device.service, device.server);
    assert.deepEqual(
      (await own()).log.filter(({ text }) => text.startsWith('Fan 1') && !text.includes('900')),
      [],
      'the former customer does not see what happened after them either',
    );
  });

  it('are hidden from customers, who are not notified either, unless the site allows it', async () => {
    await check();
    await allowCustomers(false);
    const before = await events();
    assert.match(
      assertRejected(await device.v2('GET', 'sensors'), 422, 'capability_missing'),
      /does not offer sensors/,
    );
    device.bmc.server.hardware.setCondition('fan', 'critical');
    await check();
    await check(2 * minute);
    assert.equal((await report()).faults.length, 1);
    assert.deepEqual(await events(), before);
  });

  it('keep five hundred entries of the log', async () => {
    const { queries } = app.parts.store;
    const entry = {
      server: device.server,
      service_id: null,
      at: null,
      seen_at: 1,
      severity: 'ok' as const,
      text: 'full',
    };
    await logAppend(
      queries,
      Array.from({ length: 600 }, () => entry),
    );
    const count = await queries
      .selectFrom('server_log')
      .select((row_) => row_.fn.countAll().as('count'))
      .where('server', '=', device.server)
      .executeTakeFirstOrThrow();
    assert.equal(Number(count.count), 500);
  });

  it('in a large fleet are read when the event log has a new entry, and else less often', async () => {
    const { hardware } = device.bmc.server;
    const large = sensorsPoll({ ...app.parts, canCustomersSee: async () => false }, 60 * minute);
    const checkLarge = async (afterMs: number): Promise<string | undefined> => {
      app.pass(afterMs);
      await large.run(forEver);
      return healthOf('PSU 2');
    };
    hardware.setCondition('fan', 'ok');
    for (let count = 0; count < 4; count++) await check();
    assert.deepEqual((await report()).faults, []);
    hardware.clearLog();
    await large.run(forEver);
    assert.equal(await checkLarge(7 * minute), 'ok');
    const setPowerError = (power_error: string | null) =>
      updateWhere(app.parts.store.queries, 'servers', { name: device.server }).set({ power_error }).execute();
    await setPowerError('bmc_unreachable');
    assert.equal(await checkLarge(7 * minute), 'unknown');
    await setPowerError(null);
    assert.equal(await checkLarge(7 * minute), 'ok', 'the BMC responds again');
    hardware.setCondition('psu', 'critical');
    hardware.clearLog();
    assert.equal(await checkLarge(7 * minute), 'ok', 'the log has no entry');
    hardware.setCondition('psu', 'ok');
    hardware.setCondition('psu', 'critical');
    assert.equal(await checkLarge(7 * minute), 'critical');
    hardware.setCondition('psu', 'ok');
    hardware.clearLog();
    assert.equal(await checkLarge(24 * 60 * minute), 'ok', 'a day has passed');
  });

  it('are forgotten with the server, even if it is removed while its BMC does not respond', async () => {
    const { queries } = app.parts.store;
    const name = 'dc01r01ds02-01';
    assert.ok(await sensorsFind(queries, name));
    const use = async () => {
      await serverRemove(queries, name, app.parts.clock.now(), '{}');
      throw new ApiError('bmc_unreachable');
    };
    poll = pollOf({ parts: { ...app.parts, bmcs: { ...app.parts.bmcs, use } } });
    await check();
    await check();
    assert.deepEqual([await sensorsFind(queries, name), await logList(queries, name, 10)], [undefined, []]);
  });
});
