// The null-routes of dedicated servers: which addresses lead nowhere now, which did, and making and lifting one.
import { Card, Stack, Table } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState, type JSX } from 'react';
import type { Nullroute } from '#sdk/legacy.ts';
import { useLegacyChange, useLegacyReads } from '../../data/legacy.ts';
import { useRefusal } from '../../data/who.ts';
import { Act, AskFirst } from '../../parts/act.tsx';
import { Awaited, Empty, Failed } from '../../parts/answer.tsx';
import { Moment } from '../../parts/moment.tsx';
import { StateBadge } from '../../parts/state.tsx';
import { TableCard } from '../../parts/table-card.tsx';
import {
  nullroutesInOrder,
  nullrouteState,
  nullroutesStale,
  type NullrouteServer,
  type ServerNullroute,
} from './nullroute.ts';

const shownAtFirst = 8;

export function Nullroutes({ servers }: { servers: readonly NullrouteServer[] }): JSX.Element {
  const names = servers.map(({ server }) => server);
  const answers = useLegacyReads(
    'nullrouteSet',
    names.map((server) => ({ server })),
  );
  const [isAll, setAll] = useState(false);
  const failed = answers.find(({ error }) => error !== null);
  if (failed !== undefined) return <Failed error={failed.error!} again={() => void failed.refetch()} />;
  if (answers.some(({ data }) => data === undefined)) return <Awaited lines={3} />;
  const now = Math.floor(Date.now() / 1000);
  const all = nullroutesInOrder(
    answers.flatMap(({ data }, index) =>
      (data as readonly Nullroute[]).map((each) => ({ ...each, server: names[index]! })),
    ),
    now,
  );
  if (all.length === 0)
    return (
      <Card>
        <Empty icon="shield" title="No address was ever null-routed">
          A null-route drops everything that is sent to an address before it reaches your server.
        </Empty>
      </Card>
    );
  const columns = [
    'Address',
    { label: 'State', width: 130 },
    'From',
    'Until',
    'Why',
    { label: 'Actions', isNumber: true },
  ];
  return (
    <Stack gap="xs">
      <TableCard label="Null-routes" columns={columns} minWidth={900}>
        {(isAll ? all : all.slice(0, shownAtFirst)).map((each) => (
          <Row key={`${each.ip} ${each.start}`} nullroute={each} now={now} />
        ))}
      </TableCard>
      {!isAll && all.length > shownAtFirst && (
        <Act size="xs" variant="default" style={{ alignSelf: 'flex-start' }} onClick={() => setAll(true)}>
          Show all {all.length}
        </Act>
      )}
    </Stack>
  );
}

function Row({ nullroute, now }: { nullroute: ServerNullroute; now: number }): JSX.Element {
  const refusal = useRefusal();
  const { server, ip } = nullroute;
  const change = useLegacyChange('nullrouteSet', { changes: nullroutesStale });
  const lift = async (): Promise<void> => {
    const answer = await change.mutateAsync({ server, ip, action: 'remove' });
    const isDone = answer === 'Null-route Removed';
    const message = isDone
      ? `The null-route of ${ip} is lifted.`
      : `The router does not answer now. The null-route of ${ip} is lifted as soon as it does.`;
    notifications.show({ message, color: isDone ? 'teal' : 'orange' });
  };
  const state = nullrouteState(nullroute, now);
  const isOver = state === 'Ended' || state === 'Being lifted';
  return (
    <Table.Tr>
      <Table.Td ff="monospace">{ip}</Table.Td>
      <Table.Td>
        <StateBadge state={state} />
      </Table.Td>
      <Table.Td>
        <Moment at={nullroute.start} />
      </Table.Td>
      <Table.Td>{nullroute.end === '0' ? 'until it is lifted' : <Moment at={nullroute.end} />}</Table.Td>
      <Table.Td>{nullroute.reason}</Table.Td>
      <Table.Td ta="right">
        {!isOver && (
          <AskFirst
            size="compact-sm"
            variant="default"
            reason={refusal('network:write')}
            question={`Lift the null-route of ${ip}?`}
            consequence="Traffic to the address reaches your server again, and so does an attack that is still going on."
            yes="Lift it"
            act={lift}
          >
            Lift
          </AskFirst>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
