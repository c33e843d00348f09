// The legend of a traffic graph.
import { Group, Text } from '@mantine/core';
import type { JSX } from 'react';
import { rateText } from './traffic-units.ts';
import type { TrafficColours } from './traffic-colours.ts';
import { t } from '../text/text.ts';

export interface TrafficLegendProps {
  readonly colours: TrafficColours;
  readonly percentile: number;
  readonly committed: number;
  readonly hasAttacks: boolean;
}

export function TrafficLegend({ colours, percentile, committed, hasAttacks }: TrafficLegendProps): JSX.Element {
  return (
    <Group gap="md" style={{ rowGap: 2 }}>
      <LegendEntry colour={colours.inward} name={t('In')} />
      <LegendEntry colour={colours.outward} name={t('Out')} />
      <LegendEntry colour={colours.percentile} name={t('95th percentile')} value={rateText(percentile)} isLine />
      {committed > 0 && (
        <LegendEntry colour={colours.committed} name={t('Committed')} value={rateText(committed)} isLine />
      )}
      {hasAttacks && <LegendEntry colour={colours.attack} name={t('Attack')} />}
    </Group>
  );
}

export interface LegendEntryProps {
  readonly colour: string;
  readonly name: string;
  readonly value?: string | undefined;
  readonly isLine?: true;
}

export function LegendEntry({ colour, name, value, isLine }: LegendEntryProps): JSX.Element {
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
