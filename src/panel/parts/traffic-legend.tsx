// The legend of a traffic graph, with the values under the pointer.
import { Group, Text } from '@mantine/core';
import type { JSX } from 'react';
import { rateText } from './traffic-units.ts';
import { Timestamp } from './timestamp.tsx';
import type { TrafficColours } from './traffic-colours.ts';
import type { Traffic } from './traffic-data.ts';
import { t } from '../text/text.ts';

export interface TrafficLegendProps {
  readonly colours: TrafficColours;
  readonly traffic: Traffic;
  readonly point: number | null;
  readonly percentile: number;
  readonly committed: number;
  readonly hasAttacks: boolean;
}

export function TrafficLegend({
  colours,
  traffic,
  point,
  percentile,
  committed,
  hasAttacks,
}: TrafficLegendProps): JSX.Element {
  const valueAtPoint = (rates: readonly (number | null)[]): string | undefined => {
    if (point === null) return undefined;
    const rate = rates[point] ?? null;
    return rate === null ? t('no data') : rateText(rate);
  };
  return (
    <Group gap="md" style={{ rowGap: 2 }}>
      <LegendEntry colour={colours.inward} name={t('In')} value={valueAtPoint(traffic.inRates)} />
      <LegendEntry colour={colours.outward} name={t('Out')} value={valueAtPoint(traffic.outRates)} />
      <LegendEntry colour={colours.percentile} name={t('95th percentile')} value={rateText(percentile)} isLine />
      {committed > 0 && (
        <LegendEntry colour={colours.committed} name={t('Committed')} value={rateText(committed)} isLine />
      )}
      {hasAttacks && <LegendEntry colour={colours.attack} name={t('Attack')} />}
      {point !== null && traffic.starts[point] !== undefined && (
        <Text size="xs" c="dimmed" component="span">
          <Timestamp at={traffic.starts[point]} />
        </Text>
      )}
    </Group>
  );
}

interface LegendEntryProps {
  readonly colour: string;
  readonly name: string;
  readonly value?: string | undefined;
  readonly isLine?: true;
}

function LegendEntry({ colour, name, value, isLine }: LegendEntryProps): JSX.Element {
  const mark =
    isLine === true ? { borderTop: `2px dashed ${colour}` } : { height: 10, borderRadius: 3, background: colour };
  return (
    <Group gap={6} wrap="nowrap">
      <span aria-hidden="true" style={{ width: 14, display: 'inline-block', ...mark }} />
      <Text size="xs" component="span">
        {name}
        {value !== undefined && (
          <Text span inherit fw={600} className="numbers">
            {` ${value}`}
          </Text>
        )}
      </Text>
    </Group>
  );
}
