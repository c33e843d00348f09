// The sensors and the event log of a lab Redfish service, in the places where makers put them: in Thermal and Power, in the
// subsystems that replaced them, or in a collection of sensors only.
import type { LabCondition, LabLogEntry, LabPart } from '../bmc/hardware.ts';
import type { RedfishMachine } from './machine.ts';
import { managerPath, systemPath } from './paths.ts';
import type { LogPlace, SensorPlace } from './personalities.ts';
import { collection, collectionBody, link, resourceBody, root, type Resources } from './resource.ts';
import type { Body } from './response.ts';

export const chassisPath = `${root}/Chassis/1U`;
const healths: Readonly<Record<LabCondition, string>> = { ok: 'OK', warning: 'Warning', critical: 'Critical' };
const cpuCelsius: Readonly<Record<LabCondition, number>> = { ok: 41, warning: 88, critical: 99 };
const fanSpeeds: Readonly<Record<LabCondition, number>> = { ok: 5400, warning: 900, critical: 300 };

const sensorPlace = ({ personality }: RedfishMachine): SensorPlace => personality.sensors ?? 'thermal';
const defaultLog: LogPlace = { under: 'system', id: 'SEL' };
const logPlace = ({ personality }: RedfishMachine): LogPlace => personality.log ?? defaultLog;

export function healthStatus({ server: { hardware } }: RedfishMachine, part?: LabPart): Body {
  return { State: 'Enabled', Health: healths[part === undefined ? 'ok' : hardware.conditionOf(part)] };
}

/** A part without power has no reading. */
function poweredReading(machine: RedfishMachine, name: string, part: LabPart, value: number): Body {
  const isOn = machine.server.chassis.power === 'on';
  return isOn
    ? { [name]: value, Status: healthStatus(machine, part) }
    : { [name]: null, Status: { State: 'UnavailableOffline', Health: null } };
}

export function sensorLinks(machine: RedfishMachine): Body {
  const links: Readonly<Record<SensorPlace, readonly string[]>> = {
    thermal: ['Thermal', 'Power'],
    subsystems: ['ThermalSubsystem', 'PowerSubsystem', 'EnvironmentMetrics', 'Sensors'],
    sensors: ['Sensors'],
  };
  return Object.fromEntries(links[sensorPlace(machine)].map((name) => [name, link(`${chassisPath}/${name}`)]));
}

export function sensorResources(machine: RedfishMachine): Resources {
  const place = sensorPlace(machine);
  if (place === 'thermal') return thermalResources(machine);
  return place === 'subsystems'
    ? { ...subsystemResources(machine), ...sensorCollection(machine, inletSensors(machine)) }
    : sensorCollection(machine, [...inletSensors(machine), ...otherSensors(machine)]);
}

function thermalResources(machine: RedfishMachine): Resources {
  const { hardware, chassis } = machine.server;
  const thermal = `${chassisPath}/Thermal`;
  const power = `${chassisPath}/Power`;
  const member = (path: string, index: number, body: Body): Body => ({
    '@odata.id': `${path}/${index}`,
    MemberId: String(index),
    ...body,
  });
  return {
    [thermal]: {
      body: resourceBody(thermal, 'Thermal.v1_7_0', 'Thermal', {
        Temperatures: [
          {
            Name: 'CPU Temp',
            UpperThresholdNonCritical: 85,
            UpperThresholdCritical: 95,
            ...poweredReading(machine, 'ReadingCelsius', 'cpu', cpuCelsius[hardware.conditionOf('cpu')]),
          },
          { Name: 'Inlet Temp', ReadingCelsius: 23, Status: healthStatus(machine) },
        ].map((body, index) => member(`${thermal}#/Temperatures`, index, body)),
        Fans: [
          member(`${thermal}#/Fans`, 0, {
            Name: 'Fan 1',
            ReadingUnits: 'RPM',
            LowerThresholdCritical: 600,
            ...poweredReading(machine, 'Reading', 'fan', fanSpeeds[hardware.conditionOf('fan')]),
          }),
        ],
      }),
    },
    [power]: {
      body: resourceBody(power, 'Power.v1_7_0', 'Power', {
        PowerControl: [
          member(`${power}#/PowerControl`, 0, {
            Name: 'System Power Control',
            PowerConsumedWatts: wattsOf(chassis.power),
          }),
        ],
        PowerSupplies: [undefined, 'psu' as const].map((part, index) =>
          member(`${power}#/PowerSupplies`, index, { Name: `PSU ${index + 1}`, Status: healthStatus(machine, part) }),
        ),
      }),
    },
  };
}

function wattsOf(power: 'on' | 'off'): number {
  return power === 'on' ? 122 : 8;
}

