// A table that renders only its visible rows, so that ten thousand scroll like ten. It uses plain elements, because the
// cost of a row is paid on every frame of scrolling. On a phone a row becomes a card.
import { useMediaQuery, usePrevious } from '@mantine/hooks';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useRef, useState, type CSSProperties, type JSX, type ReactNode } from 'react';
import styles from './virtual-table.module.css';

export interface VirtualColumn<Key extends string> {
  readonly key: Key;
  readonly label: string;
  /** A CSS grid track. */
  readonly width: string;
  readonly isNumber?: true;
}

export interface VirtualSort<Key extends string> {
  readonly by: Key;
  readonly direction: 'ascending' | 'descending';
}

/** Sorts by a column, or by the same one in the other direction. */
export function toggleSort<Key extends string>(current: VirtualSort<Key> | undefined, by: Key): VirtualSort<Key> {
  const isAscending = current?.by === by && current.direction === 'ascending';
  return { by, direction: isAscending ? 'descending' : 'ascending' };
}

export interface VirtualTableProps<Row, Key extends string> {
  /** The accessible name. */
  readonly label: string;
  readonly columns: readonly VirtualColumn<Key>[];
  /** Grid columns and areas on a phone, by column key, unless the table is for wide windows only. */
  readonly phone?: { readonly columns: string; readonly areas: string };
  readonly rowHeightPx: { readonly desktop: number; readonly phone?: number };
  /** Measures each row instead of using `rowHeightPx`, which is slower. */
  readonly hasVariableHeights?: true;
  readonly rows: readonly Row[];
  /** Must be a stable function, because rows are memoized by it. */
  readonly rowKey: (row: Row) => string;
  /**
   * Renders the cells of a row in the order of the columns, each a `VirtualCell`. While rows pass too fast to be read,
   * those that come into view may be simpler (`useIsReadable`).
   */
  readonly children: (row: Row, isPassing: boolean) => ReactNode;
  readonly sort?: VirtualSort<Key>;
  readonly sortable?: readonly Key[];
  readonly onSort?: (by: Key) => void;
  /** A row that stays rendered when it is out of view, such as one being edited. */
  readonly pinnedKey?: string | undefined;
  /** Height of the page above the table, so that the page itself does not scroll. */
  readonly heightAbovePx?: number;
  readonly minWidthPx?: number;
  readonly emptyText?: ReactNode;
}

/** More rows that come into view at once, as when the scroll bar is dragged, cannot be read. */
const maxReadableRows = 4;

/** Returns false for a row that came into view while rows passed, until they stop. */
export function useIsReadable(isPassing: boolean): boolean {
  const [isReadable, setReadable] = useState(!isPassing);
  if (!isReadable && !isPassing) setReadable(true);
  return isReadable;
}

/** Returns true at the widths at which a row becomes a card. */
export function useIsPhone(): boolean {
  return useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
}

export function VirtualTable<Row, Key extends string>(props: VirtualTableProps<Row, Key>): JSX.Element {
  const { label, columns, phone, rowHeightPx, rows, rowKey, children, pinnedKey, emptyText } = props;
  const frame = useRef<HTMLDivElement>(null);
  const isPhone = useIsPhone();
  const rowPx = (isPhone ? rowHeightPx.phone : undefined) ?? rowHeightPx.desktop;
  const pinnedIndex = pinnedKey === undefined ? -1 : rows.findIndex((row) => rowKey(row) === pinnedKey);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowPx,
    getItemKey: useCallback((index: number) => rowKey(rows[index]!), [rows, rowKey]),
    rangeExtractor: (range) => {
      const visible = defaultRangeExtractor(range);
      if (pinnedIndex < 0 || visible.includes(pinnedIndex)) return visible;
      return [...visible, pinnedIndex].toSorted((a, b) => a - b);
    },
    overscan: 6,
  });
  const firstIndex = virtual.range?.startIndex ?? 0;
  const previousFirstIndex = usePrevious(firstIndex) ?? 0;
  const isPassing = virtual.isScrolling && Math.abs(firstIndex - previousFirstIndex) > maxReadableRows;
  // A row returns to its usual height after editing.
  useEffect(() => virtual.measure(), [virtual, rowPx, pinnedKey]);

  const cssVariables = {
    '--table-columns': columns.map(({ width }) => width).join(' '),
    '--table-phone-columns': phone?.columns,
    '--table-phone-areas': phone?.areas,
    ...Object.fromEntries(columns.map(({ key }, index) => [`--table-area-${index + 1}`, key])),
    '--table-row': `${rowPx}px`,
    ...(props.heightAbovePx === undefined ? {} : { '--table-above': `${props.heightAbovePx}px` }),
    ...(props.minWidthPx === undefined ? {} : { '--table-min-width': `${props.minWidthPx}px` }),
  } as CSSProperties;
  return (
    <div ref={frame} className={styles['frame']} style={cssVariables} tabIndex={0} role="region" aria-label={label}>
      <div className={styles['inner']} role="table" aria-label={label} aria-rowcount={rows.length + 1}>
        <div role="rowgroup" className={styles['top']}>
          <Head {...props} />
        </div>
        <div role="rowgroup" className={styles['body']} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, key, start }) => (
            <div
              key={key}
              ref={props.hasVariableHeights === true || index === pinnedIndex ? virtual.measureElement : undefined}
              data-index={index}
              data-pinned={index === pinnedIndex || undefined}
              role="row"
              aria-rowindex={index + 2}
              className={styles['row']}
              style={{ transform: `translateY(${start}px)` }}
            >
              {children(rows[index]!, isPassing)}
            </div>
          ))}
        </div>
      </div>
      {rows.length === 0 && <div className={styles['empty']}>{emptyText}</div>}
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
  readonly isNumber?: boolean;
  /** Shows all of its content instead of one line, such as an input with its error. */
  readonly isMultiline?: boolean;
  readonly className?: string | undefined;
  readonly title?: string;
  readonly children?: ReactNode;
}

export function VirtualCell({ isNumber, isMultiline, className, title, children }: VirtualCellProps): JSX.Element {
  return (
    <div
      role="cell"
      className={cellClass(isNumber === true && styles['number'], isMultiline === true && styles['open'], className)}
      title={title}
    >
      {children}
    </div>
  );
}

function cellClass(...more: (string | false | undefined)[]): string {
  return [styles['cell'], ...more].filter(Boolean).join(' ');
}
