// The zones of the account, found by a few letters. Whether one is signed is asked for as it comes into sight.
import { Anchor, Badge, Group, Text } from '@mantine/core';
import { FindBox } from '../../parts/find-box.tsx';
import { Link } from '@tanstack/react-router';
import { useMemo, useState, type JSX } from 'react';
import { HostyardError, type Zone } from '#sdk/v2.ts';
import { useRead } from '../../data/read.ts';
import { useRefusal } from '../../data/who.ts';
import styles from '../../parts/in-place.module.css';
import { VirtualCell, VirtualTable, type VirtualColumn } from '../../parts/virtual-table.tsx';
import { Icon } from '../../shell/icons.tsx';
import { ZoneDelete } from './zone-delete.tsx';

const allColumns = [
  { key: 'name', label: 'Zone', width: 'minmax(180px, 1fr)' },
  { key: 'dnssec', label: 'DNSSEC', width: '120px' },
  { key: 'id', label: 'Id', width: '90px', isNumber: true },
  { key: 'actions', label: '', width: '44px' },
] as const satisfies readonly VirtualColumn<string>[];
const phone = { columns: 'minmax(0, 1fr) auto auto auto', areas: '"name dnssec id actions"' };
const rowHeightPx = { desk: 44, phone: 52 };
const idOf = ({ domain_id }: Zone): string => domain_id;
const words = new Intl.Collator('en', { numeric: true });

export function ZoneList({ zones }: { zones: readonly Zone[] }): JSX.Element {
  const refusal = useRefusal()('dns:write');
  const [text, setText] = useState('');
  const [leaving, setLeaving] = useState<Zone>();
  const ordered = useMemo(() => zones.toSorted((one, other) => words.compare(one.name, other.name)), [zones]);
  const rows = useMemo(() => {
    const sought = text.trim().toLowerCase();
    return sought === '' ? ordered : ordered.filter(({ name }) => name.includes(sought));
  }, [ordered, text]);
  const isSignable = useIsSignable(ordered[0]!);
  const columns = isSignable ? allColumns : allColumns.filter(({ key }) => key !== 'dnssec');
  return (
    <>
      <Group gap="xs" mb="sm">
        <FindBox label="Search zones" placeholder="Search zones…" text={text} onChange={setText} />
        <Text size="sm" c="dimmed" className="numbers" role="status">
          {rows.length === zones.length ? zones.length : `${rows.length} of ${zones.length}`}{' '}
          {zones.length === 1 ? 'zone' : 'zones'}
        </Text>
      </Group>
      <VirtualTable
        label="Zones"
        columns={columns}
        phone={phone}
        rowHeightPx={rowHeightPx}
        rows={rows}
        rowKey={idOf}
        abovePx={310}
        whenEmpty="No zone of that name."
      >
        {(zone) => (
          <>
            <VirtualCell at="name">
              <Anchor
                fw={600}
                size="sm"
                renderRoot={(props) => <Link to="/dns/$domain" params={{ domain: zone.domain_id }} {...props} />}
              >
                {zone.name}
              </Anchor>
            </VirtualCell>
            {isSignable && (
              <VirtualCell at="dnssec">
                <Signed zone={zone} />
              </VirtualCell>
            )}
            <VirtualCell at="id" isNumber>
              <Text size="sm" c="dimmed" span>
                {zone.domain_id}
              </Text>
            </VirtualCell>
            <VirtualCell at="actions">
              <button
                type="button"
                className={styles['small']}
                aria-label={`Delete ${zone.name}`}
                {...(refusal === undefined
                  ? { onClick: () => setLeaving(zone) }
                  : { 'aria-disabled': true, 'aria-description': refusal, title: refusal })}
              >
                <Icon name="trash" size={16} />
              </button>
            </VirtualCell>
          </>
        )}
      </VirtualTable>
      <ZoneDelete zone={leaving} close={() => setLeaving(undefined)} />
    </>
  );
}

/** Where the provider's name server signs nothing, no column says so. One zone tells it for all. */
function useIsSignable(zone: Zone): boolean {
  const { data, error } = useRead('dnssecGet', { domain: zone.domain_id });
  return (
    data !== undefined || (error !== null && !(error instanceof HostyardError && error.code === 'capability_missing'))
  );
}

function Signed({ zone }: { zone: Zone }): JSX.Element {
  const { data, isError } = useRead('dnssecGet', { domain: zone.domain_id });
  if (data === undefined)
    return (
      <Text size="sm" c="dimmed" span>
        {isError ? 'unknown' : '…'}
      </Text>
    );
  return (
    <Badge color={data.status === 'on' ? 'teal' : 'gray'} variant="light" autoContrast tt="none">
      {data.status === 'on' ? 'signed' : 'not signed'}
    </Badge>
  );
}
