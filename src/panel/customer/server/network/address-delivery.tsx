// The blocks of a server: how they reach it, and the lines that configure them.
import { Code, CopyButton, Stack, Tabs, Text, TextInput } from '@mantine/core';
import { useState, type JSX } from 'react';
import type { NetblockDelivery } from '#sdk/v2.ts';
import { useRead } from '../../../data/operations.ts';
import { ActionButton } from '../../../parts/action-button.tsx';
import { Copyable } from '../../../parts/copyable.tsx';
import { Dimmed } from '../../../parts/dimmed.tsx';
import { FormButton } from '../../../parts/form-button.tsx';
import { EmptyCard, QueryResult } from '../../../parts/query-result.tsx';
import { StateBadge } from '../../../parts/state-badge.tsx';
import { QueryTable, type Column } from '../../../parts/table-card.tsx';
import { t } from '../../../text/text.ts';

/** Nothing announces that routers and hypervisors have followed, which takes seconds. */
const refetchMs = 15_000;
const tools = {
  netplan: 'Netplan',
  ifupdown: 'ifupdown',
  networkmanager: 'NetworkManager',
  networkd: 'systemd-networkd',
  windows: 'Windows',
} as const;

export function AddressDelivery({ service }: { service: string }): JSX.Element {
  const blocks = useRead('deliveryList', { service }, { refetchMs });
  const columns: readonly Column<NetblockDelivery>[] = [
    {
      label: t('Netblock'),
      ff: 'monospace',
      cell: ({ netblock }) => <Copyable value={netblock} label={t('netblock')} />,
    },
    { label: t('Status'), width: 120, cell: ({ status }) => <StateBadge state={status} /> },
    {
      label: t('Delivery@@addresses'),
      cell: ({ delivery, nexthop }) =>
        delivery !== 'routed'
          ? t('On-link')
          : nexthop === ''
            ? t('Routed to no address')
            : t('Routed to {address}', { address: nexthop }),
    },
    {
      label: t('Address and netmask'),
      ff: 'monospace',
      cell: ({ address, netmask, prefix }) => (
        <div>
          {address === '' ? '–' : <Copyable value={address} label={t('address')} />}
          <Dimmed size="xs">{netmask === '' ? `/${prefix}` : `${netmask} (/${prefix})`}</Dimmed>
        </div>
      ),
    },
    {
      label: t('Gateway'),
      ff: 'monospace',
      cell: ({ gateway }) => (gateway === '' ? '–' : <Copyable value={gateway} label={t('gateway')} />),
    },
    {
      label: t('Actions'),
      isNumber: true,
      cell: ({ netblock }) => (
        <FormButton
          isInRow
          title={t('Configure {netblock}', { netblock })}
          dialogSize="lg"
          form={() => <Configuration service={service} netblock={netblock} />}
        >
          {t('Configuration')}
        </FormButton>
      ),
    },
  ];
  return (
    <QueryTable
      query={blocks}
      lines={3}
      empty={<EmptyCard icon="address" title={t('No addresses yet')} />}
      label={t('Netblocks')}
      columns={columns}

      rowKey={({ netblock }) => netblock}
      minWidth={860}
    />
  );
}

function Configuration({ service, netblock }: { service: string; netblock: string }): JSX.Element {
  const [card, setCard] = useState('eth0');
  const isName = /^[a-zA-Z0-9][a-zA-Z0-9._-]{0,14}$/.test(card);
  const blocks = useRead('deliveryList', { service, interface: isName ? card : 'eth0' }, { keepsPrevious: true });
  return (
    <Stack>
      <Text size="sm">{t('Add these lines to the network configuration of your server.')}</Text>
      <TextInput
        label={t('Network interface')}
        value={card}
        error={isName ? undefined : t('Enter the name of an interface, such as eth0')}
        onChange={({ currentTarget }) => setCard(currentTarget.value)}
      />
      <QueryResult query={blocks} lines={6}>
        {(rows) => <Lines lines={rows.find((row) => row.netblock === netblock)?.configuration} />}
      </QueryResult>
    </Stack>
  );
}

function Lines({ lines }: { lines: NetblockDelivery['configuration'] | undefined }): JSX.Element {
  if (lines === undefined) return <Text size="sm">{t('This netblock no longer belongs to the server.')}</Text>;
  return (
    <Tabs defaultValue="netplan" keepMounted={false}>
      <Tabs.List aria-label={t('Tool')}>
        {Object.entries(tools).map(([tool, label]) => (
          <Tabs.Tab key={tool} value={tool}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {Object.keys(tools).map((tool) => (
        <Tabs.Panel key={tool} value={tool} pt="sm">
          <Stack gap="xs">
            <Code block mah={360} style={{ overflow: 'auto' }} tabIndex={0}>
              {lines[tool as keyof typeof tools]}
            </Code>
            <CopyButton value={lines[tool as keyof typeof tools]}>
              {({ copied, copy }) => (
                <ActionButton size="xs" variant="default" onClick={copy} style={{ alignSelf: 'flex-end' }}>
                  {copied ? t('Copied') : t('Copy')}
                </ActionButton>
              )}
            </CopyButton>
          </Stack>
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
