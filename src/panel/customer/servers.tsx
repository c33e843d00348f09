// All servers of the account, whatever they are: on or off, how they are, where they answer.
import { Anchor, Card, Group, SegmentedControl, Stack, Table, Text, TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { useState, type JSX } from 'react';
import { useRead } from '../data/read.ts';
import { Answer, Empty } from '../parts/answer.tsx';
import { Page } from '../parts/page.tsx';
import { StateBadge } from '../parts/state.tsx';
import { TableCard } from '../parts/table-card.tsx';
import { Icon } from '../shell/icons.tsx';
import { hostnameOf, useDeviceStates, type ShownDevice } from './server/device.ts';
import { Health } from './server/health.tsx';
import { PowerMenu } from './server/power-menu.tsx';
import { PowerSeen } from './server/power-state.tsx';
import { matching, typeWords, type TypeChoice } from './server/find.ts';

const choices = [
  { value: 'all', label: 'All' },
  { value: 'dedicated', label: typeWords.dedicated },
  { value: 'vps', label: typeWords.vps },
  { value: 'cloud', label: typeWords.cloud },
] satisfies { value: TypeChoice; label: string }[];

export function ServersPage(): JSX.Element {
  const devices = useRead('deviceList', {});
  const states = useDeviceStates();
  const [text, setText] = useState('');
  const [type, setType] = useState<TypeChoice>('all');
  return (
    <Page title="Servers" about="Dedicated servers and virtual machines, as they were last seen.">
      <Group gap="sm">
        <TextInput
          aria-label="Find a server"
          placeholder="Name, address or number"
          leftSection={<Icon name="search" size={16} />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          flex={1}
          miw={200}
          maw={360}
        />
        <SegmentedControl
          aria-label="Type of server"
          value={type}
          onChange={(next) => setType(next as TypeChoice)}
          data={choices}
        />
      </Group>
      <Answer of={devices}>
        {(all) => {
          if (all.length === 0)
            return (
              <Card>
                <Empty icon="server" title="There is no server yet">
                  What you order appears here as soon as it is made.
                </Empty>
              </Card>
            );
          const found = matching(all, text, type);
          if (found.length === 0)
            return (
              <Card>
                <Empty icon="search" title="No server matches">
                  {all.length} are there in all.
                </Empty>
              </Card>
            );
          return <List shown={found.map((device) => ({ device, state: states.get(device.service) }))} />;
        }}
      </Answer>
    </Page>
  );
}

function List({ shown }: { shown: readonly ShownDevice[] }): JSX.Element {
  const isWide = useMediaQuery('(min-width: 48em)', true, { getInitialValueInEffect: false });
  if (!isWide)
    return (
      <Stack gap="sm">
        {shown.map((each) => (
          <ServerCard key={each.device.service} shown={each} />
        ))}
      </Stack>
    );
  const columns = ['Server', 'Power', 'Health', 'Address', 'Type', 'Service', { label: 'Actions', isNumber: true }];
  return (
    <TableCard label="Servers" columns={columns} minWidth={820} verticalSpacing="xs">
      {shown.map((each) => (
        <Row key={each.device.service} shown={each} />
      ))}
    </TableCard>
  );
}

function Name({ shown: { device } }: { shown: ShownDevice }): JSX.Element {
  return (
    <div>
      <Anchor
        renderRoot={(props) => <Link to="/servers/$service" params={{ service: device.service }} {...props} />}
        size="sm"
        fw={600}
        c="bright"
      >
        {hostnameOf(device)}
      </Anchor>
      <Text size="xs" c="dimmed">
        {device.name} · {device.service}
      </Text>
    </div>
  );
}

function Row({ shown }: { shown: ShownDevice }): JSX.Element {
  const { device, state } = shown;
  return (
    <Table.Tr>
      <Table.Td>
        <Name shown={shown} />
      </Table.Td>
      <Table.Td>
        <PowerSeen state={state} />
      </Table.Td>
      <Table.Td>
        <Health state={state} />
      </Table.Td>
      <Table.Td ff="monospace" fz="sm">
        {device.ip}
      </Table.Td>
      <Table.Td>{typeWords[device.type]}</Table.Td>
      <Table.Td>
        <StateBadge state={device.status} />
      </Table.Td>
      <Table.Td ta="right">
        <PowerMenu shown={shown} power={state?.power ?? 'unknown'} />
      </Table.Td>
    </Table.Tr>
  );
}

function ServerCard({ shown }: { shown: ShownDevice }): JSX.Element {
  const { device, state } = shown;
  return (
    <Card fz="sm">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Name shown={shown} />
        <PowerMenu shown={shown} power={state?.power ?? 'unknown'} />
      </Group>
      <Group justify="space-between" mt="sm" align="flex-end">
        <PowerSeen state={state} />
        <Health state={state} />
      </Group>
      <Group justify="space-between" mt="sm">
        <Text ff="monospace" size="sm">
          {device.ip}
        </Text>
        <StateBadge state={device.status} />
      </Group>
    </Card>
  );
}