function subsystemResources(machine: RedfishMachine): Resources {
  const { hardware, chassis } = machine.server;
  const thermal = `${chassisPath}/ThermalSubsystem`;
  const power = `${chassisPath}/PowerSubsystem`;
  const metrics = `${chassisPath}/EnvironmentMetrics`;
  const fan = `${thermal}/Fans/1`;
  const supplies = [1, 2].map((number) => `${power}/PowerSupplies/${number}`);
  const { Reading, Status } = poweredReading(machine, 'Reading', 'fan', fanSpeeds[hardware.conditionOf('fan')]);
  return {
    [thermal]: {
      body: resourceBody(thermal, 'ThermalSubsystem.v1_3_0', 'Thermal Subsystem', { Fans: link(`${thermal}/Fans`) }),
    },
    [`${thermal}/Fans`]: collection(`${thermal}/Fans`, 'Fan', [fan]),
    [fan]: { body: resourceBody(fan, 'Fan.v1_5_0', 'Fan 1', { SpeedPercent: { SpeedRPM: Reading }, Status }) },
    [power]: {
      body: resourceBody(power, 'PowerSubsystem.v1_1_0', 'Power Subsystem', {
        PowerSupplies: link(`${power}/PowerSupplies`),
      }),
    },
    [`${power}/PowerSupplies`]: collection(`${power}/PowerSupplies`, 'PowerSupply', supplies),
    ...Object.fromEntries(
      supplies.map((path, index) => [
        path,
        {
          body: resourceBody(path, 'PowerSupply.v1_5_0', `PSU ${index + 1}`, {
            Status: healthStatus(machine, index === 1 ? 'psu' : undefined),
          }),
        },
      ]),
    ),
    [metrics]: {
      body: resourceBody(metrics, 'EnvironmentMetrics.v1_3_0', 'Environment Metrics', {
        PowerWatts: { Reading: wattsOf(chassis.power) },
      }),
    },
  };
}

function inletSensors(machine: RedfishMachine): Body[] {
  const { hardware } = machine.server;
  return [
    {
      Name: 'CPU Temp',
      ReadingType: 'Temperature',
      ReadingUnits: 'Cel',
      Thresholds: { UpperCaution: { Reading: 85 }, UpperCritical: { Reading: 95 } },
      ...poweredReading(machine, 'Reading', 'cpu', cpuCelsius[hardware.conditionOf('cpu')]),
    },
    {
      Name: 'Inlet Temp',
      ReadingType: 'Temperature',
      ReadingUnits: 'Cel',
      Reading: 23,
      Status: healthStatus(machine),
    },
  ];
}

function otherSensors(machine: RedfishMachine): Body[] {
  const { hardware, chassis } = machine.server;
  const watts = { ReadingType: 'Power', ReadingUnits: 'W' };
  return [
    {
      Name: 'Fan 1',
      ReadingType: 'Rotational',
      ReadingUnits: 'RPM',
      ...poweredReading(machine, 'Reading', 'fan', fanSpeeds[hardware.conditionOf('fan')]),
    },
    { Name: 'Total Power', ...watts, Reading: wattsOf(chassis.power), Status: healthStatus(machine) },
    ...[undefined, 'psu' as const].map((part, index) => ({
      Name: `PSU ${index + 1} Input`,
      ...watts,
      PhysicalContext: 'PowerSupply',
      Reading: wattsOf(chassis.power) / 2,
      Status: healthStatus(machine, part),
    })),
  ];
}

function sensorCollection(machine: RedfishMachine, sensors: readonly Body[]): Resources {
  const path = `${chassisPath}/Sensors`;
  const members = sensors.map((sensor, index) => resourceBody(`${path}/${index}`, 'Sensor.v1_9_0', '', sensor));
  const paths = members.map((_, index) => `${path}/${index}`);
  const body = collectionBody(path, 'Sensor', paths);
  return {
    [path]: { body, ...(machine.personality.expands === true && { expanded: { ...body, Members: members } }) },
    ...Object.fromEntries(members.map((member, index) => [paths[index]!, { body: member }])),
  };
}

const partNames: Readonly<Record<LabPart, string>> = { cpu: 'CPU Temp', fan: 'Fan 1', psu: 'PSU 2', drive: 'Drive 1' };

function logServicesPath(machine: RedfishMachine): string {
  return `${logPlace(machine).under === 'system' ? systemPath(machine) : managerPath}/LogServices`;
}

/** The link of the resource that has the logs. */
export function logLink(machine: RedfishMachine, of: LogPlace['under']): Body {
  return logPlace(machine).under === of ? { LogServices: link(logServicesPath(machine)) } : {};
}

export function logResources(machine: RedfishMachine): Resources {
  const { id, isNewestFirst, hasLinksOnly } = logPlace(machine);
  const services = logServicesPath(machine);
  const service = `${services}/${id}`;
  const entries = `${service}/Entries`;
  const oldestFirst = machine.server.hardware.log.map((entry) => entryBody(`${entries}/${entry.id}`, entry));
  const bodies = isNewestFirst === true ? oldestFirst.toReversed() : oldestFirst;
  const paths = bodies.map((body) => String(body['@odata.id']));
  return {
    // An audit log comes first, which is not what a client looks for.
    [services]: collection(services, 'LogService', [`${services}/AuditLog`, service]),
    [`${services}/AuditLog`]: { body: resourceBody(`${services}/AuditLog`, 'LogService.v1_5_0', 'Audit Log') },
    [service]: { body: resourceBody(service, 'LogService.v1_5_0', 'Event Log', { Entries: link(entries) }) },
    [entries]: {
      body: {
        ...collectionBody(entries, 'LogEntry', paths),
        ...(hasLinksOnly === true ? {} : { Members: bodies }),
      },
    },
    ...Object.fromEntries(bodies.map((body, index) => [paths[index]!, { body }])),
  };
}

function entryBody(path: string, { seconds, part, condition, hasEnded }: LabLogEntry): Body {
  return resourceBody(path, 'LogEntry.v1_16_0', 'Log Entry', {
    EntryType: 'SEL',
    Created: new Date(seconds * 1000).toISOString(),
    Severity: hasEnded ? 'OK' : healths[condition],
    Message: `${partNames[part]} ${hasEnded ? 'is no longer' : 'is'} ${condition}.`,
  });
}
