// The parts of LLDP-MIB (IEEE 802.1AB-2005) that name the device at the other end of a cable.
import type { Varbind } from 'net-snmp';
import { macText } from '#lib/addresses.ts';
import type { Neighbour, PortNames } from '../driver.ts';
import { parseInteger, parseText } from './if-mib.ts';
import type { SnmpSession } from '../../snmp/session.ts';
import { walk } from './walk.ts';

const lldpLocPortEntry = '1.0.8802.1.1.2.1.3.7.1';
const lldpRemEntry = '1.0.8802.1.1.2.1.4.1.1';
const localColumns = [2, 3, 4].map((column) => `${lldpLocPortEntry}.${column}`);
const remoteColumns = [4, 5, 6, 7, 8, 9].map((column) => `${lldpRemEntry}.${column}`);

const chassisMac = 4;
const portMac = 3;
/** LldpPortIdSubtype: the meaning of a port id. */
const portIdKinds = { interfaceAlias: 1, interfaceName: 5, local: 7 };

const textPortKinds: ReadonlySet<number> = new Set(Object.values(portIdKinds));

/** Returns an empty list for a switch without LLDP. */
export async function readNeighbours(
  session: SnmpSession,
  ports: readonly PortNames[],
  signal: AbortSignal,
): Promise<Neighbour[]> {
  const remote = await walk(session, { columns: remoteColumns }, signal);
  if (remote.columns[0]!.size === 0) return [];
  const local = await walk(session, { columns: localColumns }, signal);
  return [...remote.columns[0]!.keys()].flatMap((index) => {
    // The index is lldpRemTimeMark, lldpRemLocalPortNum and lldpRemIndex.
    const number = index.split('.')[1] ?? '';
    const port = findPort(
      ports,
      local.columns.map((column) => column.get(number)),
    );
    const [chassisKind, chassis, portKind, portId, portText, system] = remote.columns.map((column) =>
      column.get(index),
    );
    const macs = [
      parseInteger(chassisKind) === chassisMac ? parseMac(chassis) : '',
      parseInteger(portKind) === portMac ? parseMac(portId) : '',
    ].filter((mac) => mac !== '');
    const isName = textPortKinds.has(parseInteger(portKind) ?? 0);
    const remotePort = tryText(portText) || (isName ? tryText(portId) : '');
    return port === undefined ? [] : [{ ifIndex: port.ifIndex, macs, system: tryText(system), port: remotePort }];
  });
}

/** LLDP numbers ports in its own way; the port's id or description says which one it is. */
function findPort(ports: readonly PortNames[], values: readonly (Varbind | undefined)[]): PortNames | undefined {
  const [kind, id, description] = [parseInteger(values[0]), tryText(values[1]), tryText(values[2])];
  const isPort = (port: PortNames): boolean => {
    if (kind === portIdKinds.interfaceName) return port.name === id;
    if (kind === portIdKinds.interfaceAlias) return port.alias === id;
    if (kind === portIdKinds.local && port.name === id) return true;
    return description !== '' && (port.description === description || port.name === description);
  };
  const [found, ...others] = ports.filter(isPort);
  return others.length === 0 ? found : undefined;
}

function tryText(varbind: Varbind | undefined): string {
  return Buffer.isBuffer(varbind?.value) ? parseText(varbind) : '';
}

function parseMac(varbind: Varbind | undefined): string {
  return Buffer.isBuffer(varbind?.value) ? macText(varbind.value.toString('hex')) : '';
}
