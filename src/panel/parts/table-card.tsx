// A table on a card. On a phone it scrolls inside its card; the page does not.
import { Card, Table, type TableProps } from '@mantine/core';
import type { JSX, ReactNode } from 'react';

export interface Column {
  readonly label: string;
  /** Numbers stand at the right, below each other. */
  readonly isNumber?: boolean;
  readonly width?: number | string;
}

export interface TableCardProps extends Omit<TableProps, 'children'> {
  /** What a screen reader calls the table. */
  readonly label: string;
  readonly columns: readonly (Column | string)[];
  readonly minWidth: number;
  readonly children: ReactNode;
}

export function TableCard({ label, columns, minWidth, children, ...props }: TableCardProps): JSX.Element {
  return (
    <Card padding={0}>
      <div style={{ overflowX: 'auto' }} tabIndex={0} role="region" aria-label={label}>
        <Table miw={minWidth} horizontalSpacing="md" highlightOnHover aria-label={label} {...props}>
          <Table.Thead>
            <Table.Tr>
              {columns
                .map((column) => (typeof column === 'string' ? { label: column } : column) as Column)
                .map(({ label: name, isNumber, width }) => (
                  <Table.Th key={name} ta={isNumber === true ? 'right' : undefined} w={width}>
                    {name}
                  </Table.Th>
                ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>{children}</Table.Tbody>
        </Table>
      </div>
    </Card>
  );
}
