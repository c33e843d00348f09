// A table on a card. On a phone each row becomes a card with the column names in front of the cells.
import { Card, Table, type TableProps } from '@mantine/core';
import type { CSSProperties, JSX, ReactNode } from 'react';
import classes from './table-card.module.css';

export interface Column {
  readonly label: string;
  /** Right-aligned. */
  readonly isNumber?: boolean;
  readonly width?: number | string;
}

export interface PlainTableProps extends Omit<TableProps, 'children' | 'style' | 'className'> {
  /** The accessible name. */
  readonly label: string;
  /** At most eight. */
  readonly columns: readonly (Column | string)[];
  readonly minWidth: number;
  readonly children: ReactNode;
}

export function TableCard(props: PlainTableProps): JSX.Element {
  return (
    <Card padding={0}>
      <PlainTable {...props} />
    </Card>
  );
}

/** The table without the card, for cards with other content. */
export function PlainTable({ label, columns, minWidth, children, ...props }: PlainTableProps): JSX.Element {
  const all = columns.map((column): Column => (typeof column === 'string' ? { label: column } : column));
  const labels = Object.fromEntries(all.map((column, index) => [`--label-${index + 1}`, JSON.stringify(column.label)]));
  const style = { ...labels, '--table-width': `${minWidth}px` } as CSSProperties;
  return (
    <div className={classes['scroll']} tabIndex={0} role="region" aria-label={label}>
      <Table
        className={classes['table']!}
        style={style}
        horizontalSpacing="md"
        highlightOnHover
        aria-label={label}
        {...props}
      >
        <Table.Thead>
          <Table.Tr>
            {all.map(({ label: name, isNumber, width }) => (
              <Table.Th key={name} ta={isNumber === true ? 'right' : undefined} w={width}>
                {name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>{children}</Table.Tbody>
      </Table>
    </div>
  );
}
