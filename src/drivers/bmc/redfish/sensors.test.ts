import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SensorReading } from '../driver.ts';
import type { Resource } from './client.ts';
import { RedfishError } from './error.ts';
import type { Json } from './json.ts';
import { createSensors } from './sensors.ts';
import { redfishService } from './service.ts';

/** Reads the sensors of a service with these resources of its chassis and system. */
async function readSensors(resources: Readonly<Record<string, Json>>): Promise<Record<string, SensorReading>> {
  const link = (path: string): Json => ({ '@odata.id': path });
  const names = Object.keys(resources);
  const all: Record<string, Json> = {
    '/redfish/v1/': { Systems: link('/systems'), Chassis: link('/chassis') },
    '/systems': { Members: [link('/systems/1')] },
    '/systems/1': { Links: { Chassis: [link('/chassis/1')] }, Storage: link('/storage') },
    '/chassis/1': Object.fromEntries(names.map((name) => [name, link(`/${name}`)])),
    '/storage': { Members: [link('/storage/1')] },
    '/storage/1': { Drives: names.filter((name) => name.startsWith('Drive')).map((name) => link(`/${name}`)) },
    ...Object.fromEntries(names.map((name) => [`/${name}`, resources[name]!])),
  };
  const get = async (path: string): Promise<Resource> => {
    const body = all[path];
    if (body === undefined) throw new RedfishError('rejected', path, { status: 404 });
    return { path, body, etag: undefined, allow: undefined };
  };
  const fail = () => assert.fail('sensors are only read');
  const client = { root: () => get('/redfish/v1/'), get, post: fail, patch: fail, remove: fail, close: fail };
  const readings = await createSensors(redfishService(client, undefined)).read(AbortSignal.timeout(60_000));
  return Object.fromEntries(readings.map((reading) => [reading.name, reading]));
}
const enabled = (Health: string | null) => ({ State: 'Enabled', Health });

describe('the sensors of a Redfish service', () => {
  it('are judged by their thresholds if the service does not judge them, and unknown without', async () => {
    const limits = { LowerThresholdCritical: 5, UpperThresholdCritical: 90 };
    const readings = await readSensors({
      Thermal: {
        Temperatures: [
          { Name: 'fine', ReadingCelsius: 40, ...limits, Status: { State: 'Enabled' } },
          { Name: 'hot', ReadingCelsius: 91, ...limits },
          { Name: 'cold', ReadingCelsius: 4, ...limits, Status: enabled(null) },
          { Name: 'unjudged', ReadingCelsius: 40, Status: { State: 'Enabled' } },
          { Name: 'no reading', ReadingCelsius: null, Status: enabled('OK') },
          { Name: 'offline', ReadingCelsius: 0, Status: { State: 'Disabled', Health: 'OK' } },
          { Name: 'empty', ReadingCelsius: 0, Status: { State: 'Absent' } },
          { Name: 'hot', ReadingCelsius: 40, Status: enabled('OK') },
        ],
        Fans: [{ FanName: 'Fan of iLO 4', CurrentReading: 13, Units: 'Percent', Status: enabled('OK') }],
      },
    });
    const shown = Object.entries(readings).map(([name, { value, health }]) => [name, value, health]);
    assert.deepEqual(shown, [
      ['fine', 40, 'ok'],
      ['hot', 91, 'critical'],
      ['cold', 4, 'critical'],
      ['unjudged', 40, 'unknown'],
      ['no reading', undefined, 'unknown'],
      ['offline', undefined, 'unknown'],
      ['empty', undefined, 'absent'],
      ['hot #2', 40, 'ok'],
      ['Fan of iLO 4', 13, 'ok'],
    ]);
    assert.equal(readings['Fan of iLO 4']!.unit, '%');
    assert.deepEqual([readings['hot']!.low, readings['hot']!.high], [5, 90]);
  });

  it('include power supplies without input, and drives that are expected to fail', async () => {
    const readings = await readSensors({
      Power: {
        PowerControl: [{ Name: 'draw', PowerConsumedWatts: 344 }],
        PowerSupplies: [
          { Name: 'unplugged', LineInputStatus: 'LossOfInput', Status: enabled('OK') },
          { Name: 'working', PowerInputWatts: 170, Status: enabled('OK') },
          { Name: 'slot', Status: { State: 'Absent' } },
        ],
      },
      Drive1: { Name: 'worn', PredictedMediaLifeLeftPercent: 3, FailurePredicted: true, Status: enabled('OK') },
      Drive2: { Name: 'dead', Status: { ...enabled('Critical'), Conditions: [{ Message: 'The drive has failed.' }] } },
      Drive3: { Name: 'silent', Status: { State: 'Enabled' } },
    });
    const shown = Object.entries(readings).map(([name, { value, health, detail }]) => [name, value, health, detail]);
    assert.deepEqual(shown, [
      ['draw', 344, 'ok', ''],
      ['unplugged', undefined, 'critical', 'input lost'],
      ['working', 170, 'ok', ''],
      ['slot', undefined, 'absent', ''],
      ['worn', 3, 'warning', 'failure predicted'],
      ['dead', undefined, 'critical', 'The drive has failed.'],
      ['silent', undefined, 'unknown', ''],
    ]);
  });
});
