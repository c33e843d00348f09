// A table of as many rows as there are, of which only those in sight are drawn: ten thousand scroll like ten. It is made of plain
// elements, since what a row costs is paid at every frame of a scroll. On a phone a row is a card.
import { useMediaQuery } from '@mantine/hooks';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useRef, type CSSProperties, type JSX, type ReactNode } from 'react';
import styles from './virtual-table.module.css';

export interface VirtualColumn<Key extends string> {
  readonly key: Key;
  readonly label: string;
  /** A track of a CSS grid. */
  readonly width: string;
  readonly isNumber?: true;
}

export interface VirtualSort<Key extends string> {
  readonly by: Key;
  readonly direction: 'ascending' | 'descending';
}

export interface VirtualTableProps<Row, Key extends string> {
  /** What a screen reader calls the table. */
  readonly label: string;
  readonly columns: readonly VirtualColumn<Key>[];
  /** How the cells of a row stand on a phone: the tracks and the areas of a grid, by the keys of the columns. */
  readonly phone: { readonly columns: string; readonly areas: string };
  readonly rowHeightPx: { readonly desk: number; readonly phone: number };
  /** Rows are of these heights, unless they are uneven: then each is measured, which costs. */
  readonly areUneven?: true;
  readonly rows: readonly Row[];
  /** A stable function: it is part of what the rows are remembered by. */
  readonly rowKey: (row: Row) => string;
  /** The cells of a row, each a `VirtualCell`. */
  readonly children: (row: Row) => ReactNode;
  readonly sort?: VirtualSort<Key>;
  /** Columns that can be sorted by. */
  readonly sortable?: readonly Key[];
  readonly onSort?: (by: Key) => void;
  /** A row that stays although it is out of sight, such as one that is being edited. */
  readonly kept?: string | undefined;
  /** What is above the table on its page, so that the page itself need not scroll. */
  readonly abovePx?: number;
  readonly leastWidthPx?: number;
  readonly whenEmpty?: ReactNode;
}

export function VirtualTable<Row, Key extends string>(props: VirtualTableProps<Row, Key>): JSX.Element {
  const { label, columns, phone, rowHeightPx, rows, rowKey, children, kept, whenEmpty } = props;
  const frame = useRef<HTMLDivElement>(null);
  const isPhone = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  const rowPx = isPhone ? rowHeightPx.phone : rowHeightPx.desk;
  const keptIndex = kept === undefined ? -1 : rows.findIndex((row) => rowKey(row) === kept);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowPx,
    getItemKey: useCallback((index: number) => rowKey(rows[index]!), [rows, rowKey]),
    rangeExtractor: (range) => {
      const inSight = defaultRangeExtractor(range);
      if (keptIndex < 0 || inSight.includes(keptIndex)) return inSight;
      return [...inSight, keptIndex].toSorted((one, other) => one - other);
    },
    overscan: 6,
  });
  // What was edited has its usual height again.
  useEffect(() => virtual.measure(), [virtual, rowPx, kept]);

  const measures = {
    '--table-columns': columns.map(({ width }) => width).join(' '),
    '--table-areas': `"${columns.map(({ key }) => key).join(' ')}"`,
    '--table-phone-columns': phone.columns,
    '--table-phone-areas': phone.areas,
    '--table-row': `${rowPx}px`,
    ...(props.abovePx === undefined ? {} : { '--table-above': `${props.abovePx}px` }),
    ...(props.leastWidthPx === undefined ? {} : { '--table-least': `${props.leastWidthPx}px` }),
  } as CSSProperties;
  return (
    <div ref={frame} className={styles['frame']} style={measures} tabIndex={0} role="region" aria-label={label}>
      <div className={styles['inner']} role="table" aria-label={label} aria-rowcount={rows.length + 1}>
        <div role="rowgroup" className={styles['top']}>
          <Head {...props} />
        </div>
        <div role="rowgroup" className={styles['body']} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, key, start }) => (
            <div
              key={key}
              ref={props.areUneven === true || index === keptIndex ? virtual.measureElement : undefined}
              data-index={index}
              data-kept={index === keptIndex || undefined}
              role="row"
              aria-rowindex={index + 2}
              className={styles['row']}
              style={{ transform: `translateY(${start}px)` }}
            >
              {children(rows[index]!)}
            </div>
          ))}
        </div>
      </div>
      {rows.length === 0 && <div className={styles['empty']}>{whenEmpty}</div>}
    </div>
  );
}

function Head<Row, Key extends string>({
  columns,
  sort,
  sortable = [],
  onSort,
}: VirtualTableProps<Row, Key>): JSX.Element {
  const arrow = (key: Key): ReactNode =>
    sort?.by === key && (
      <span aria-hidden="true" className={styles['arrow']}>
        {sort.direction === 'ascending' ? '↑' : '↓'}
      </span>
    );
  return (
    <div role="row" aria-rowindex={1} className={styles['head']}>
      {columns.map(({ key, label, isNumber }) => (
        <div
          key={key}
          role="columnheader"
          className={cellClass(isNumber === true && styles['number'])}
          style={{ gridArea: key }}
          {...(sort?.by === key ? { 'aria-sort': sort.direction } : {})}
        >
          {sortable.includes(key) ? (
            <button type="button" className={styles['sort']} onClick={() => onSort?.(key)}>
              {isNumber === true && arrow(key)}
              {label}
              {isNumber !== true && arrow(key)}
            </button>
          ) : (
            label
          )}
        </div>
      ))}
    </div>
  );
}

export interface VirtualCellProps {
  /** The key of its column. */
  readonly at: string;
  readonly isNumber?: boolean;
  /** Shows all of its content, such as an input with its error, instead of one line. */
  readonly isOpen?: boolean;
  readonly className?: string | undefined;
  readonly title?: string;
  readonly children?: ReactNode;
}

export function VirtualCell({ at, isNumber, isOpen, className, title, children }: VirtualCellProps): JSX.Element {
  return (
    <div
      role="cell"
      className={cellClass(isNumber === true && styles['number'], isOpen === true && styles['open'], className)}
      style={{ gridArea: at }}
      title={title}
    >
      {children}
    </div>
  );
}

function cellClass(...more: (string | false | undefined)[]): string {
  return [styles['cell'], ...more].filter(Boolean).join(' ');
}
