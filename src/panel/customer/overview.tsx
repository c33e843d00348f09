// Overview: what needs attention first, then the servers with their power, health and traffic, and beside them money, attacks and
// what happened last. Whoever may not see a part of it does not.
import { Anchor, Box, Card, Grid, Group, SimpleGrid, Stack, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import type { Device, InvoiceListItem } from '#sdk/v2.ts';
import { useRead } from '../data/read.ts';
import { useWho, type Who } from '../data/who.ts';
import { Answer, Awaited, Empty } from '../parts/answer.tsx';
import { Page } from '../parts/page.tsx';
import { attacksOf } from './network/attack.ts';
import { AttentionList } from './overview/attention-list.tsx';
import { attentionOf } from './overview/attention.ts';
import { useMonths } from './overview/months.ts';
import { ServerCard } from './overview/server-card.tsx';
import { AttacksCard, EventsCard, MoneyCard } from './overview/side-cards.tsx';
import { hostnameOf, useDeviceStates } from './server/device.ts';

/** Of more servers than this the rest is one step away. */
const mostCards = 12;
const recent = 20;
/** How strong an attack is changes without an event. */
const attacksEveryMs = 60_000;

export function OverviewPage(): JSX.Element {
  const who = useWho();
  const devices = useRead('deviceList', {});
  return (
    <Page title="Overview">
      {who === undefined ? (
        <Awaited lines={8} />
      ) : (
        <Answer of={devices} lines={8}>
          {(all) => <Overview who={who} devices={all} />}
        </Answer>
      )}
    </Page>
  );
}

function Overview({ who, devices }: { who: Who; devices: readonly Device[] }): JSX.Element {
  const [seesNetwork, seesBilling] = [who.may('network:read'), who.may('billing:read')];
  const states = useDeviceStates();
  const invoices = useRead('invoiceGet', {}, { enabled: seesBilling });
  const events = useRead('anomalyList', { limit: recent }, { enabled: seesNetwork, everyMs: attacksEveryMs });
  const actions = useRead('actionList', { limit: recent });
  const plans = useRead('planGet', { limit: recent }, { enabled: who.may('plan:approve') });
  const current = devices.filter(({ status }) => status !== 'Terminated');
  const shown = current.slice(0, mostCards);
  // What is no dedicated server is on no switch port of its own, and nothing is measured of it.
  const measured = shown.filter(({ type }) => type === 'dedicated').map(({ service }) => service);
  const months = useMonths(seesNetwork ? measured : []);
  const attacks = attacksOf(events.data ?? {});
  const bills = invoices.data as readonly InvoiceListItem[] | undefined;
  const items = attentionOf({
    devices: current,
    states,
    attacks,
    invoices: bills ?? [],
    months,
    actions: actions.data ?? [],
    plans: plans.data ?? [],
    now: Date.now(),
  });
  const names = new Map(devices.map((device) => [device.service, hostnameOf(device)]));
  // What needs attention stands above the rest: it would push that down if it came later.
  if ([invoices, events, actions, plans].some(({ isLoading }) => isLoading)) return <Awaited lines={8} />;
  return (
    <Stack gap="lg">
      <AttentionList items={items} />
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, lg: 8 }}>
          <Group justify="space-between" mb="sm">
            <Title order={2} size="h4">
              Servers
            </Title>
            <Anchor size="sm" renderRoot={(props) => <Link to="/servers" {...props} />}>
              {current.length > mostCards ? `All ${current.length} servers` : 'All servers'}
            </Anchor>
          </Group>
          {shown.length === 0 ? (
            <Card>
              <Empty icon="server" title="No servers yet">
                They stand here as soon as you have one.
              </Empty>
            </Card>
          ) : (
            <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
              {shown.map((device) => (
                <ServerCard
                  key={device.service}
                  shown={{ device, state: states.get(device.service) }}
                  month={months.get(device.service)}
                />
              ))}
            </SimpleGrid>
          )}
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 4 }}>
          <Box visibleFrom="lg" h={38} />
          <Stack gap="md">
            {seesBilling && <MoneyCard invoices={bills} />}
            {seesNetwork && <AttacksCard attacks={attacks} />}
            {who.may('event:read') && <EventsCard nameOf={(service) => names.get(service) ?? `Service ${service}`} />}
          </Stack>
        </Grid.Col>
      </Grid>
    </Stack>
  );
}
