// The figures of a traffic graph as a table, which is also its accessible alternative.
import { Table } from '@mantine/core';
import type { JSX } from 'react';
import { Dimmed } from './dimmed.tsx';
import { bytesText, rateText } from './traffic-units.ts';
import type { Summary } from './traffic-data.ts';

export function TrafficFigures({ summary, hasAttacks }: { summary: Summary; hasAttacks: boolean }): JSX.Element {
  const rows = [
    ['In', summary.in],
    ['Out', summary.out],
  ] as const;
  return (
    <>
      <div style={{ overflowX: 'auto' }} tabIndex={0} role="region" aria-label="Traffic figures">
        <Table miw={460} className="numbers" aria-label="Traffic figures" verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Direction</Table.Th>
              <Table.Th ta="right">Average</Table.Th>
              <Table.Th ta="right">Peak</Table.Th>
              <Table.Th ta="right">95th percentile</Table.Th>
              <Table.Th ta="right">Total</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(([name, figures]) => (
              <Table.Tr key={name}>
                <Table.Th scope="row">{name}</Table.Th>
                <Table.Td ta="right">{rateText(figures.average)}</Table.Td>
                <Table.Td ta="right">{rateText(figures.peak)}</Table.Td>
                <Table.Td ta="right">{rateText(figures.percentile)}</Table.Td>
                <Table.Td ta="right">{bytesText(figures.bytes)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
      <Dimmed size="xs">
        95th percentile of {summary.ranked.toLocaleString()} five-minute intervals
        {summary.unknown > 0 && `; ${summary.unknown.toLocaleString()} without data are excluded`}.
        {hasAttacks && ' Attacks are included here; billing treats them according to the provider’s policy.'}
      </Dimmed>
    </>
  );
}
