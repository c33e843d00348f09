// Reads sensors over Redfish. Older services have them in Thermal and Power of the chassis, newer ones as Sensors, Fans and
// PowerSupplies; the condition of drives is in the storage of the system.
import type { SensorHealth, SensorKind } from '#contract/shapes/sensors.ts';
import type { SensorReading, Sensors } from '../driver.ts';
import { RedfishError, withApiErrors } from './error.ts';
import { createPartReader, orUnreadable } from './inventory.ts';
import { getLink, getLinks, getNumber, getObject, getObjects, getText, type Json } from './json.ts';
import type { RedfishService } from './service.ts';

/** Many times those of the largest server. */
const mostChassis = 100;
const mostSensors = 2000;

export function createSensors(service: RedfishService): Sensors {
  const { client } = service;
  const parts = createPartReader(service);

  async function read(path: string | undefined, signal: AbortSignal): Promise<Json> {
    return (path === undefined ? undefined : await orUnreadable(client.get(path, signal)))?.body ?? {};
  }

  /** In one request, if the service can. */
  async function readSensorCollection(path: string | undefined, signal: AbortSignal): Promise<readonly Json[]> {
    if (path === undefined) return [];
    const { body } = await client.root(signal);
    if (getObject(body, 'ProtocolFeaturesSupported', 'ExpandQuery')['NoLinks'] === true) {
      const members = getObjects(await read(`${path}?$expand=.($levels=1)`, signal), 'Members');
      if (members.length > 0) return members;
    }
    return (await parts.readMembers(path, signal)).present;
  }

  async function readChassis(chassis: Json, signal: AbortSignal): Promise<SensorReading[]> {
    const [thermal, power] = [getLink(chassis, 'Thermal'), getLink(chassis, 'Power')];
    if (thermal !== undefined || power !== undefined)
      return [...thermalReadings(await read(thermal, signal)), ...powerReadings(await read(power, signal))];
    const sensors = (await readSensorCollection(getLink(chassis, 'Sensors'), signal)).flatMap(sensorReading);
    const has = (kind: SensorKind): boolean => sensors.some((sensor) => sensor.kind === kind);
    const fans = has('fan') ? [] : await readSubsystem(chassis, 'ThermalSubsystem', 'Fans', signal);
    const supplies = await readSubsystem(chassis, 'PowerSubsystem', 'PowerSupplies', signal);
    const metrics = has('power') ? {} : await read(getLink(chassis, 'EnvironmentMetrics'), signal);
    return [
      ...sensors,
      ...fans.map(fanReading),
      ...supplies.map(supplyReading),
      ...drawReading('Power', getNumber(getObject(metrics, 'PowerWatts'), 'Reading')),
    ];
  }

  async function readSubsystem(
    chassis: Json,
    subsystem: string,
    name: string,
    signal: AbortSignal,
  ): Promise<readonly Json[]> {
    const path = getLink(await read(getLink(chassis, subsystem), signal), name);
    const { present } = await parts.readMembers(path, signal);
    return present;
  }

  async function readDrives(system: Json, signal: AbortSignal): Promise<SensorReading[]> {
    const { present, unreadable } = await parts.readDrives(system, signal);
    const missing = Array.from({ length: unreadable }, () =>
      reading('Drive that the BMC does not show', 'drive', { health: 'unknown' }),
    );
    return [...present.map(driveReading), ...missing];
  }

  return withApiErrors<Sensors>('sensors', {
    async read(signal) {
      const { body: system } = await service.system(signal);
      const links = getLinks(getObject(system, 'Links'), 'Chassis');
      const all =
        links.length > 0
          ? links
          : await service.memberLinks(getLink((await client.root(signal)).body, 'Chassis'), signal);
      if (all.length > mostChassis) throw new RedfishError('badResponse', 'the server has too many chassis');
      const chassis = await Promise.all(all.map(async (path) => readChassis(await read(path, signal), signal)));
      const readings = [...chassis.flat(), ...(await readDrives(system, signal))];
      if (readings.length > mostSensors) throw new RedfishError('badResponse', 'the server has too many sensors');
      return withUniqueNames(readings);
    },
  });
}

