// Metrics of a customer's services for their own Prometheus.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { before, it } from 'node:test';
import { machineSampling } from '#reconcilers/machine-samples.ts';
import { machineSync } from '#reconcilers/machine-sync.ts';
import { applySite } from '#app/site/apply.ts';
import { sensorsPut, sensorFaults, sensorReadings } from '#store/devices/sensors.ts';
import type { TestApp } from '#test/support/app.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { needs } from '#test/support/needs.ts';
import { createKey, request } from '#test/support/request.ts';

describeOnEngines('metrics for customers', { postgres: 'in long runs', concurrency: 1 }, ({ openApp }) => {
  let app: TestApp;
  const scrape = async (key: string): Promise<string> => {
    // As Prometheus sends it.
    const headers = { authorization: `Bearer ${key}`, accept: 'text/plain;version=0.0.4;q=0.3,*/*;q=0.1' };
    const { status, headers: returned, body } = await request<string>(app, 'GET', '/v2/metrics', { headers });
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(returned.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
    return body;
  };
  const valueOf = (metrics: string, name: string, service: string): number | undefined => {
    const [, value] = new RegExp(`^hostyard_${name}\\{service="${service}"[^}]*\\} (\\S+)$`, 'm').exec(metrics) ?? [];
    return value === undefined ? undefined : Number(value);
  };
  before(async () => {
    app = await openApp();
    const signal = AbortSignal.timeout(60_000);
    await machineSync(app.parts, async () => {}).run(signal);
    const sampling = machineSampling(app.parts);
    for (let minute = 0; minute < 12; minute++) {
      await sampling.run(signal);
      app.pass(61_000);
      app.equipment.hypervisor.simulator.pass(61_000);
    }
    await sensorsPut(app.parts.store.queries, {
      server: 'dc01r01ds01',
      service_id: 1001,
      read_at: 1,
      error: null,
      fault_count: 0,
      celsius: 41.5,
      rpm: null,
      watts: null,
      log_position: null,
      readings: sensorReadings.encode([
        { name: 'CPU "1"', kind: 'temperature', health: 'ok', value: 41.5, unit: '°C' },
        { name: 'PSU 2', kind: 'psu', health: 'critical' },
      ]),
      faults: sensorFaults.encode([]),
    });
  });

  it('have what was recorded about each machine and server', async () => {
    const metrics = await scrape(app.lab.customer.key);
    const machine = app.lab.vps.service;
    assert.equal(valueOf(metrics, 'device_power_on', machine), 1, metrics);
    assert.equal(valueOf(metrics, 'device_memory_size_bytes', machine), 2 ** 30);
    for (const name of [
      'device_cpu_seconds_total',
      'device_memory_used_bytes',
      'device_disk_used_bytes',
      'device_disk_read_bytes_total',
      'device_network_receive_bytes_total',
      'device_network_transmit_bytes_total',
      'device_bandwidth_allowance_bytes',
      'device_bandwidth_used_bytes',
    ])
      assert.ok((valueOf(metrics, name, machine) ?? 0) > 0, `${name}: ${metrics}`);
    // Never checked, so neither on nor off.
    assert.equal(valueOf(metrics, 'device_power_on', '1001'), undefined);
    assert.ok(metrics.includes('sensor="CPU \\"1\\"",kind="temperature",unit="°C"} 41.5'), metrics);
    assert.ok(!metrics.includes('PSU 2'));
    assert.ok(!metrics.includes('service="1101"'), 'the service of another account');
  });

  it('leave out sensors unless the provider offers them to customers', async () => {
    await applySite(app.parts, { ...app.site, sensors: { customers: false } });
    assert.ok(!(await scrape(app.lab.customer.key)).includes('device_sensor_value{'));
    await applySite(app.parts, app.site);
  });

  it('leave out services that the key does not see, and need a key that may read devices', async () => {
    const { key } = app.lab.customer;
    const limited = (await createKey(app, key, { scopes: ['device:read'], services: ['1001'] })).key;
    const metrics = await scrape(limited);
    assert.deepEqual(new Set([...metrics.matchAll(/service="(\d+)"/g)].map(([, id]) => id)), new Set(['1001']));
    const wrong = (await createKey(app, key, { scopes: ['dns:read'] })).key;
    assert.equal((await request(app, 'GET', '/v2/metrics', { key: wrong })).status, 403);
    assert.equal((await request(app, 'GET', '/v2/metrics')).status, 401);
  });

  it('have neither a power state nor usage while the hypervisor does not respond', async () => {
    app.equipment.hypervisor.simulator.setMalfunctions({ isDown: true });
    app.pass(1_200_000);
    await machineSync(app.parts, async () => {}).run(AbortSignal.timeout(60_000));
    const metrics = await scrape(app.lab.customer.key);
    for (const name of ['device_power_on', 'device_cpu_seconds_total', 'device_memory_used_bytes'])
      assert.equal(valueOf(metrics, name, app.lab.vps.service), undefined, name);
    app.equipment.hypervisor.simulator.setMalfunctions({});
  });

  it('are what Prometheus accepts', needs('promtool'), async () => {
    const input = await scrape(app.lab.customer.key);
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input, encoding: 'utf8' });
    assert.equal(status, 0, stdout + stderr);
  });
});
