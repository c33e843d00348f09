// The changes to a zone, line by line. Every change is also named in words, because colour alone is not accessible.
import { Text } from '@mantine/core';
import type { JSX } from 'react';
import { VirtualCell, VirtualTable, type VirtualColumn } from '../../parts/virtual-table.tsx';
import { t } from '../../text/text.ts';
import { changeKind, type DifferenceRow, type RecordLine } from './difference.ts';
import { relativeName } from './record-names.ts';
import styles from './difference-table.module.css';

const columns = [
  { key: 'kind', label: t('Change'), width: '88px' },
  { key: 'name', label: t('Name'), width: 'minmax(110px, 1fr)' },
  { key: 'type', label: t('Type'), width: '72px' },
  { key: 'content', label: t('Content and TTL'), width: 'minmax(200px, 2.4fr)' },
] as const satisfies readonly VirtualColumn<string>[];
const phone = { columns: '84px minmax(0, 1fr) auto', areas: '"kind name type" "content content content"' };
const kindLabels = { added: t('Added'), removed: t('Removed'), changed: t('Changed') } as const;
const rowHeightPx = { desktop: 34, phone: 62 };
const keyOf = ({ type, name, before, after }: DifferenceRow): string =>
  `${type} ${name} ${before?.content} ${after?.content}`;

export interface DifferenceTableProps {
  readonly label: string;
  readonly zone: string;
  readonly rows: readonly DifferenceRow[];
  readonly abovePx: number;
}

export function DifferenceTable({ label, zone, rows, abovePx }: DifferenceTableProps): JSX.Element {
  return (
    <VirtualTable
      label={label}
      columns={columns}
      phone={phone}
      rowHeightPx={rowHeightPx}
      hasVariableHeights
      rows={rows}
      rowKey={keyOf}
      heightAbovePx={abovePx}
      emptyText={t('No changes')}
    >
      {(row) => (
        <>
          <VirtualCell className={`${styles['kind']} ${styles[changeKind(row)]}`}>
            {kindLabels[changeKind(row)]}
          </VirtualCell>
          <VirtualCell className={styles['mono']} title={row.name}>
            {relativeName(zone, row.name)}
          </VirtualCell>
          <VirtualCell>
            <Text size="xs" fw={600} c="dimmed" span>
              {row.type}
            </Text>
          </VirtualCell>
          <VirtualCell isMultiline className={styles['lines']}>
            {row.before !== undefined && <Line line={row.before} other={row.after} sign="−" />}
            {row.after !== undefined && <Line line={row.after} other={row.before} sign="+" />}
          </VirtualCell>
        </>
      )}
    </VirtualTable>
  );
}

interface LineProps {
  readonly line: RecordLine;
  readonly other: RecordLine | undefined;
  readonly sign: '−' | '+';
}

/** Shows the TTL only if it changed, or if there is no other side to compare with. */
function Line({ line, other, sign }: LineProps): JSX.Element {
  const showsTtl = other === undefined || other.ttl !== line.ttl;
  return (
    <div className={[styles['line'], styles[sign === '+' ? 'added' : 'removed']].join(' ')} title={line.content}>
      <span aria-hidden="true">{sign} </span>
      {sign === '−' ? <del>{line.content}</del> : <ins>{line.content}</ins>}
      {showsTtl && <span className={styles['ttl']}>TTL {line.ttl}</span>}
    </div>
  );
}
