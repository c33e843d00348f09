// Attacks on the servers of the account, and null routes.
import { Select } from '@mantine/core';
import { useState, type JSX } from 'react';
import { useRead } from '../data/operations.ts';
import { EmptyCard, QueryResult } from '../parts/query-result.tsx';
import { Page } from '../parts/page.tsx';
import { Section } from '../parts/section.tsx';
import { AttackList } from './network/attack-list.tsx';
import { NullrouteButton } from './network/nullroute-button.tsx';
import { Nullroutes } from './network/nullroutes.tsx';
import { t } from '../text/text.ts';

const allServers = '';
/** With more servers than this, null routes are loaded only for the selected one, to limit the number of requests. */
const maxServers = 12;

export function NetworkPage(): JSX.Element {
  const [service, setService] = useState(allServers);
  const devices = useRead('deviceList', {});
  const all = devices.data ?? [];
  const selected = all.filter((device) => service === allServers || device.service === service);
  const dedicated = selected.flatMap((device) =>
    device.type === 'dedicated' && device.alias !== ''
      ? [{ service: device.service, server: device.alias, hostname: device.hostname }]
      : [],
  );
  const names = new Map(all.map((device) => [device.service, device.hostname]));
  return (
    <Page
      title={t('DDoS & null routes')}
      description={t('Detected attacks and null-routed IP addresses')}
      actions={
        <Select
          size="xs"
          w={220}
          aria-label={t('Server')}
          allowDeselect={false}
          searchable
          data={[
            { value: allServers, label: t('All servers') },
            ...all.map((device) => ({ value: device.service, label: device.hostname })),
          ]}
          value={service}
          onChange={(next) => setService(next ?? allServers)}
        />
      }
    >
      <Section title={t('Attacks')}>
        <AttackList key={service} service={service === allServers ? undefined : service} names={names} />
      </Section>
      <Section title={t('Null routes')} actions={<NullrouteButton servers={dedicated} />}>
        <QueryResult query={devices} lines={3}>
          {() => {
            if (dedicated.length > maxServers) return noSelection;
            return dedicated.length === 0 ? noDedicated : <Nullroutes servers={dedicated} />;
          }}
        </QueryResult>
      </Section>
    </Page>
  );
}

const noSelection = (
  <EmptyCard icon="shield" title={t('No server selected')}>
    {t('Select a server to see its null routes.')}
  </EmptyCard>
);
const noDedicated = (
  <EmptyCard icon="shield" title={t('No dedicated servers')}>
    {t('Null routes are available for dedicated servers only.')}
  </EmptyCard>
);
