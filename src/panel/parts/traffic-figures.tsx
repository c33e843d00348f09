// The figures of a traffic graph as a table, which is also its accessible alternative.
import { Table } from '@mantine/core';
import type { JSX } from 'react';
import { Dimmed } from './dimmed.tsx';
import { bytesText, rateText } from './traffic-units.ts';
import type { Summary } from './traffic-data.ts';
import { t, tCount } from '../text/text.ts';

export function TrafficFigures({ summary, hasAttacks }: { summary: Summary; hasAttacks: boolean }): JSX.Element {
  const rows: readonly (readonly [name: string, text: (figures: Summary['in']) => string])[] = [
    [t('Average'), ({ average }) => rateText(average)],
    [t('Peak'), ({ peak }) => rateText(peak)],
    [t('95th percentile'), ({ percentile }) => rateText(percentile)],
    [t('Total'), ({ bytes }) => bytesText(bytes)],
  ];
  return (
    <>
      {/* Two columns of figures fit on a phone. */}
      <Table maw={560} className="numbers" aria-label={t('Traffic figures')} verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Td />
            <Table.Th ta="right">{t('In')}</Table.Th>
            <Table.Th ta="right">{t('Out')}</Table.Th>
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
        {tCount(summary.ranked, {
          one: '95th percentile of {count} five-minute interval.',
          other: '95th percentile of {count} five-minute intervals.',
        })}{' '}
        {summary.unknown > 0 &&
          tCount(summary.unknown, {
            one: '{count} interval without data is excluded.',
            other: '{count} intervals without data are excluded.',
          })}{' '}
        {hasAttacks && t('Attacks are included here; billing treats them according to the provider’s policy.')}
      </Dimmed>
    </>
  );
}
