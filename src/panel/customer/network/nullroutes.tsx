// The null routes of dedicated servers, current and past.
import { Card, Stack, Table } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState, type JSX } from 'react';
import type { Nullroute } from '#sdk/legacy.ts';
import { useLegacyChange, useLegacyReads } from '../../data/legacy.ts';
import { useScopeDenial } from '../../data/identity.ts';
import { ActionButton, ConfirmButton } from '../../parts/action-button.tsx';
import { LoadingLines, EmptyState, ErrorAlert } from '../../parts/query-result.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { TableCard } from '../../parts/table-card.tsx';
import {
  sortNullroutes,
  nullrouteState,
  nullrouteQueries,
  type NullrouteServer,
  type ServerNullroute,
} from './nullroute.ts';

const initialRows = 8;

export function Nullroutes({ servers }: { servers: readonly NullrouteServer[] }): JSX.Element {
  const names = servers.map(({ server }) => server);
  const queries = useLegacyReads(
    'nullrouteSet',
    names.map((server) => ({ server })),
  );
  const [isExpanded, setExpanded] = useState(false);
  const failed = queries.find(({ error }) => error !== null);
  if (failed !== undefined) return <ErrorAlert error={failed.error!} retry={() => void failed.refetch()} />;
  if (queries.some(({ data }) => data === undefined)) return <LoadingLines lines={3} />;
  const now = Math.floor(Date.now() / 1000);
  const all = sortNullroutes(
    queries.flatMap(({ data }, index) =>
      (data as readonly Nullroute[]).map((nullroute) => ({ ...nullroute, server: names[index]! })),
    ),
    now,
  );
  if (all.length === 0)
    return (
      <Card>
        <EmptyState icon="shield" title="No null routes">
          A null route drops all traffic to an IP address before it reaches your server.
        </EmptyState>
      </Card>
    );
  const columns = [
    'IP address',
    { label: 'Status', width: 130 },
    'Start',
    'End',
    'Reason',
    { label: 'Actions', isNumber: true },
  ];
  return (
    <Stack gap="xs">
      <TableCard label="Null routes" columns={columns} minWidth={900}>
        {(isExpanded ? all : all.slice(0, initialRows)).map((nullroute) => (
          <Row key={`${nullroute.ip} ${nullroute.start}`} nullroute={nullroute} now={now} />
        ))}
      </TableCard>
      {!isExpanded && all.length > initialRows && (
        <ActionButton size="xs" variant="default" style={{ alignSelf: 'flex-start' }} onClick={() => setExpanded(true)}>
          Show all {all.length}
        </ActionButton>
      )}
    </Stack>
  );
}

function Row({ nullroute, now }: { nullroute: ServerNullroute; now: number }): JSX.Element {
  const scopeDenial = useScopeDenial();
  const { server, ip } = nullroute;
  const change = useLegacyChange('nullrouteSet', { invalidates: nullrouteQueries });
  const remove = async (): Promise<void> => {
    const result = await change.mutateAsync({ server, ip, action: 'remove' });
    const isDone = result === 'Null-route Removed';
    const message = isDone
      ? `Null route for ${ip} removed`
      : `The router is not responding. The null route for ${ip} will be removed as soon as it does.`;
    notifications.show({ message, color: isDone ? 'teal' : 'orange' });
  };
  const state = nullrouteState(nullroute, now);
  const isOver = state === 'Ended' || state === 'Removing';
  return (
    <Table.Tr>
      <Table.Td ff="monospace">{ip}</Table.Td>
      <Table.Td>
        <StateBadge state={state} />
      </Table.Td>
      <Table.Td>
        <Timestamp at={nullroute.start} />
      </Table.Td>
      <Table.Td>{nullroute.end === '0' ? 'Until removed' : <Timestamp at={nullroute.end} />}</Table.Td>
      <Table.Td>{nullroute.reason}</Table.Td>
      <Table.Td ta="right">
        {!isOver && (
          <ConfirmButton
            size="compact-sm"
            variant="default"
            disabledReason={scopeDenial('network:write')}
            question={`Remove the null route for ${ip}?`}
            consequence="All traffic to the address reaches your server again, including an attack that is still ongoing."
            confirmLabel="Remove null route"
            onConfirm={remove}
          >
            Remove
          </ConfirmButton>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
