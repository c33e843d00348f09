// The null routes of dedicated servers, current and past.
import { Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState, type JSX } from 'react';
import type { Nullroute } from '#sdk/legacy.ts';
import { useLegacyChange, useLegacyReads } from '../../data/legacy.ts';
import { useScopeDenial } from '../../data/identity.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { EmptyCard, ErrorAlert, LoadingLines } from '../../parts/query-result.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { TableCard, type Column } from '../../parts/table-card.tsx';
import {
  nullrouteReason,
  sortNullroutes,
  nullrouteState,
  nullrouteQueries,
  type NullrouteServer,
  type ServerNullroute,
} from './nullroute.ts';
import { t } from '../../text/text.ts';

const initialRows = 8;

export function Nullroutes({ servers }: { servers: readonly NullrouteServer[] }): JSX.Element {
  const names = servers.map(({ server }) => server);
  const queries = useLegacyReads(
    'nullrouteSet',
    names.map((server) => ({ server })),
  );
  const [isExpanded, setExpanded] = useState(false);
  const failed = queries.find(({ error }) => error !== null);
  const alert = failed && <ErrorAlert error={failed.error!} retry={() => void failed.refetch()} />;
  if (queries.some(({ data, error }) => data === undefined && error === null)) return <LoadingLines lines={3} />;
  const now = Math.floor(Date.now() / 1000);
  const all = sortNullroutes(
    queries.flatMap(({ data }, index) =>
      ((data ?? []) as readonly Nullroute[]).map((nullroute) => ({ ...nullroute, server: names[index]! })),
    ),
    now,
  );
  if (all.length === 0)
    return (
      alert ?? (
        <EmptyCard icon="shield" title={t('No null routes')}>
          {t('A null route drops all traffic to an IP address before it reaches your server.')}
        </EmptyCard>
      )
    );
  const columns: readonly Column<ServerNullroute>[] = [
    { label: t('IP address'), ff: 'monospace', cell: ({ ip }) => ip },
    { label: t('Status'), width: 130, cell: (nullroute) => <StateBadge state={nullrouteState(nullroute, now)} /> },
    { label: t('Start'), cell: ({ start }) => <Timestamp at={start} /> },
    { label: t('End@@time'), cell: ({ end }) => (end === '0' ? t('Until removed') : <Timestamp at={end} />) },
    { label: t('Reason'), className: 'wrap-anywhere', cell: ({ reason }) => nullrouteReason(reason) },
    { label: t('Actions'), isNumber: true, cell: (nullroute) => <RemoveButton nullroute={nullroute} now={now} /> },
  ];
  return (
    <Stack gap="xs">
      {alert}
      <TableCard
        label={t('Null routes')}
        columns={columns}
        rows={isExpanded ? all : all.slice(0, initialRows)}
        rowKey={({ ip, start }) => `${ip} ${start}`}
        minWidth={900}
      />
      {!isExpanded && all.length > initialRows && (
        <ActionButton size="xs" variant="default" style={{ alignSelf: 'flex-start' }} onClick={() => setExpanded(true)}>
          {t('Show all {count}', { count: all.length })}
        </ActionButton>
      )}
    </Stack>
  );
}

function RemoveButton({ nullroute, now }: { nullroute: ServerNullroute; now: number }): JSX.Element | null {
  const scopeDenial = useScopeDenial();
  const { server, ip } = nullroute;
  const change = useLegacyChange('nullrouteSet', { invalidates: nullrouteQueries });
  const remove = async (): Promise<void> => {
    const result = await change.mutateAsync({ server, ip, action: 'remove' });
    const isDone = result === 'Null-route Removed';
    const message = isDone
      ? t('Null route for {ip} removed', { ip })
      : t('The router is not responding. The null route for {ip} will be removed as soon as it does.', { ip });
    notifications.show({ message, color: isDone ? 'teal' : 'orange' });
  };
  const state = nullrouteState(nullroute, now);
  if (state === 'Ended' || state === 'Removing') return null;
  return (
    <ConfirmButton
      isInRow
      disabledReason={scopeDenial('network:write')}
      question={t('Remove the null route for {ip}?', { ip })}
      consequence={t(
        'All traffic to the address reaches your server again, including an attack that is still ongoing.',
      )}
      confirmLabel={t('Remove null route')}
      onConfirm={remove}
    >
      {t('Remove')}
    </ConfirmButton>
  );
}
