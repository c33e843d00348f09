// The part of the conformance suite of BMC drivers about sensors and event logs.
import assert from 'node:assert/strict';
import type { Bmc, Log, Sensors } from './driver.ts';

export interface BmcHardware {
  setCondition(part: 'fan' | 'psu' | 'drive', condition: 'ok' | 'critical'): void | Promise<void>;
  clearLog(): void | Promise<void>;
  /** How many entries fit into the log, which then overwrites the oldest. */
  readonly maxLogEntries?: number;
}

/** Longer than any operation takes, even on a busy test machine. */
export function testTimeout(): AbortSignal {
  return AbortSignal.timeout(60_000);
}

export async function checkUnpoweredSensors(bmc: Bmc, sensors: Sensors): Promise<void> {
  await bmc.power.set('off', testTimeout());
  const readings = await sensors.read(testTimeout());
  const kinds = new Set(readings.map(({ kind }) => kind));
  for (const kind of ['temperature', 'fan', 'power', 'psu', 'drive'] as const)
    assert.ok(kinds.has(kind), `no ${kind} among ${[...kinds].join(', ')}`);
  assert.equal(new Set(readings.map(({ name }) => name)).size, readings.length, 'names are unique');
  const unknown = readings.filter(({ health }) => health === 'unknown');
  assert.ok(unknown.some(({ kind }) => kind === 'temperature'));
  assert.deepEqual(
    unknown.filter(({ value }) => value !== undefined),
    [],
  );
  assert.deepEqual(
    readings.filter(({ health }) => health === 'warning' || health === 'critical'),
    [],
  );
  const inlet = readings.find(({ kind, health }) => kind === 'temperature' && health === 'ok');
  assert.deepEqual([inlet?.value, inlet?.unit], [23, '°C']);
}

export async function checkBrokenParts(bmc: Bmc, sensors: Sensors, hardware: BmcHardware): Promise<void> {
  await bmc.power.set('on', testTimeout());
  const broken = async () =>
    (await sensors.read(testTimeout())).filter(({ health }) => health === 'critical' || health === 'warning');
  for (const part of ['fan', 'psu', 'drive'] as const) {
    await hardware.setCondition(part, 'critical');
    const [first, ...others] = await broken();
    assert.deepEqual([first?.kind, first?.health, others], [part, 'critical', []]);
    assert.match(first!.detail, /\S/);
    await hardware.setCondition(part, 'ok');
    assert.deepEqual(await broken(), []);
  }
  await bmc.power.set('off', testTimeout());
}

export async function checkNewEntries(log: Log, hardware: BmcHardware): Promise<void> {
  const start = await log.read(undefined, testTimeout());
  assert.deepEqual(start.entries, []);
  let { position } = start;
  const next = async () => {
    const page = await log.read(position, testTimeout());
    position = page.position;
    assert.equal(page.hasMore, false);
    return page.entries;
  };
  assert.deepEqual(await next(), []);
  await hardware.setCondition('psu', 'critical');
  await hardware.setCondition('psu', 'ok');
  const [failed, ended, ...others] = await next();
  assert.deepEqual([failed?.severity, ended?.severity, others], ['critical', 'ok', []]);
  assert.match(failed!.text, /PSU|supply/i);
  assert.ok(Math.abs(failed!.at! - Date.now()) < 600_000, `at ${failed!.at}`);
  assert.deepEqual(await next(), []);
  await hardware.clearLog();
  await hardware.setCondition('drive', 'critical');
  assert.deepEqual(
    (await next()).map(({ severity }) => severity),
    ['critical'],
  );
  await hardware.setCondition('drive', 'ok');
  assert.equal((await next()).length, 1);
  await hardware.clearLog();
  assert.deepEqual(await next(), []);
  await hardware.setCondition('fan', 'critical');
  assert.equal((await next()).length, 1);
  await hardware.setCondition('fan', 'ok');
  const { maxLogEntries = 0 } = hardware;
  for (let count = 0; count < maxLogEntries; count++) {
    await hardware.setCondition('psu', 'critical');
    await hardware.setCondition('psu', 'ok');
  }
  assert.equal((await next()).length, maxLogEntries === 0 ? 1 : maxLogEntries);
  assert.deepEqual(await next(), []);
}
