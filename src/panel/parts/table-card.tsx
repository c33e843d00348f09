// A table on a card. On a phone each row becomes a card with the column names in front of the cells.
import { Card, Table, type TableTdProps } from '@mantine/core';
import type { CSSProperties, JSX, ReactNode } from 'react';
import { useGrowingRows } from './growing-rows.ts';
import { QueryResult, type QueryResultProps } from './query-result.tsx';
import classes from './table-card.module.css';

export interface Column<Row> extends Pick<TableTdProps, 'className' | 'ff' | 'fw' | 'maw' | 'miw'> {
  readonly label: string;
  readonly cell: (row: Row) => ReactNode;
  /** Right-aligned, with digits of equal width. */
  readonly isNumber?: true;
  /** Never wrapped, such as a time. */
  readonly isOneLine?: true;
  readonly width?: number | string;
}

export interface TableProps<Row> {
  /** The accessible name. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  readonly minWidth: number;
}

export type QueryTableProps<Row> = Omit<QueryResultProps<readonly Row[]>, 'children'> &
  Omit<TableProps<Row>, 'rows' | 'rowKey'> & {
    /** The id by default. */
    readonly rowKey?: (row: Row) => string;
  };

/** A list as a table, once it has been loaded. */
export function QueryTable<Row>(props: QueryTableProps<Row>): JSX.Element {
  const { label, columns, minWidth, rowKey = (row) => (row as { readonly id: string }).id, ...result } = props;
  return (
    <QueryResult {...result}>
      {(rows) => <TableCard label={label} columns={columns} rows={rows} rowKey={rowKey} minWidth={minWidth} />}
    </QueryResult>
  );
}

export function TableCard<Row>(props: TableProps<Row>): JSX.Element {
  return (
    <Card padding={0}>
      <PlainTable {...props} />
    </Card>
  );
}

/** The table without the card, for cards with other content. */
export function PlainTable<Row>({ label, columns, rows, rowKey, minWidth }: TableProps<Row>): JSX.Element {
  const { visible, endRef } = useGrowingRows(rows);
  return (
    <div className={classes['scroll']} tabIndex={0} role="region" aria-label={label}>
      <Table
        className={classes['table']!}
        style={{ '--table-width': `${minWidth}px` } as CSSProperties}
        horizontalSpacing="md"
        highlightOnHover
        aria-label={label}
      >
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ label: name, isNumber, width }) => (
              <Table.Th key={name} ta={isNumber === true ? 'right' : undefined} w={width}>
                {name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {visible.map((row) => (
            <Table.Tr key={rowKey(row)}>
              {columns.map((column) => (
                <Cell key={column.label} column={column} row={row} />
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {endRef !== undefined && <div ref={endRef} />}
    </div>
  );
}

function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }): JSX.Element {
  const { label, cell, isNumber, isOneLine, width: _, ...props } = column;
  const style = { '--label': JSON.stringify(label), whiteSpace: isOneLine === true ? 'nowrap' : undefined };
  return (
    <Table.Td
      {...(isNumber === true ? { ta: 'right', className: 'numbers' } : {})}
      {...props}
      style={style as CSSProperties}
    >
      {cell(row)}
    </Table.Td>
  );
}
