// The page of a zone: records, import, history and DNSSEC.
import { Anchor, Code, Group } from '@mantine/core';
import { Link, useLocation, useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useState, type JSX } from 'react';
import type { Zone } from '#sdk/v2.ts';
import { useRead } from '../../data/operations.ts';
import { useScopeDenial } from '../../data/identity.ts';
import { customerApi } from '../../data/session.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { DownloadButton } from '../../parts/download-button.tsx';
import { EmptyCard, QueryResult } from '../../parts/query-result.tsx';
import { Page } from '../../parts/page.tsx';
import { HashTabs } from '../../parts/hash-tabs.tsx';
import { t } from '../../text/text.ts';
import { RecordTable } from './record-table.tsx';
import { DelegationAlert, DelegationBadge } from './delegation.tsx';
import { DeleteZoneDialog } from './delete-zone-dialog.tsx';
import { asciiName, unicodeName } from './unicode-name.ts';
import { ZoneDnssec } from './zone-dnssec.tsx';
import { ZoneHistory } from './zone-history.tsx';
import { ZoneImport } from './zone-import.tsx';

export function ZonePage(): JSX.Element {
  const { domain } = useParams({ from: '/layout/dns/$domain' });
  const zones = useRead('zoneList', {});
  return (
    <QueryResult query={zones} lines={10}>
      {(all) => {
        const zone = all.find(({ name }) => name === asciiName(domain));
        if (zone !== undefined) return <ZoneDetails key={zone.domain_id} zone={zone} />;
        const linked = all.find(({ domain_id }) => domain_id === domain);
        return linked === undefined ? <ZoneNotFound /> : <RedirectToName zone={linked} />;
      }}
    </QueryResult>
  );
}

/** Links from before zones had readable addresses have the id. */
function RedirectToName({ zone: { name } }: { zone: Zone }): null {
  const { hash } = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    void navigate({ to: '/dns/$domain', params: { domain: name }, hash, replace: true });
  }, [navigate, name, hash]);
  return null;
}

function ZoneDetails({ zone }: { zone: Zone }): JSX.Element {
  const denial = useScopeDenial()('dns:write');
  const navigate = useNavigate();
  const [zoneToDelete, setZoneToDelete] = useState<Zone>();
  return (
    <Page
      breadcrumbs={[{ label: 'DNS', to: '/dns' }]}
      title={unicodeName(zone.name)}
      description={
        <Group gap="sm" mt={4}>
          {unicodeName(zone.name) !== zone.name && <Code>{zone.name}</Code>}
          <DelegationBadge zone={zone} />
        </Group>
      }
      actions={
        <Group gap="xs">
          <DownloadButton
            fileName={`${zone.name}.zone`}
            type="text/dns"
            load={() => customerApi().zoneFileGet({ domain: zone.domain_id })}
            errorTitle={t('Export failed')}
          >
            {t('Export')}
          </DownloadButton>
          <ActionButton variant="default" icon="trash" disabledReason={denial} onClick={() => setZoneToDelete(zone)}>
            {t('Delete')}
          </ActionButton>
          <DeleteZoneDialog
            zone={zoneToDelete}
            close={() => setZoneToDelete(undefined)}
            onDone={() => void navigate({ to: '/dns' })}
          />
        </Group>
      }
    >
      <DelegationAlert zone={zone} />
      <HashTabs
        label={t('Sections of {name}', { name: zone.name })}
        tabs={[
          { id: 'records', label: t('Records'), content: () => <Records zone={zone} /> },
          { id: 'import', label: t('Import'), content: () => <ZoneImport zone={zone} /> },
          { id: 'history', label: t('History'), content: () => <ZoneHistory zone={zone} /> },
          { id: 'dnssec', label: 'DNSSEC', content: () => <ZoneDnssec zone={zone} /> },
        ]}
      />
    </Page>
  );
}

function Records({ zone }: { zone: Zone }): JSX.Element {
  const records = useRead('recordList', { domain: zone.domain_id });
  return (
    <QueryResult query={records} lines={10}>
      {(all) => <RecordTable zone={zone} records={all} />}
    </QueryResult>
  );
}

function ZoneNotFound(): JSX.Element {
  return (
    <Page breadcrumbs={[{ label: 'DNS', to: '/dns' }]} title={t('Zone')}>
      <EmptyCard
        icon="dns"
        title={t('Zone not found')}
        action={
          <Anchor component={Link} to="/dns" size="sm">
            {t('View all zones')}
          </Anchor>
        }
      >
        {t('It may have been deleted.')}
      </EmptyCard>
    </Page>
  );
}
