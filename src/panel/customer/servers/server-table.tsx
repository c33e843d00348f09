// The server list as a table, of which only the visible rows are rendered.
import { memo, useDeferredValue, useMemo, useState, type JSX } from 'react';
import type { Device } from '#sdk/v2.ts';
import { serviceTypeLabels } from '../../parts/service-types.ts';
import { StateBadge } from '../../parts/state-badge.tsx';
import {
  toggleSort,
  useIsReadable,
  VirtualCell,
  VirtualTable,
  type VirtualColumn,
} from '../../parts/virtual-table.tsx';
import { serverName, type ServerInfo } from '../server/device.ts';
import { Health } from '../server/health.tsx';
import { PowerMenu } from '../server/power/power-controls.tsx';
import { LastKnownPower } from '../server/power/power-state.tsx';
import { sortServers, type ServerColumn, type ServerOrder } from '../server/server-search.ts';
import { Name, SelectServer, type SelectServerProps, type ServerRowsProps } from './server-cells.tsx';
import { t } from '../../text/text.ts';

type Column = ServerColumn | 'select' | 'power' | 'health' | 'actions';

const columns = [
  { key: 'select', label: '', width: '20px' },
  { key: 'server', label: t('Server'), width: 'minmax(200px, 2.2fr)' },
  { key: 'power', label: t('Power'), width: 'minmax(170px, 1.4fr)' },
  { key: 'health', label: t('Health'), width: 'minmax(105px, 0.9fr)' },
  { key: 'ip', label: t('IP address'), width: 'minmax(120px, 1.1fr)' },
  { key: 'type', label: t('Type'), width: 'minmax(80px, 0.8fr)' },
  { key: 'status', label: t('Status'), width: 'minmax(90px, 0.8fr)' },
  { key: 'actions', label: '', width: '36px' },
] as const satisfies readonly VirtualColumn<Column>[];
const sortable = ['server', 'ip', 'type', 'status'] as const satisfies readonly ServerColumn[];
const rowHeightPx = { desktop: 54 };
const serviceOf = ({ service }: Device): string => service;

export function ServerTable({ devices, states, selected, select }: ServerRowsProps): JSX.Element {
  const [order, setOrder] = useState<ServerOrder>();
  const sortedBy = useDeferredValue(order);
  const rows = useMemo(() => (sortedBy === undefined ? devices : sortServers(devices, sortedBy)), [devices, sortedBy]);
  return (
    <VirtualTable
      label={t('Servers')}
      columns={columns}
      rowHeightPx={rowHeightPx}
      rows={rows}
      rowKey={serviceOf}
      {...(order === undefined ? {} : { sort: order })}
      sortable={sortable}
      onSort={(by) => setOrder(toggleSort(order, by as ServerColumn))}
      heightAbovePx={290}
      minWidthPx={940}
    >
      {(device, isPassing) => (
        <ServerCells
          device={device}
          state={states.get(device.service)}
          isSelected={selected.has(device.service)}
          select={select}
          isPassing={isPassing}
        />
      )}
    </VirtualTable>
  );
}

interface ServerCellsProps extends ServerInfo, SelectServerProps {
  readonly isPassing: boolean;
}

const ServerCells = memo(function ServerCells({
  device,
  state,
  isPassing,
  ...selection
}: ServerCellsProps): JSX.Element {
  if (!useIsReadable(isPassing)) return <PassingCells device={device} />;
  return (
    <>
      <VirtualCell>
        <SelectServer device={device} {...selection} />
      </VirtualCell>
      <VirtualCell>
        <Name device={device} />
      </VirtualCell>
      <VirtualCell>
        <LastKnownPower state={state} />
      </VirtualCell>
      <VirtualCell>
        <Health state={state} />
      </VirtualCell>
      <VirtualCell className="monospace">{device.ip}</VirtualCell>
      <VirtualCell>{serviceTypeLabels[device.type]}</VirtualCell>
      <VirtualCell>
        <StateBadge state={device.status} />
      </VirtualCell>
      <VirtualCell>
        <PowerMenu server={{ device, state }} power={state?.power ?? 'unknown'} />
      </VirtualCell>
    </>
  );
});

/** Only what tells a person where they are in the list. */
function PassingCells({ device }: Pick<ServerInfo, 'device'>): JSX.Element {
  return (
    <>
      <VirtualCell />
      <VirtualCell>{serverName(device)}</VirtualCell>
      <VirtualCell />
      <VirtualCell />
      <VirtualCell className="monospace">{device.ip}</VirtualCell>
      <VirtualCell>{serviceTypeLabels[device.type]}</VirtualCell>
    </>
  );
}
