// Traffic, IP addresses with reverse DNS, switch ports, attacks and null routes of a server.
import { Group, Stack, Title } from '@mantine/core';
import type { JSX, ReactNode } from 'react';
import { useRead } from '../../../data/operations.ts';
import { QueryResult } from '../../../parts/query-result.tsx';
import { ReverseDnsList } from '../../../parts/reverse-dns.tsx';
import { TrafficGraph } from '../../../parts/traffic-graph.tsx';
import { AttackList } from '../../network/attack-list.tsx';
import { NullrouteButton } from '../../network/nullroute-button.tsx';
import { Nullroutes } from '../../network/nullroutes.tsx';
import { VmTraffic } from './vm-traffic.tsx';
import { TrafficMonthCard } from './traffic-month.tsx';
import { SwitchPorts } from './switch-ports.tsx';
import { RequestAddresses } from './request-addresses.tsx';

/** A new sample arrives every five minutes. */
const monthRefetchMs = 300_000;

export function NetworkTab({ service }: { service: string }): JSX.Element {
  const devices = useRead('deviceList', {});
  const month = useRead('monthGet', { service }, { refetchMs: monthRefetchMs });
  return (
    <QueryResult query={devices} lines={8}>
      {(devices) => {
        const device = devices.find((candidate) => candidate.service === service);
        const dedicated =
          device?.type === 'dedicated' ? { service, server: device.server, hostname: device.hostname } : undefined;
        return (
          <Stack gap="xl">
            <Section title="Traffic">
              {dedicated === undefined ? (
                <VmTraffic service={service} />
              ) : (
                <>
                  <TrafficGraph service={service} committed={month.data?.committed} />
                  <QueryResult query={month} lines={2}>
                    {(current) => <TrafficMonthCard month={current} />}
                  </QueryResult>
                </>
              )}
            </Section>
            <Section
              title="IP addresses"
              actions={dedicated !== undefined && <RequestAddresses server={dedicated.server} />}
            >
              <ReverseDnsList service={service} />
            </Section>
            {dedicated !== undefined && (
              <Section title="Switch ports">
                <SwitchPorts server={dedicated.server} hostname={dedicated.hostname} />
              </Section>
            )}
            <Section title="Attacks">
              <AttackList service={service} />
            </Section>
            {dedicated !== undefined && (
              <Section title="Null routes" actions={<NullrouteButton servers={[dedicated]} />}>
                <Nullroutes servers={[dedicated]} />
              </Section>
            )}
          </Stack>
        );
      }}
    </QueryResult>
  );
}

interface SectionProps {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

function Section({ title, actions, children }: SectionProps): JSX.Element {
  return (
    <Stack gap="sm" component="section">
      <Group justify="space-between" gap="xs">
        <Title order={2} size="h4">
          {title}
        </Title>
        {actions}
      </Group>
      {children}
    </Stack>
  );
}
