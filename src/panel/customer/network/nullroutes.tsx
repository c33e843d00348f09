// The null-routes of dedicated servers: which addresses lead nowhere now, which did, and making and lifting one.
import { Card, Modal, Select, Stack, Table, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState, type JSX } from 'react';
import type { Nullroute } from '#sdk/legacy.ts';
import { useLegacyChange, useLegacyReads } from '../../data/legacy.ts';
import { useRefusal } from '../../data/who.ts';
import { Act, AskFirst } from '../../parts/act.tsx';
import { Awaited, Empty, Failed } from '../../parts/answer.tsx';
import { useFields } from '../../parts/fields.ts';
import { Form } from '../../parts/form.tsx';
import { Moment } from '../../parts/moment.tsx';
import { StateBadge } from '../../parts/state.tsx';
import { TableCard } from '../../parts/table-card.tsx';
import { Icon } from '../../shell/icons.tsx';
import { nullroutesInOrder, nullrouteState, type ServerNullroute } from './nullroute.ts';

export interface NullrouteServer {
  /** Its name at the provider. */
  readonly server: string;
  readonly hostname: string;
}

const shownAtFirst = 8;
const stale = ['legacy nullrouteSet', 'eventList', 'anomalyList'];

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
  const columns = ['Address', { label: 'State', width: 130 }, 'From', 'Until', 'Why', { label: 'Actions', isNumber: true }];
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
  const lift = useLegacyChange('nullrouteSet', { done: `The null-route of ${ip} is lifted.`, changes: stale });
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
            act={() => lift.mutateAsync({ server, ip, action: 'remove' })}
          >
            Lift
          </AskFirst>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

export function NullrouteButton({ servers }: { servers: readonly NullrouteServer[] }): JSX.Element {
  const [isOpen, { open, close }] = useDisclosure(false);
  const refusal = useRefusal();
  const reason = servers.length === 0 ? 'Only addresses of dedicated servers can be null-routed.' : undefined;
  return (
    <>
      <Act
        size="xs"
        variant="default"
        leftSection={<Icon name="shield" size={16} />}
        reason={reason ?? refusal('network:write')}
        onClick={open}
      >
        Null-route an address
      </Act>
      <Modal opened={isOpen} onClose={close} title="Null-route an address" centered>
        <NullrouteForm servers={servers} close={close} />
      </Modal>
    </>
  );
}

function NullrouteForm({ servers, close }: { servers: readonly NullrouteServer[]; close: () => void }): JSX.Element {
  const fields = useFields({ server: servers[0]!.server, ip: '' });
  const add = useLegacyChange('nullrouteSet', { done: `${fields.values.ip} is null-routed.`, changes: stale });
  const { server, ip } = fields.values;
  return (
    <Form
      fields={fields}
      label="Null-route it"
      cancel={close}
      reason={ip.trim() === '' ? 'Which address?' : undefined}
      send={async () => {
        await add.mutateAsync({ server, ip: ip.trim(), action: 'add' });
        close();
      }}
    >
      <Text size="sm">
        Everything that is sent to the address is dropped in the provider’s network. An attack on it no longer reaches
        your server, and neither does anything else, until you lift it.
      </Text>
      {servers.length > 1 && (
        <Select
          label="Server"
          allowDeselect={false}
          data={servers.map((each) => ({ value: each.server, label: each.hostname }))}
          value={server}
          onChange={(next) => next !== null && fields.set({ server: next })}
        />
      )}
      <TextInput
        label="Address"
        placeholder="203.0.113.10"
        required
        ff="monospace"
        autoComplete="off"
        data-autofocus
        {...fields.input('ip')}
      />
    </Form>
  );
}
