// DNS: the zones of the account and reverse DNS.
import { Button, Modal, NativeSelect, Stack } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useState, type JSX } from 'react';
import { useRead } from '../../data/operations.ts';
import { useScopeDenial } from '../../data/identity.ts';
import { Dimmed } from '../../parts/dimmed.tsx';
import { ActionButton } from '../../parts/action-button.tsx';
import { QueryResult, EmptyState } from '../../parts/query-result.tsx';
import { Page } from '../../parts/page.tsx';
import { HashTabs } from '../../parts/hash-tabs.tsx';
import { ReverseDnsList } from '../../parts/reverse-dns.tsx';
import { t } from '../../text/text.ts';
import { AddZoneForm } from './add-zone-form.tsx';
import { WithdrawnZones } from './withdrawn-zones.tsx';
import { ZoneList } from './zone-list.tsx';

export function ZonesPage(): JSX.Element {
  const denial = useScopeDenial()('dns:write');
  const { hash } = useLocation();
  const navigate = useNavigate();
  const withdrawn = useRead('zoneWithdrawnList', {}).data ?? [];
  const isAdding = hash === 'new' && denial === undefined;
  const open = (): void => void navigate({ to: '.', hash: 'new', resetScroll: false });
  const close = (): void => void navigate({ to: '.', hash: '', resetScroll: false, replace: true });
  useHotkeys([['n', () => denial === undefined && open()]]);
  return (
    <Page
      title="DNS"
      description={t('Zones and reverse DNS')}
      actions={
        <ActionButton icon="plus" disabledReason={denial} onClick={open}>
          {t('New zone')}
        </ActionButton>
      }
    >
      <HashTabs
        label={t('DNS sections')}
        tabs={[
          { id: 'zones', label: t('Zones'), content: () => <Zones onAdd={denial === undefined ? open : undefined} /> },
          { id: 'reverse', label: t('Reverse DNS'), content: () => <ReverseDnsTab /> },
          ...(withdrawn.length > 0
            ? [{ id: 'withdrawn', label: t('Withdrawn zones'), content: () => <WithdrawnZones zones={withdrawn} /> }]
            : []),
        ]}
      />
      <Modal opened={isAdding} onClose={close} title={t('New zone')} centered>
        <AddZoneForm close={close} />
      </Modal>
    </Page>
  );
}

function Zones({ onAdd }: { onAdd: (() => void) | undefined }): JSX.Element {
  const zones = useRead('zoneList', {});
  return (
    <QueryResult query={zones} lines={8}>
      {(all) =>
        all.length > 0 ? (
          <ZoneList zones={all} />
        ) : (
          <EmptyState icon="dns" title={t('No zones yet')}>
            <Stack gap="sm" align="center">
              {t('Add a zone for your domain, then set our name servers at your domain registrar.')}
              {onAdd !== undefined && (
                <Button variant="light" onClick={onAdd}>
                  {t('Add your first zone')}
                </Button>
              )}
            </Stack>
          </EmptyState>
        )
      }
    </QueryResult>
  );
}

function ReverseDnsTab(): JSX.Element {
  const denial = useScopeDenial()('device:read');
  const [service, setService] = useState('');
  const devices = useRead('deviceList', {}, { enabled: denial === undefined });
  return (
    <Stack gap="md">
      <Dimmed>{t('Reverse DNS (PTR): the hostname returned for an IP address. Most mail servers require it.')}</Dimmed>
      {devices.data !== undefined && (
        <NativeSelect
          label={t('Server')}
          maw={420}
          value={service}
          onChange={(event) => setService(event.currentTarget.value)}
          data={[
            { value: '', label: t('All servers') },
            ...devices.data.map((device) => ({
              value: String(device.service),
              label: t('{hostname} (service {service})', { hostname: device.hostname, service: device.service }),
            })),
          ]}
        />
      )}
      <ReverseDnsList key={service} service={service === '' ? undefined : service} heightAbovePx={410} />
    </Stack>
  );
}
