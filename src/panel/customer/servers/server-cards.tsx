// The server list on a phone: a card for each server.
import { Card, Group, Stack, Text } from '@mantine/core';
import { memo, type JSX } from 'react';
import { useGrowingRows } from '../../parts/growing-rows.ts';
import { StateBadge } from '../../parts/state-badge.tsx';
import type { ServerInfo } from '../server/device.ts';
import { Health } from '../server/health.tsx';
import { PowerMenu } from '../server/power/power-controls.tsx';
import { LastKnownPower } from '../server/power/power-state.tsx';
import { Name, SelectServer, type SelectServerProps, type ServerRowsProps } from './server-cells.tsx';

export function ServerCards({ devices, states, selected, select }: ServerRowsProps): JSX.Element {
  const { visible, endRef } = useGrowingRows(devices);
  return (
    <Stack gap="sm">
      {visible.map((device) => (
        <ServerCard
          key={device.service}
          device={device}
          state={states.get(device.service)}
          isSelected={selected.has(device.service)}
          select={select}
        />
      ))}
      {endRef !== undefined && <div ref={endRef} />}
    </Stack>
  );
}

const ServerCard = memo(function ServerCard({
  device,
  state,
  ...selection
}: ServerInfo & SelectServerProps): JSX.Element {
  return (
    <Card fz="sm">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Group gap="sm" wrap="nowrap" align="flex-start">
          <SelectServer device={device} {...selection} />
          <Name device={device} />
        </Group>
        <PowerMenu server={{ device, state }} power={state?.power ?? 'unknown'} />
      </Group>
      <Group justify="space-between" mt="sm" align="flex-end">
        <LastKnownPower state={state} />
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
});
