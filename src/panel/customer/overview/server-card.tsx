// A server on the overview: power, health and this month's traffic.
import { Card, Group, Stack, Text } from '@mantine/core';
import type { JSX } from 'react';
import type { TrafficMonth } from '#sdk/v2.ts';
import { useRead } from '../../data/operations.ts';
import { Dimmed } from '../../parts/dimmed.tsx';
import { bytesText, rateText } from '../../parts/traffic-units.ts';
import { ServerLink } from '../../parts/server-link.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { serverName, isVirtualMachine, type ServerInfo } from '../server/device.ts';
import { Health } from '../server/health.tsx';
import { CommitmentBar } from '../server/network/traffic-month.tsx';
import { UsageLine } from '../server/overview/usage-line.tsx';
import { PowerIndicator } from '../server/power/power-state.tsx';
import { Sparkline } from './sparkline.tsx';
import { t } from '../../text/text.ts';

const usageRefetchMs = 120_000;

export interface ServerCardProps {
  readonly server: ServerInfo;
  /** Undefined while loading, or if traffic is not measured. */
  readonly month: TrafficMonth | undefined;
}

export function ServerCard({ server, month }: ServerCardProps): JSX.Element {
  const { device, state } = server;
  return (
    <Card component="article" aria-label={serverName(device)}>
      <Stack gap="sm" h="100%">
        <Group justify="space-between" gap="xs" wrap="nowrap" align="flex-start">
          <div style={{ minWidth: 0 }}>
            <ServerLink service={device.service} fw={600} className="wrap-anywhere">
              {serverName(device)}
            </ServerLink>
            <Dimmed size="xs">
              {device.name} ·{' '}
              <Text span inherit ff="monospace">
                {device.ip}
              </Text>
            </Dimmed>
          </div>
          {device.status !== 'Active' && <StateBadge state={device.status} />}
        </Group>
        <Group gap="lg" fz="sm">
          <PowerIndicator power={state?.power ?? 'unknown'} />
          <Health state={state} />
        </Group>
        {month !== undefined && <Traffic month={month} />}
        {isVirtualMachine(device) && device.status === 'Active' && <MachineUsage service={device.service} />}
      </Stack>
    </Card>
  );
}

function Traffic({ month }: { month: TrafficMonth }): JSX.Element {
  const total = month.days.reduce((sum, { inbytes, outbytes }) => sum + Number(inbytes) + Number(outbytes), 0);
  const percentile = Number(month['95pct']);
  return (
    <Stack gap={6} mt="auto">
      <Sparkline month={month} />
      <Group justify="space-between" gap="xs">
        <Dimmed size="xs" className="numbers">
          {t('{bytes} this month', { bytes: bytesText(total) })}
        </Dimmed>
        <Text size="xs" className="numbers">
          {t('95th percentile {rate}', { rate: rateText(percentile) })}
        </Text>
      </Group>
      {Number(month.committed) > 0 && (
        <CommitmentBar
          percentile={percentile}
          projected={Number(month.projected)}
          committed={Number(month.committed)}
        />
      )}
    </Stack>
  );
}

/** Renders nothing if the hypervisor does not respond: the health indicator already says so. */
function MachineUsage({ service }: { service: string }): JSX.Element | null {
  const { data } = useRead('deviceStatsGet', { service }, { refetchMs: usageRefetchMs });
  if (data === undefined || !('memory' in data)) return null;
  return (
    <Stack gap={8} mt="auto">
      <UsageLine size="xs" label={t('Memory')} text={data.memory} />
      <UsageLine size="xs" label={t('Disk')} text={data.harddisk} />
      <UsageLine size="xs" label={t('Traffic this month')} text={data.bandwidth} />
    </Stack>
  );
}
