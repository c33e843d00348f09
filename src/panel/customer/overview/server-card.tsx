// A server on the overview: whether it is on and well, where it is, and its traffic of the month.
import { Card, Group, Stack, Text } from '@mantine/core';
import type { JSX } from 'react';
import type { TrafficMonth } from '#sdk/v2.ts';
import { bytesText, rateText } from '../../parts/amounts.ts';
import { ServerLink } from '../../parts/server-link.tsx';
import { StateBadge } from '../../parts/state.tsx';
import { hostnameOf, isMachine, type ShownDevice } from '../server/device.ts';
import { Health } from '../server/health.tsx';
import { Commitment } from '../server/month.tsx';
import { PowerSign } from '../server/power-state.tsx';
import { MachineUse } from './machine-use.tsx';
import { Sparkline } from './sparkline.tsx';

export interface ServerCardProps {
  readonly shown: ShownDevice;
  /** Undefined where it is not known yet, or not measured. */
  readonly month: TrafficMonth | undefined;
}

export function ServerCard({ shown, month }: ServerCardProps): JSX.Element {
  const { device, state } = shown;
  return (
    <Card component="article" aria-label={hostnameOf(device)}>
      <Stack gap="sm" h="100%">
        <Group justify="space-between" gap="xs" wrap="nowrap" align="flex-start">
          <div style={{ minWidth: 0 }}>
            <ServerLink service={device.service} fw={600} className="wrap-anywhere">
              {hostnameOf(device)}
            </ServerLink>
            <Text size="xs" c="dimmed">
              {device.name} ·{' '}
              <Text span inherit ff="monospace">
                {device.ip}
              </Text>
            </Text>
          </div>
          {device.status !== 'Active' && <StateBadge state={device.status} />}
        </Group>
        <Group gap="lg" fz="sm">
          <PowerSign power={state?.power ?? 'unknown'} />
          <Health state={state} />
        </Group>
        {month !== undefined && <Traffic month={month} />}
        {isMachine(device) && device.status === 'Active' && <MachineUse service={device.service} />}
      </Stack>
    </Card>
  );
}

function Traffic({ month }: { month: TrafficMonth }): JSX.Element {
  const total = month.days.reduce((sum, { inbytes, outbytes }) => sum + Number(inbytes) + Number(outbytes), 0);
  const so = Number(month['95pct']);
  return (
    <Stack gap={6} mt="auto">
      <Sparkline month={month} />
      <Group justify="space-between" gap="xs">
        <Text size="xs" c="dimmed" className="numbers">
          {bytesText(total)} this month
        </Text>
        <Text size="xs" className="numbers">
          95th {rateText(so)}
        </Text>
      </Group>
      {month.committed !== '' && Number(month.committed) > 0 && (
        <Commitment so={so} projected={Number(month.projected)} committed={Number(month.committed)} />
      )}
    </Stack>
  );
}
