// The figures of a traffic graph as a table, which is also its accessible alternative.
import { Table } from '@mantine/core';
import type { JSX } from 'react';
import { Dimmed } from './dimmed.tsx';
import { bytesText, rateText } from './traffic-units.ts';
import type { Summary } from './traffic-data.ts';

export function TrafficFigures({ summary, hasAttacks }: { summary: Summary; hasAttacks: boolean }): JSX.Element {
  const rows: readonly (readonly [name: string, text: (figures: Summary['in']) => string])[] = [
    ['Average', ({ average }) => rateText(average)],
    ['Peak', ({ peak }) => rateText(peak)],
    ['95th percentile', ({ percentile }) => rateText(percentile)],
    ['Total', ({ bytes }) => bytesText(bytes)],
  ];
  return (
    <>
      {/* Two columns of figures fit on a phone. */}
      <Table maw={560} className="numbers" aria-label="Traffic figures" verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Td />
            <Table.Th ta="right">In</Table.Th>
            <Table.Th ta="right">Out</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(([name, text]) => (
            <Table.Tr key={name}>
              <Table.Th scope="row">{name}</Table.Th>
              <Table.Td ta="right">{text(summary.in)}</Table.Td>
              <Table.Td ta="right">{text(summary.out)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Dimmed size="xs">
        95th percentile of {summary.ranked.toLocaleString()} five-minute intervals
        {summary.unknown > 0 && `; ${summary.unknown.toLocaleString()} without data are excluded`}.
        {hasAttacks && ' Attacks are included here; billing treats them according to the provider’s policy.'}
      </Dimmed>
    </>
  );
}
