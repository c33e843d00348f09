// The zones of the account, with search. The DNSSEC state of a zone is loaded when its row becomes visible.
import { Anchor, Badge, Group, Text } from '@mantine/core';
import { Dimmed } from '../../parts/dimmed.tsx';
import { FilterInput } from '../../parts/filter-input.tsx';
import { Link } from '@tanstack/react-router';
import { useMemo, useState, type JSX } from 'react';
import { HostyardError, type Zone } from '#sdk/v2.ts';
import { useRead } from '../../data/operations.ts';
import { useScopeDenial } from '../../data/identity.ts';
import { DeleteIconButton } from '../../parts/inline-edit.tsx';
import { VirtualCell, VirtualTable, type VirtualColumn } from '../../parts/virtual-table.tsx';
import { formatNumber, t, tCount } from '../../text/text.ts';
import { unicodeName } from './unicode-name.ts';
import { DeleteZoneDialog } from './delete-zone-dialog.tsx';

const allColumns = [
  { key: 'name', label: t('Zone'), width: 'minmax(180px, 1fr)' },
  { key: 'dnssec', label: 'DNSSEC', width: '120px' },
  { key: 'id', label: 'ID', width: '90px', isNumber: true },
  { key: 'actions', label: '', width: '44px' },
] as const satisfies readonly VirtualColumn<string>[];
const phone = { columns: 'minmax(0, 1fr) auto auto auto', areas: '"name dnssec id actions"' };
const rowHeightPx = { desktop: 44, phone: 52 };
const idOf = ({ domain_id }: Zone): string => domain_id;
const collator = new Intl.Collator('en', { numeric: true });

export function ZoneList({ zones }: { zones: readonly Zone[] }): JSX.Element {
  const denial = useScopeDenial()('dns:write');
  const [text, setText] = useState('');
  const [zoneToDelete, setZoneToDelete] = useState<Zone>();
  const sorted = useMemo(() => zones.toSorted((left, right) => collator.compare(left.name, right.name)), [zones]);
  const rows = useMemo(() => {
    const query = text.trim().toLowerCase();
    if (query === '') return sorted;
    return sorted.filter(({ name }) => name.includes(query) || unicodeName(name).includes(query));
  }, [sorted, text]);
  const isDnssecSupported = useIsDnssecSupported(sorted[0]!);
  const columns = isDnssecSupported ? allColumns : allColumns.filter(({ key }) => key !== 'dnssec');
  return (
    <>
      <Group gap="xs" mb="sm">
        <FilterInput label={t('Search zones')} placeholder={t('Search zones…')} value={text} onChange={setText} />
        <Text size="sm" c="dimmed" className="numbers" role="status">
          {rows.length === zones.length
            ? tCount(zones.length, { one: '{count} zone', other: '{count} zones' })
            : tCount(
                zones.length,
                { one: '{matching} of {count} zone', other: '{matching} of {count} zones' },
                { matching: formatNumber(rows.length) },
              )}
        </Text>
      </Group>
      <VirtualTable
        label={t('Zones')}
        columns={columns}
        phone={phone}
        rowHeightPx={rowHeightPx}
        rows={rows}
        rowKey={idOf}
        heightAbovePx={310}
        emptyText={t('No zones match')}
      >
        {(zone) => (
          <>
            <VirtualCell>
              <Anchor
                fw={600}
                size="sm"
                // High enough for a finger.
                display="inline-block"
                py={3}
                renderRoot={(props) => <Link to="/dns/$domain" params={{ domain: zone.name }} {...props} />}
              >
                {unicodeName(zone.name)}
              </Anchor>
              {unicodeName(zone.name) !== zone.name && (
                <Dimmed span size="xs" ml={8}>
                  {zone.name}
                </Dimmed>
              )}
            </VirtualCell>
            {isDnssecSupported && (
              <VirtualCell>
                <SignedBadge zone={zone} />
              </VirtualCell>
            )}
            <VirtualCell isNumber>
              <Dimmed span>{zone.domain_id}</Dimmed>
            </VirtualCell>
            <VirtualCell>
              <DeleteIconButton
                label={t('Delete {name}', { name: zone.name })}
                disabledReason={denial}
                onClick={() => setZoneToDelete(zone)}
              />
            </VirtualCell>
          </>
        )}
      </VirtualTable>
      <DeleteZoneDialog zone={zoneToDelete} close={() => setZoneToDelete(undefined)} />
    </>
  );
}

/** Hides the DNSSEC column if the provider's name server cannot sign zones. Checking one zone is enough. */
function useIsDnssecSupported(zone: Zone): boolean {
  const { data, error } = useRead('dnssecGet', { domain: zone.domain_id });
  return (
    data !== undefined || (error !== null && !(error instanceof HostyardError && error.code === 'capability_missing'))
  );
}

function SignedBadge({ zone }: { zone: Zone }): JSX.Element {
  const { data, isError } = useRead('dnssecGet', { domain: zone.domain_id });
  if (data === undefined) return <Dimmed span>{isError ? t('Unknown') : '…'}</Dimmed>;
  return (
    <Badge color={data.status === 'on' ? 'teal' : 'gray'} variant="light" autoContrast>
      {data.status === 'on' ? t('Signed') : t('Not signed')}
    </Badge>
  );
}
