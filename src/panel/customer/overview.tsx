// The customer's start page: items that need attention, servers, invoices, attacks and recent events. Parts that the
// user may not read are left out.
import { Anchor, Box, Group, SimpleGrid, Stack, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import type { Device, InvoiceListItem } from '#sdk/v2.ts';
import { useRead, useReads } from '../data/operations.ts';
import { useIdentity, type Identity } from '../data/identity.ts';
import { EmptyCard, ErrorAlert, LoadingLines, QueryResult } from '../parts/query-result.tsx';
import { Page } from '../parts/page.tsx';
import { NewMachineLink } from './machines/new-machine-link.tsx';
import { listAttacks } from './network/attack.ts';
import { AttentionList } from './overview/attention-list.tsx';
import { listAttentionItems } from './overview/attention.ts';
import { MaintenanceNotices } from './overview/maintenance-notices.tsx';
import { ServerCard } from './overview/server-card.tsx';
import { AttacksCard, EventsCard, InvoicesCard } from './overview/side-cards.tsx';
import { useDeviceStates } from './server/device.ts';
import { t } from '../text/text.ts';

/** With more servers than this, the page links to the server list. */
const maxCards = 12;
const maxItems = 20;
/** The strength of an attack changes without an event. */
const attackRefetchMs = 60_000;
/** A new sample arrives every five minutes. */
const monthRefetchMs = 300_000;

export function OverviewPage(): JSX.Element {
  const identity = useIdentity('customer');
  const devices = useRead('deviceList', {});
  return (
    <Page title={t('Overview')}>
      <MaintenanceNotices />
      {identity === undefined ? (
        <LoadingLines lines={8} />
      ) : (
        <QueryResult query={devices} lines={8}>
          {(all) => <Overview identity={identity} devices={all} />}
        </QueryResult>
      )}
    </Page>
  );
}

function Overview({ identity, devices }: { identity: Identity; devices: readonly Device[] }): JSX.Element {
  const [canReadNetwork, canReadBilling] = [identity.can('network:read'), identity.can('billing:read')];
  const states = useDeviceStates();
  const invoices = useRead('invoiceGet', {}, { enabled: canReadBilling });
  const events = useRead('anomalyList', { limit: maxItems }, { enabled: canReadNetwork, refetchMs: attackRefetchMs });
  const actions = useRead('actionList', { limit: maxItems });
  const plans = useRead('planGet', { limit: maxItems }, { enabled: identity.can('plan:approve') });
  const current = devices.filter(({ status }) => status !== 'Terminated');
  const visible = current.slice(0, maxCards);
  // Only dedicated servers have a switch port whose traffic is measured.
  const measured = visible.filter(({ type }) => canReadNetwork && type === 'dedicated');
  const monthQueries = useReads(
    'monthGet',
    measured.map(({ service }) => ({ service })),
    { refetchMs: monthRefetchMs },
  );
  const months = new Map(
    measured.flatMap(({ service }, index) => {
      const month = monthQueries[index]?.data;
      return month === undefined ? [] : [[service, month] as const];
    }),
  );
  const attacks = listAttacks(events.data ?? {});
  const invoiceList = invoices.data as readonly InvoiceListItem[] | undefined;
  const items = listAttentionItems({
    devices: current,
    states,
    attacks,
    invoices: invoiceList ?? [],
    months,
    actions: actions.data ?? [],
    plans: plans.data ?? [],
    now: Date.now(),
  });
  // Waits for everything in the attention list, which would otherwise push the page down when it appears.
  const queries = [invoices, events, actions, plans];
  if (queries.some(({ isLoading }) => isLoading)) return <LoadingLines lines={8} />;
  const failed = queries.find(({ error }) => error !== null);
  return (
    <Stack gap="lg">
      {failed !== undefined && <ErrorAlert error={failed.error!} retry={() => void failed.refetch()} />}
      {(failed === undefined || items.length > 0) && <AttentionList items={items} />}
      <div className="main-and-side">
        <div>
          <Group justify="space-between" mb="sm">
            <Title order={2} size="h4">
              {t('Servers')}
            </Title>
            <Anchor size="sm" renderRoot={(props) => <Link to="/servers" {...props} />}>
              {current.length > maxCards ? t('All {count} servers', { count: current.length }) : t('All servers')}
            </Anchor>
          </Group>
          {visible.length === 0 ? (
            <EmptyCard icon="server" title={t('No servers yet')} action={<NewMachineLink />}>
              {t('A server appears here as soon as you order it.')}
            </EmptyCard>
          ) : (
            <SimpleGrid minColWidth="300px" spacing="md">
              {visible.map((device) => (
                <ServerCard
                  key={device.service}
                  server={{ device, state: states.get(device.service) }}
                  month={months.get(device.service)}
                />
              ))}
            </SimpleGrid>
          )}
        </div>
        <div>
          <Box visibleFrom="lg" h={34} />
          <Stack gap="md">
            {canReadBilling && <InvoicesCard invoices={invoiceList} />}
            {events.data !== undefined && <AttacksCard attacks={attacks} />}
            {identity.can('event:read') && <EventsCard />}
          </Stack>
        </div>
      </div>
    </Stack>
  );
}
