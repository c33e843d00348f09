// Requests for IP addresses that staff have not decided yet, or have rejected recently.
import type { JSX } from 'react';
import type { NetblockRequestState } from '#sdk/v2.ts';
import { useRead } from '../../../data/operations.ts';
import { StateBadge } from '../../../parts/state-badge.tsx';
import { TableCard, type Column } from '../../../parts/table-card.tsx';
import { parseTimestamp, Timestamp } from '../../../parts/timestamp.tsx';
import { t } from '../../../text/text.ts';

/** How long a rejected request stays listed. */
const rejectedMs = 30 * 86_400_000;
const columns: readonly Column<NetblockRequestState>[] = [
  { label: t('Request'), isOneLine: true, cell: ({ requestid }) => `#${requestid}` },
  { label: t('Addresses'), isOneLine: true, cell: ({ type, size }) => `${type === 'ipv4' ? 'IPv4' : 'IPv6'} ${size}` },
  { label: t('Status'), cell: ({ status }) => <StateBadge state={status === 'Refused' ? 'Rejected' : status} /> },
  { label: t('Submitted'), isOneLine: true, cell: ({ created }) => <Timestamp at={created} isRelative /> },
  {
    label: t('Note'),
    className: 'wrap-anywhere',
    cell: ({ status, reason }) => (status === 'Pending' ? t('Our staff are reviewing it') : reason),
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
      label={t('Address requests')}
      columns={columns}
      rows={rows}
      rowKey={({ requestid }) => requestid}
      minWidth={640}
    />
  );
}
