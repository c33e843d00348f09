// The records of a zone: found by words and by type, put in order, and edited where they stand.
import { Group, NativeSelect, Stack, Text } from '@mantine/core';
import { FindBox } from '../../parts/find-box.tsx';
import { useHotkeys } from '@mantine/hooks';
import { useCallback, useDeferredValue, useMemo, useState, type JSX } from 'react';
import type { Zone, ZoneRecord } from '#sdk/v2.ts';
import { useRefusal } from '../../data/who.ts';
import { Act } from '../../parts/act.tsx';
import { VirtualTable, type VirtualColumn } from '../../parts/virtual-table.tsx';
import { Icon } from '../../shell/icons.tsx';
import { RecordAdd } from './record-add.tsx';
import { recordCount } from './record-count.ts';
import { RecordDelete } from './record-delete.tsx';
import {
  chosenRecords,
  keptBecause,
  orderedRecords,
  typesAmong,
  type RecordColumn,
  type RecordOrder,
} from './record-order.ts';
import { RecordPicks } from './record-picks.tsx';
import { RecordRow, type EditedCell } from './record-row.tsx';

const columns = [
  { key: 'pick', label: '', width: '20px' },
  { key: 'name', label: 'Name', width: 'minmax(120px, 1.2fr)' },
  { key: 'type', label: 'Type', width: '72px' },
  { key: 'content', label: 'Content', width: 'minmax(200px, 2.6fr)' },
  { key: 'ttl', label: 'TTL', width: '104px', isNumber: true },
  { key: 'actions', label: '', width: '68px' },
] as const satisfies readonly VirtualColumn<RecordColumn | 'pick' | 'actions'>[];
const sortable = ['name', 'type', 'content', 'ttl'] as const;
const phone = {
  columns: '24px minmax(0, 1fr) auto 68px',
  areas: '"pick name type actions" "pick content content ttl"',
};
const rowHeightPx = { desk: 38, phone: 74 };
const idOf = ({ id }: ZoneRecord): string => id;

interface Editing {
  readonly id: string;
  readonly cell: EditedCell;
  readonly state: 'open' | 'left';
}

export function RecordTable({ zone, records }: { zone: Zone; records: readonly ZoneRecord[] }): JSX.Element {
  const readOnly = useRefusal()('dns:write');
  const [isAdding, setAdding] = useState(false);
  const [text, setText] = useState('');
  const [type, setType] = useState('');
  const [order, setOrder] = useState<RecordOrder>({ by: 'name', direction: 'ascending' });
  const [editing, setEditing] = useState<Editing>();
  const [leaving, setLeaving] = useState<ZoneRecord>();
  const [picks, setPicks] = useState<ReadonlySet<string>>(new Set());
  const sought = useDeferredValue(text);
  useHotkeys([['n', () => readOnly === undefined && setAdding(true)]]);

  const ordered = useMemo(() => orderedRecords(zone.name, records, order), [zone.name, records, order]);
  const rows = useMemo(() => chosenRecords(ordered, { text: sought, type }), [ordered, sought, type]);
  const types = useMemo(() => typesAmong(records), [records]);
  const nameServers = useMemo(() => records.filter((record) => record.type === 'NS'), [records]);
  const picked = useMemo(() => records.filter(({ id }) => picks.has(id)), [records, picks]);
  const pick = useCallback((id: string): void => {
    setPicks((before) => new Set(before.has(id) ? [...before].filter((each) => each !== id) : [...before, id]));
  }, []);
  const edit = useCallback((id: string, cell: EditedCell | undefined): void => {
    setEditing((before) =>
      cell === undefined
        ? before?.id === id
          ? { id, cell: before.cell, state: 'left' }
          : before
        : { id, cell, state: 'open' },
    );
  }, []);
  const sortBy = (by: RecordColumn | 'pick' | 'actions'): void => {
    if (by === 'actions' || by === 'pick') return;
    setOrder((before) => ({
      by,
      direction: before.by === by && before.direction === 'ascending' ? 'descending' : 'ascending',
    }));
  };

  return (
    <Stack gap="sm">
      <Group gap="xs">
        <FindBox label="Filter records" placeholder="Filter by name, content…" text={text} onChange={setText} />
        <NativeSelect
          aria-label="Type of records"
          value={type}
          onChange={(event) => setType(event.currentTarget.value)}
          data={[
            { value: '', label: 'All types' },
            ...types.map(([value, count]) => ({ value, label: `${value} (${count.toLocaleString('en-GB')})` })),
          ]}
        />
        <Text size="sm" c="dimmed" className="numbers" role="status" style={{ flex: '1 1 auto' }}>
          {rows.length === records.length
            ? recordCount(records.length)
            : `${count(rows.length)} of ${recordCount(records.length)}`}
        </Text>
        <Act leftSection={<Icon name="plus" size={16} />} reason={readOnly} onClick={() => setAdding(true)}>
          New record
        </Act>
      </Group>
      {isAdding && <RecordAdd zone={zone} close={() => setAdding(false)} />}
      <VirtualTable
        label={`Records of ${zone.name}`}
        columns={columns}
        phone={phone}
        rowHeightPx={rowHeightPx}
        rows={rows}
        rowKey={idOf}
        sort={order}
        sortable={sortable}
        onSort={sortBy}
        kept={editing?.state === 'open' ? editing.id : undefined}
        abovePx={275 + (isAdding ? 110 : 0) + (picked.length > 0 ? 56 : 0)}
        whenEmpty="No record matches."
      >
        {(record) => (
          <RecordRow
            zone={zone.name}
            record={record}
            readOnly={readOnly}
            kept={keptBecause(zone.name, nameServers, [record])}
            isPicked={picks.has(record.id)}
            edited={editing?.id === record.id && editing.state === 'open' ? editing.cell : undefined}
            left={editing?.id === record.id && editing.state === 'left' ? editing.cell : undefined}
            onEdit={edit}
            onPick={pick}
            onDelete={setLeaving}
          />
        )}
      </VirtualTable>
      {picked.length > 0 && (
        <RecordPicks zone={zone} picked={picked} shown={rows} nameServers={nameServers} pick={setPicks} />
      )}
      <RecordDelete zone={zone} records={leaving === undefined ? [] : [leaving]} close={() => setLeaving(undefined)} />
    </Stack>
  );
}

function count(number: number): string {
  return number.toLocaleString('en-GB');
}
