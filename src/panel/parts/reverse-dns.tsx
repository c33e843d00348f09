// Reverse DNS of one service or of all, edited inline. All IPv4 addresses are listed. IPv6 networks are too large for
// that, so only addresses with a name are; others can be added.
import { Group, Stack } from '@mantine/core';
import { Dimmed } from './dimmed.tsx';
import { FilterInput } from './filter-input.tsx';
import { useCallback, useMemo, useState, type JSX } from 'react';
import type { AddressNames } from '#sdk/v2.ts';
import { useChange, useRead } from '../data/operations.ts';
import { useScopeDenial } from '../data/identity.ts';
import { ConfirmDialog } from './confirm-button.tsx';
import { FormButton } from './form-button.tsx';
import { QueryResult, EmptyState } from './query-result.tsx';
import { ReverseDnsForm } from './reverse-dns-form.tsx';
import { ReverseDnsRow, type PtrRecord } from './reverse-dns-row.tsx';
import { VirtualTable, type VirtualColumn } from './virtual-table.tsx';
import { t, tCount } from '../text/text.ts';

const columns = [
  { key: 'ip', label: t('Address'), width: 'minmax(150px, 1fr)' },
  { key: 'name', label: t('Reverse DNS'), width: 'minmax(220px, 2fr)' },
  { key: 'actions', label: '', width: '76px' },
] as const satisfies readonly VirtualColumn<string>[];
const phone = { columns: 'minmax(0, 1fr) auto', areas: '"ip actions" "name name"' };
const rowHeightPx = { desktop: 40, phone: 74 };
const rowKey = ({ ip }: PtrRecord): string => ip;
/** The API's placeholder for an address without a name. */
const noRecord = 'No Record Found';
/** Longer lists get a filter. */
const maxUnfiltered = 10;

export interface ReverseDnsListProps {
  /** All services by default. */
  readonly service?: string | number | undefined;
  /** Height of the page above the table. */
  readonly heightAbovePx?: number;
}

/** An IPv6 block without names is one row. */
const isBlock = ({ ip }: PtrRecord): boolean => ip.includes('/');
const blockReason = t('Add the reverse DNS of one of its addresses instead.');

export function ReverseDnsList({ service, heightAbovePx = 330 }: ReverseDnsListProps): JSX.Element {
  const names = useRead('reverseList', { service });
  return (
    <QueryResult query={names} lines={5}>
      {(addressNames) => <ReverseDnsTable names={addressNames} heightAbovePx={heightAbovePx} />}
    </QueryResult>
  );
}

interface Editing {
  readonly ip: string;
  readonly state: 'editing' | 'closed';
}

function ReverseDnsTable({ names, heightAbovePx }: { names: AddressNames; heightAbovePx: number }): JSX.Element {
  const readOnly = useScopeDenial()('dns:write');
  const [text, setText] = useState('');
  const [editing, setEditing] = useState<Editing>();
  const [removing, setRemoving] = useState<PtrRecord>();
  const all = useMemo(
    () => Object.entries(names).map(([ip, name]) => ({ ip, name: name === noRecord ? '' : name })),
    [names],
  );
  const rows = useMemo(() => {
    const query = text.trim().toLowerCase();
    return query === '' ? all : all.filter(({ ip, name }) => `${ip} ${name}`.includes(query));
  }, [all, text]);
  const edit = useCallback((ip: string, state: 'editing' | 'closed'): void => setEditing({ ip, state }), []);
  const remove = useChange('reverseDelete', {
    successMessage: t('Reverse DNS removed'),
    invalidates: ['reverseList', 'netblockList'],
  });
  if (all.length === 0) return <EmptyState icon="address" title={t('No addresses yet')} />;
  return (
    <Stack gap="sm">
      <Group gap="xs" justify="space-between">
        {all.length > maxUnfiltered ? (
          <FilterInput
            label={t('Filter addresses')}
            placeholder={t('Filter by address or name…')}
            value={text}
            onChange={setText}
          />
        ) : (
          <Dimmed className="numbers">
            {tCount(all.length, { one: '{count} address', other: '{count} addresses' })}
          </Dimmed>
        )}
        <FormButton
          variant="default"
          icon="plus"
          title={t('Add IPv6 reverse DNS')}
          disabledReason={readOnly}
          form={(close) => <ReverseDnsForm close={close} />}
        />
      </Group>
      <VirtualTable
        label={t('Reverse DNS')}
        columns={columns}
        phone={phone}
        rowHeightPx={rowHeightPx}
        rows={rows}
        rowKey={rowKey}
        pinnedKey={editing?.state === 'editing' ? editing.ip : undefined}
        heightAbovePx={heightAbovePx}
        emptyText={t('No matching addresses')}
      >
        {(row) => (
          <ReverseDnsRow
            row={row}
            readOnly={isBlock(row) ? blockReason : readOnly}
            editing={editing?.ip === row.ip ? editing.state : undefined}
            onEdit={edit}
            onRemove={setRemoving}
          />
        )}
      </VirtualTable>
      <ConfirmDialog
        confirmation={
          removing && {
            question: t('Remove the reverse DNS of {ip}?', { ip: removing.ip }),
            consequence: t(
              '{ip} will no longer resolve to {name}. Mail servers often reject mail from addresses without reverse DNS.',
              removing,
            ),
            confirmLabel: t('Remove'),
            onConfirm: () => remove.mutateAsync({ ip: removing.ip }),
          }
        }
        close={() => setRemoving(undefined)}
      />
    </Stack>
  );
}
