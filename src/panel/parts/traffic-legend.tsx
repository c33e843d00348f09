// The legend of a traffic graph.
import { Group } from '@mantine/core';
import type { JSX } from 'react';
import { rateText } from './traffic-units.ts';
import { seriesColour, type ChartColours } from './chart-colours.ts';
import { LegendEntry } from './chart-legend.tsx';
import { t } from '../text/text.ts';

export interface TrafficLegendProps {
  readonly colours: ChartColours;
  readonly percentile: number;
  readonly committed: number;
  readonly hasAttacks: boolean;
}

export function TrafficLegend({ colours, percentile, committed, hasAttacks }: TrafficLegendProps): JSX.Element {
  return (
    <Group gap="md" style={{ rowGap: 2 }}>
      <LegendEntry colour={seriesColour(colours, 0)} name={t('In')} />
      <LegendEntry colour={seriesColour(colours, 1)} name={t('Out')} />
      <LegendEntry colour={colours.percentile} name={t('95th percentile')} value={rateText(percentile)} isLine />
      {committed > 0 && (
        <LegendEntry colour={colours.committed} name={t('Committed')} value={rateText(committed)} isLine />
      )}
      {hasAttacks && <LegendEntry colour={colours.attack} name={t('Attack')} />}
    </Group>
  );
}
