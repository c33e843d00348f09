// The records of a zone, with filter, sorting and inline editing.
import { Group, NativeSelect, Stack, Text } from '@mantine/core';
import { FilterInput } from '../../parts/filter-input.tsx';
import { useHotkeys } from '@mantine/hooks';
import { useCallback, useDeferredValue, useMemo, useState, type JSX } from 'react';
import type { Zone, ZoneRecord } from '#sdk/v2.ts';
import { useScopeDenial } from '../../data/identity.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { toggleSort, VirtualTable, type VirtualColumn } from '../../parts/virtual-table.tsx';
import { formatNumber, t } from '../../text/text.ts';
import { AddRecordForm } from './add-record-form.tsx';
import { recordCountText } from './record-count.ts';
import { DeleteRecordsDialog } from './delete-records-dialog.tsx';
import {
  filterRecords,
  deletionBlockedReason,
  sortRecords,
  countTypes,
  type RecordColumn,
  type RecordOrder,
} from './record-order.ts';
import { RecordSelection } from './record-selection.tsx';
import { RecordRow, type EditableCell } from './record-row.tsx';

const columns = [
  { key: 'select', label: '', width: '20px' },
  { key: 'name', label: t('Name'), width: 'minmax(120px, 1.2fr)' },
  { key: 'type', label: t('Type'), width: '72px' },
  { key: 'content', label: t('Content'), width: 'minmax(200px, 2.6fr)' },
  { key: 'ttl', label: 'TTL', width: '104px', isNumber: true },
  { key: 'actions', label: '', width: '68px' },
] as const satisfies readonly VirtualColumn<RecordColumn | 'select' | 'actions'>[];
const sortable = ['name', 'type', 'content', 'ttl'] as const;
const phone = {
  columns: '24px minmax(0, 1fr) auto 68px',
  areas: '"select name type actions" "select content content ttl"',
};
const rowHeightPx = { desktop: 38, phone: 74 };
const recordId = ({ id }: ZoneRecord): string => id;

interface Editing {
  readonly id: string;
  readonly cell: EditableCell;
  readonly state: 'editing' | 'closed';
}

export function RecordTable({ zone, records }: { zone: Zone; records: readonly ZoneRecord[] }): JSX.Element {
  const readOnly = useScopeDenial()('dns:write');
  const [isAdding, setAdding] = useState(false);
  const [text, setText] = useState('');
  const [type, setType] = useState('');
  const [order, setOrder] = useState<RecordOrder>({ by: 'name', direction: 'ascending' });
  const [editing, setEditing] = useState<Editing>();
  const [recordToDelete, setRecordToDelete] = useState<ZoneRecord>();
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<string>>(new Set());
  const query = useDeferredValue(text);
  useHotkeys([['n', () => readOnly === undefined && setAdding(true)]]);

  const sorted = useMemo(() => sortRecords(zone.name, records, order), [zone.name, records, order]);
  const rows = useMemo(() => filterRecords(sorted, { text: query, type }), [sorted, query, type]);
  const types = useMemo(() => countTypes(records), [records]);
  const nameServers = useMemo(() => records.filter((record) => record.type === 'NS'), [records]);
  const selected = useMemo(() => records.filter(({ id }) => selectedIds.has(id)), [records, selectedIds]);
  const toggle = useCallback((id: string): void => {
    setSelectedIds(
      (current) => new Set(current.has(id) ? [...current].filter((other) => other !== id) : [...current, id]),
    );
  }, []);
  const edit = useCallback((id: string, cell: EditableCell | undefined): void => {
    setEditing((current) =>
      cell === undefined
        ? current?.id === id
          ? { id, cell: current.cell, state: 'closed' }
          : current
        : { id, cell, state: 'editing' },
    );
  }, []);

  return (
    <Stack gap="sm">
      <Group gap="xs">
        <FilterInput label={t('Filter records')} placeholder={t('Name or content')} value={text} onChange={setText} />
        <NativeSelect
          aria-label={t('Record type')}
          value={type}
          onChange={(event) => setType(event.currentTarget.value)}
          data={[
            { value: '', label: t('All types') },
            ...types.map(([value, count]) => ({ value, label: `${value} (${formatNumber(count)})` })),
          ]}
        />
        <Text size="sm" c="dimmed" className="numbers" role="status" style={{ flex: '1 1 auto' }}>
          {rows.length === records.length
            ? recordCountText(records.length)
            : t('{count} of {records}', { count: formatNumber(rows.length), records: recordCountText(records.length) })}
        </Text>
        <ActionButton icon="plus" disabledReason={readOnly} onClick={() => setAdding(true)}>
          {t('New record')}
        </ActionButton>
      </Group>
      {isAdding && <AddRecordForm zone={zone} close={() => setAdding(false)} />}
      <VirtualTable
        label={t('Records of {name}', { name: zone.name })}
        columns={columns}
        phone={phone}
        rowHeightPx={rowHeightPx}
        rows={rows}
        rowKey={recordId}
        sort={order}
        sortable={sortable}
        onSort={(by) => setOrder(toggleSort(order, by as RecordColumn))}
        pinnedKey={editing?.state === 'editing' ? editing.id : undefined}
        heightAbovePx={275 + (isAdding ? 110 : 0) + (selected.length > 0 ? 56 : 0)}
        emptyText={t('No records match')}
      >
        {(record) => (
          <RecordRow
            zone={zone.name}
            record={record}
            readOnly={readOnly}
            deletionBlocked={deletionBlockedReason(zone.name, nameServers, [record])}
            isSelected={selectedIds.has(record.id)}
            edited={editing?.id === record.id && editing.state === 'editing' ? editing.cell : undefined}
            lastEdited={editing?.id === record.id && editing.state === 'closed' ? editing.cell : undefined}
            onEdit={edit}
            onSelect={toggle}
            onDelete={setRecordToDelete}
          />
        )}
      </VirtualTable>
      {selected.length > 0 && (
        <RecordSelection
          zone={zone}
          selected={selected}
          visible={rows}
          nameServers={nameServers}
          select={setSelectedIds}
        />
      )}
      <DeleteRecordsDialog
        zone={zone}
        records={recordToDelete === undefined ? [] : [recordToDelete]}
        close={() => setRecordToDelete(undefined)}
      />
    </Stack>
  );
}