function reading(name: string, kind: SensorKind, known: Partial<SensorReading>): SensorReading {
  return {
    name,
    kind,
    value: undefined,
    unit: '',
    health: 'ok',
    detail: '',
    low: undefined,
    high: undefined,
    ...known,
  };
}

const healths: Readonly<Record<string, SensorHealth>> = { OK: 'ok', Warning: 'warning', Critical: 'critical' };

/** A state other than these means that the part does not work at the moment, perhaps because it has no power. */
const workingStates = new Set([undefined, 'Enabled', 'StandbySpare', 'InTest', 'Quiesced', 'Updating']);

/** Returns the condition of a part. A service that does not say how a part is has said nothing. */
function conditionOf(part: Json): Pick<SensorReading, 'health' | 'detail'> {
  const status = getObject(part, 'Status');
  const state = getText(status, 'State');
  if (state === 'Absent') return { health: 'absent', detail: '' };
  const health = healths[getText(status, 'Health') ?? ''] ?? 'unknown';
  if (health === 'warning' || health === 'critical') {
    const messages = getObjects(status, 'Conditions').flatMap((condition) => getText(condition, 'Message') ?? []);
    return { health, detail: messages.join(' ') || `reported as ${health}` };
  }
  return { health: workingStates.has(state) ? health : 'unknown', detail: '' };
}

/** Returns a reading with its thresholds, which decide if the service does not. */
function analogReading(
  part: Json,
  name: string,
  kind: SensorKind,
  {
    value,
    unit,
    low,
    high,
  }: { value: number | undefined; unit: string; low?: number | undefined; high?: number | undefined },
): SensorReading {
  const condition = conditionOf(part);
  const limits = { unit, low, high };
  if (condition.health === 'absent' || value === undefined || !Number.isFinite(value))
    return reading(name, kind, { ...limits, ...(condition.health === 'ok' ? { health: 'unknown' } : condition) });
  const isOffline = !workingStates.has(getText(getObject(part, 'Status'), 'State'));
  if (isOffline) return reading(name, kind, { ...limits, health: 'unknown' });
  if (condition.health !== 'unknown') return reading(name, kind, { ...limits, value, ...condition });
  const isLow = low !== undefined && value <= low;
  const isHigh = high !== undefined && value >= high;
  const detail = isLow ? 'below the lower critical threshold' : isHigh ? 'above the upper critical threshold' : '';
  const health = detail !== '' ? 'critical' : low !== undefined || high !== undefined ? 'ok' : 'unknown';
  return reading(name, kind, { ...limits, value, health, detail });
}

function nameOf(part: Json, fallback: string): string {
  return getText(part, 'Name') ?? getText(part, 'FanName') ?? fallback;
}

function oldLimits(part: Json): { low: number | undefined; high: number | undefined } {
  return {
    low: getNumber(part, 'LowerThresholdCritical') ?? getNumber(part, 'LowerThresholdFatal'),
    high: getNumber(part, 'UpperThresholdCritical') ?? getNumber(part, 'UpperThresholdFatal'),
  };
}

function thermalReadings(thermal: Json): SensorReading[] {
  const temperatures = getObjects(thermal, 'Temperatures').map((part) =>
    analogReading(part, nameOf(part, 'Temperature'), 'temperature', {
      value: getNumber(part, 'ReadingCelsius'),
      unit: '°C',
      ...oldLimits(part),
    }),
  );
  const fans = getObjects(thermal, 'Fans').map((part) =>
    analogReading(part, nameOf(part, 'Fan'), 'fan', {
      // The second names are those of iLO 4.
      value: getNumber(part, 'Reading') ?? getNumber(part, 'CurrentReading'),
      unit: (getText(part, 'ReadingUnits') ?? getText(part, 'Units')) === 'Percent' ? '%' : 'rpm',
      ...oldLimits(part),
    }),
  );
  return [...temperatures, ...fans];
}

