// What the lines of a traffic graph are, with their values under the pointer.
import { Group, Text } from '@mantine/core';
import type { JSX } from 'react';
import { rateText } from './amounts.ts';
import { Moment } from './moment.tsx';
import type { TrafficColours } from './traffic-colours.ts';
import type { Traffic } from './traffic-data.ts';

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
  const at = (rates: readonly (number | null)[]): string | undefined => {
    if (point === null) return undefined;
    const rate = rates[point] ?? null;
    return rate === null ? 'unknown' : rateText(rate);
  };
  return (
    <Group gap="md" style={{ rowGap: 2 }}>
      <Key colour={colours.inward} name="In" value={at(traffic.inRates)} />
      <Key colour={colours.outward} name="Out" value={at(traffic.outRates)} />
      <Key colour={colours.percentile} name="95th percentile" value={rateText(percentile)} isLine />
      {committed > 0 && <Key colour={colours.committed} name="Committed" value={rateText(committed)} isLine />}
      {hasAttacks && <Key colour={colours.attack} name="Attack" />}
      {point !== null && traffic.starts[point] !== undefined && (
        <Text size="xs" c="dimmed" component="span">
          <Moment at={traffic.starts[point]} />
        </Text>
      )}
    </Group>
  );
}

interface KeyProps {
  readonly colour: string;
  readonly name: string;
  readonly value?: string | undefined;
  readonly isLine?: true;
}

function Key({ colour, name, value, isLine }: KeyProps): JSX.Element {
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
