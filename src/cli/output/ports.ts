// Traffic per switch port as a table.
import type { PortTraffic } from '#sdk/v2.ts';
import { bytesText, rateText } from './amounts.ts';
import type { Column } from './table.ts';

export interface PortRow {
  readonly port: string;
  readonly data: PortTraffic[string][string]['data'];
}

export function portRows(traffic: PortTraffic): PortRow[] {
  return Object.entries(traffic).flatMap(([device, ports]) =>
    Object.entries(ports).map(([number, port]) => ({ port: port.name || `${device} ${number}`, data: port.data })),
  );
}

export const portColumns: readonly Column<PortRow>[] = [
  'port',
  ['in', ({ data }) => rateText(Number(data.inbits_last))],
  ['out', ({ data }) => rateText(Number(data.outbits_last))],
  ['in average', ({ data }) => rateText(Number(data.inbits_avg))],
  ['out average', ({ data }) => rateText(Number(data.outbits_avg))],
  ['95th', ({ data }) => rateText(Number(data['95pct']))],
  ['total', ({ data }) => bytesText(Number(data.totalbytes))],
];
