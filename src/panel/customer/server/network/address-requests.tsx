// Requests for IP addresses that staff have not decided yet, or have rejected recently.
import type { JSX } from 'react';
import type { NetblockRequestState } from '#sdk/v2.ts';
import { useRead } from '../../../data/operations.ts';
import { StateBadge } from '../../../parts/state-badge.tsx';
import { TableCard, type Column } from '../../../parts/table-card.tsx';
import { parseTimestamp, Timestamp } from '../../../parts/timestamp.tsx';

/** How long a rejected request stays listed. */
const rejectedMs = 30 * 86_400_000;
const columns: readonly Column<NetblockRequestState>[] = [
  { label: 'Request', isOneLine: true, cell: ({ requestid }) => `#${requestid}` },
  { label: 'Addresses', isOneLine: true, cell: ({ type, size }) => `${type === 'ipv4' ? 'IPv4' : 'IPv6'} ${size}` },
  { label: 'Status', cell: ({ status }) => <StateBadge state={status === 'Refused' ? 'Rejected' : status} /> },
  { label: 'Submitted', isOneLine: true, cell: ({ created }) => <Timestamp at={created} isRelative /> },
  {
    label: 'Note',
    className: 'wrap-anywhere',
    cell: ({ status, reason }) => (status === 'Pending' ? 'Our staff are reviewing it' : reason),
  },
];

/** Renders nothing if there are none. An assigned block is in the list of netblocks. */
export function AddressRequests({ service }: { service: string }): JSX.Element | null {
  const { data = [] } = useRead('netblockRequestList', { service });
  const isRecent = (decided: string): boolean => Date.now() - (parseTimestamp(decided)?.getTime() ?? 0) < rejectedMs;
  const rows = data.filter(
    ({ status, decided }) => status === 'Pending' || (status === 'Refused' && isRecent(decided)),
  );
  if (rows.length === 0) return null;
  return (
    <TableCard
      label="Address requests"
      columns={columns}
      rows={rows}
      rowKey={({ requestid }) => requestid}
      minWidth={640}
    />
  );
}
