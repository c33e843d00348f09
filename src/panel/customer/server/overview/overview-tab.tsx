// The overview tab: power, recent activity and the most used settings.
import { Alert, Grid, Stack } from '@mantine/core';
import type { JSX } from 'react';
import { useRead } from '../../../data/operations.ts';
import { QueryResult } from '../../../parts/query-result.tsx';
import { Icon } from '../../../shell/icons.tsx';
import { NextBootCard } from '../power/next-boot-card.tsx';
import { DeleteCard } from '../../machines/delete-card.tsx';
import { ResizeCard } from '../../machines/resize-card.tsx';
import { isVirtualMachine, type ServerInfo } from '../device.ts';
import { SectionCard } from '../section-card.tsx';
import { FactsCard } from './facts-card.tsx';
import { LabelsCard } from './labels-card.tsx';
import { PlanCard } from './plan-card.tsx';
import { HostnameCard } from './hostname-card.tsx';
import { RootPasswordCard } from './root-password-card.tsx';
import { PowerCard } from '../power/power-card.tsx';
import { TunCard } from './tun-card.tsx';
import { UsageHistory } from './usage-history.tsx';
import { UsageLine } from './usage-line.tsx';
import { ActivityCard } from '../activity/activity-card.tsx';
import { t, tData } from '../../../text/text.ts';

export function OverviewTab({ server }: { server: ServerInfo }): JSX.Element {
  const { device, state } = server;
  const hasNotice = state !== undefined && state.reason !== '' && state.health !== 'Waiting';
  return (
    <Stack>
      {hasNotice && (
        <Alert color="orange" variant="light" icon={<Icon name="warning" />} title={tData(state.health)}>
          {tData(state.reason)}
        </Alert>
      )}
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Stack>
            <PowerCard server={server} />
            <NextBootCard server={server} />
            <FactsCard device={device} />
            {isVirtualMachine(device) && <ResourceCard service={device.service} />}
            <RootPasswordCard server={server} />
            <ActivityCard service={device.service} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Stack>
            <PlanCard device={device} />
            {isVirtualMachine(device) && <ResizeCard server={server} />}
            <LabelsCard device={device} />
            {/* Starts over if somebody else changes the name. */}
            <HostnameCard key={device.hostname} server={server} />
            {isVirtualMachine(device) && <TunCard server={server} />}
            {isVirtualMachine(device) && <DeleteCard server={server} />}
          </Stack>
        </Grid.Col>
      </Grid>
    </Stack>
  );
}

const usageRefetchMs = 60_000;

function ResourceCard({ service }: { service: string }): JSX.Element {
  const stats = useRead('deviceStatsGet', { service }, { refetchMs: usageRefetchMs });
  return (
    <SectionCard title={t('Resources')}>
      <QueryResult query={stats} lines={3}>
        {(value) =>
          'memory' in value ? (
            <Stack gap="sm">
              <UsageLine label={t('Memory')} text={value.memory} />
              <UsageLine label={t('Disk')} text={value.harddisk} />
              <UsageLine label={t('Traffic this month')} text={value.bandwidth} />
              <UsageHistory service={service} />
            </Stack>
          ) : null
        }
      </QueryResult>
    </SectionCard>
  );
}
