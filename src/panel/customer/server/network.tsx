// A server's network: its traffic, addresses with their reverse names, switch ports, attacks and null-routes.
import { Group, Stack, Title } from '@mantine/core';
import type { JSX, ReactNode } from 'react';
import { useRead } from '../../data/read.ts';
import { Answer } from '../../parts/answer.tsx';
import { ReverseNames } from '../../parts/reverse-names.tsx';
import { TrafficGraph } from '../../parts/traffic-graph.tsx';
import { AttackList } from '../network/attack-list.tsx';
import { NullrouteButton } from '../network/nullroute-button.tsx';
import { Nullroutes } from '../network/nullroutes.tsx';
import { MachineTraffic } from './machine-traffic.tsx';
import { Month } from './month.tsx';
import { Ports } from './ports.tsx';
import { RequestAddresses } from './request-addresses.tsx';

/** Samples come every five minutes. */
const monthEveryMs = 300_000;

export function NetworkTab({ service }: { service: string }): JSX.Element {
  const devices = useRead('deviceList', {});
  const month = useRead('monthGet', { service }, { everyMs: monthEveryMs });
  return (
    <Answer of={devices} lines={8}>
      {(found) => {
        const device = found.find((each) => each.service === service);
        const dedicated =
          device?.type === 'dedicated' ? { service, server: device.server, hostname: device.hostname } : undefined;
        return (
          <Stack gap="xl">
            <Section title="Traffic">
              {dedicated === undefined ? (
                <MachineTraffic service={service} />
              ) : (
                <>
                  <TrafficGraph service={service} committed={month.data?.committed} />
                  <Answer of={month} lines={2}>
                    {(so) => <Month month={so} />}
                  </Answer>
                </>
              )}
            </Section>
            <Section
              title="Addresses"
              actions={dedicated !== undefined && <RequestAddresses server={dedicated.server} />}
            >
              <ReverseNames service={service} />
            </Section>
            {dedicated !== undefined && (
              <Section title="Switch ports">
                <Ports server={dedicated.server} hostname={dedicated.hostname} />
              </Section>
            )}
            <Section title="Attacks">
              <AttackList service={service} />
            </Section>
            {dedicated !== undefined && (
              <Section title="Null-routes" actions={<NullrouteButton servers={[dedicated]} />}>
                <Nullroutes servers={[dedicated]} />
              </Section>
            )}
          </Stack>
        );
      }}
    </Answer>
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
