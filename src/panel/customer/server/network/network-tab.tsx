// Traffic, IP addresses with reverse DNS, switch ports, attacks and null routes of a server or virtual machine.
import { Card, Stack } from '@mantine/core';
import type { JSX } from 'react';
import { useScopeDenial } from '../../../data/identity.ts';
import { useRead } from '../../../data/operations.ts';
import { QueryResult } from '../../../parts/query-result.tsx';
import { ReverseDnsList } from '../../../parts/reverse-dns.tsx';
import { Section } from '../../../parts/section.tsx';
import { TrafficGraph } from '../../../parts/traffic-graph.tsx';
import { AttackList } from '../../network/attack-list.tsx';
import { NullrouteButton } from '../../network/nullroute-button.tsx';
import { Nullroutes } from '../../network/nullroutes.tsx';
import { UsageLine } from '../overview/usage-line.tsx';
import { AddressDelivery } from './address-delivery.tsx';
import { AddressRequests } from './address-requests.tsx';
import { TrafficMonthCard } from './traffic-month.tsx';
import { SwitchPorts } from './switch-ports.tsx';
import { RequestAddresses } from './request-addresses.tsx';
import { t } from '../../../text/text.ts';

/** A new sample arrives every five minutes. */
const monthRefetchMs = 300_000;
const vmRefetchMs = 60_000;

export function NetworkTab({ service }: { service: string }): JSX.Element {
  const devices = useRead('deviceList', {});
  const month = useRead('monthGet', { service }, { refetchMs: monthRefetchMs });
  const canReadNames = useScopeDenial()('dns:read') === undefined;
  return (
    <QueryResult query={devices} lines={8}>
      {(all) => {
        const device = all.find((candidate) => candidate.service === service);
        const dedicated =
          device?.type === 'dedicated' ? { service, server: device.alias, hostname: device.hostname } : undefined;
        return (
          <Stack gap="lg">
            <Section title={t('Traffic')}>
              <TrafficGraph service={service} committed={month.data?.committed} />
              {dedicated === undefined ? (
                <MachineTraffic service={service} />
              ) : (
                <QueryResult query={month} lines={2}>
                  {(current) => <TrafficMonthCard month={current} />}
                </QueryResult>
              )}
            </Section>
            <Section title={t('IP addresses')} actions={<RequestAddresses service={service} />}>
              <AddressRequests service={service} />
              <AddressDelivery service={service} />
            </Section>
            {canReadNames && (
              <Section title={t('Reverse DNS')}>
                <ReverseDnsList service={service} />
              </Section>
            )}
            {dedicated !== undefined && (
              <Section title={t('Switch ports')}>
                <SwitchPorts server={dedicated.server} hostname={dedicated.hostname} />
              </Section>
            )}
            <Section title={t('Attacks')}>
              <AttackList service={service} />
            </Section>
            {dedicated !== undefined && (
              <Section title={t('Null routes')} actions={<NullrouteButton servers={[dedicated]} />}>
                <Nullroutes servers={[dedicated]} />
              </Section>
            )}
          </Stack>
        );
      }}
    </QueryResult>
  );
}

/** Compared with what the plan includes. */
function MachineTraffic({ service }: { service: string }): JSX.Element {
  const stats = useRead('deviceStatsGet', { service }, { refetchMs: vmRefetchMs });
  return (
    <Card>
      <QueryResult query={stats} lines={2}>
        {(value) => 'bandwidth' in value && <UsageLine label={t('Traffic this month')} text={value.bandwidth} />}
      </QueryResult>
    </Card>
  );
}
