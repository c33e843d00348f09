// A zone: its records, what a zone file would change, what happened to it, and whether it is signed.
import { Anchor, Group, Text } from '@mantine/core';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState, type JSX } from 'react';
import type { Zone } from '#sdk/v2.ts';
import { useRead } from '../../data/read.ts';
import { useRefusal } from '../../data/who.ts';
import { Act } from '../../parts/act.tsx';
import { Answer } from '../../parts/answer.tsx';
import { Page } from '../../parts/page.tsx';
import { PlaceTabs } from '../../parts/place-tabs.tsx';
import { Icon } from '../../shell/icons.tsx';
import { RecordTable } from './record-table.tsx';
import { ZoneDelete } from './zone-delete.tsx';
import { ZoneDnssec } from './zone-dnssec.tsx';
import { ZoneExport } from './zone-export.tsx';
import { ZoneHistory } from './zone-history.tsx';
import { ZoneImport } from './zone-import.tsx';

export function ZonePage(): JSX.Element {
  const { domain } = useParams({ from: '/within/dns/$domain' });
  const zones = useRead('zoneList', {});
  return (
    <Answer of={zones} lines={10}>
      {(found) => {
        const zone = found.find(({ domain_id }) => domain_id === domain);
        return zone === undefined ? <Gone /> : <Found key={zone.domain_id} zone={zone} />;
      }}
    </Answer>
  );
}

function Found({ zone }: { zone: Zone }): JSX.Element {
  const refusal = useRefusal()('dns:write');
  const navigate = useNavigate();
  const [leaving, setLeaving] = useState<Zone>();
  return (
    <Page
      title={zone.name}
      about={
        <Text size="sm" component="div">
          <Anchor component={Link} to="/dns" inherit underline="always">
            DNS
          </Anchor>{' '}
          / zone {zone.domain_id}
        </Text>
      }
      actions={
        <Group gap="xs">
          <ZoneExport zone={zone} />
          <Act
            variant="default"
            leftSection={<Icon name="trash" size={16} />}
            reason={refusal}
            onClick={() => setLeaving(zone)}
          >
            Delete
          </Act>
          <ZoneDelete zone={leaving} close={() => setLeaving(undefined)} onDone={() => void navigate({ to: '/dns' })} />
        </Group>
      }
    >
      <PlaceTabs
        label={`Parts of ${zone.name}`}
        tabs={[
          { id: 'records', label: 'Records', content: () => <Records zone={zone} /> },
          { id: 'import', label: 'Import', content: () => <ZoneImport zone={zone} /> },
          { id: 'history', label: 'History', content: () => <ZoneHistory zone={zone} /> },
          { id: 'dnssec', label: 'DNSSEC', content: () => <ZoneDnssec zone={zone} /> },
        ]}
      />
    </Page>
  );
}

function Records({ zone }: { zone: Zone }): JSX.Element {
  const records = useRead('recordList', { domain: zone.domain_id });
  return (
    <Answer of={records} lines={10}>
      {(found) => <RecordTable zone={zone} records={found} />}
    </Answer>
  );
}

function Gone(): JSX.Element {
  return (
    <Page title="There is no such zone">
      <Text>
        It was deleted, or it is not yours.{' '}
        <Anchor component={Link} to="/dns" inherit underline="always">
          To your zones
        </Anchor>
      </Text>
    </Page>
  );
}