function powerReadings(power: Json): SensorReading[] {
  const voltages = getObjects(power, 'Voltages').map((part) =>
    analogReading(part, nameOf(part, 'Voltage'), 'voltage', {
      value: getNumber(part, 'ReadingVolts'),
      unit: 'V',
      ...oldLimits(part),
    }),
  );
  const draws = getObjects(power, 'PowerControl').flatMap((part) =>
    drawReading(nameOf(part, 'Power'), getNumber(part, 'PowerConsumedWatts')),
  );
  return [...draws, ...getObjects(power, 'PowerSupplies').map(supplyReading), ...voltages];
}

/** The draw of the whole server, which has no condition. */
function drawReading(name: string, value: number | undefined): SensorReading[] {
  return value === undefined ? [] : [reading(name, 'power', { value, unit: 'W' })];
}

function supplyReading(part: Json): SensorReading {
  const condition = conditionOf(part);
  const hasInput = !['LossOfInput', 'OutOfRange'].includes(getText(part, 'LineInputStatus') ?? '');
  const isLost = !hasInput && condition.health !== 'absent';
  const value = getNumber(part, 'PowerInputWatts') ?? getNumber(part, 'LastPowerOutputWatts');
  return reading(nameOf(part, 'Power supply'), 'psu', {
    ...(value === undefined ? {} : { value, unit: 'W' }),
    ...condition,
    ...(isLost && { health: 'critical', detail: 'input lost' }),
  });
}

function fanReading(part: Json): SensorReading {
  const speed = getObject(part, 'SpeedPercent');
  const rpm = getNumber(speed, 'SpeedRPM');
  return analogReading(part, nameOf(part, 'Fan'), 'fan', {
    value: rpm ?? getNumber(speed, 'Reading'),
    unit: rpm === undefined && getNumber(speed, 'Reading') !== undefined ? '%' : 'rpm',
  });
}

const sensorTypes: Readonly<Record<string, { kind: SensorKind; unit: string }>> = {
  Temperature: { kind: 'temperature', unit: '°C' },
  Rotational: { kind: 'fan', unit: 'rpm' },
  Power: { kind: 'power', unit: 'W' },
  Voltage: { kind: 'voltage', unit: 'V' },
  Current: { kind: 'current', unit: 'A' },
};

function sensorReading(sensor: Json): SensorReading[] {
  const context = getText(sensor, 'PhysicalContext');
  const isFanSpeed = getText(sensor, 'ReadingType') === 'Percent' && context === 'Fan';
  const type = isFanSpeed ? { kind: 'fan' as const, unit: '%' } : sensorTypes[getText(sensor, 'ReadingType') ?? ''];
  if (type === undefined) return [];
  const kind = type.kind === 'power' && context === 'PowerSupply' ? 'psu' : type.kind;
  const limit = (name: string): number | undefined => getNumber(getObject(sensor, 'Thresholds', name), 'Reading');
  return [
    analogReading(sensor, nameOf(sensor, 'Sensor'), kind, {
      value: getNumber(sensor, 'Reading'),
      unit: type.unit,
      low: limit('LowerCritical'),
      high: limit('UpperCritical'),
    }),
  ];
}

function driveReading(drive: Json): SensorReading {
  const condition = conditionOf(drive);
  const used = getNumber(drive, 'SSDEnduranceUtilizationPercentage');
  const left = getNumber(drive, 'PredictedMediaLifeLeftPercent') ?? (used === undefined ? undefined : 100 - used);
  const willFail = drive['FailurePredicted'] === true && condition.health !== 'critical';
  return reading(nameOf(drive, 'Drive'), 'drive', {
    ...(left === undefined || condition.health === 'unknown' ? {} : { value: left, unit: '%' }),
    ...condition,
    ...(willFail && { health: 'warning', detail: 'failure predicted' }),
  });
}

function withUniqueNames(readings: readonly SensorReading[]): SensorReading[] {
  const counts = new Map<string, number>();
  return readings.map((item) => {
    const count = (counts.get(item.name) ?? 0) + 1;
    counts.set(item.name, count);
    return count === 1 ? item : { ...item, name: `${item.name} #${count}` };
  });
}
