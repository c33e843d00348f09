// The month of a server so far: its 95th percentile against what the price includes, and what it is going to be.
import { Card, Progress, SimpleGrid, Stack, Text } from '@mantine/core';
import type { JSX } from 'react';
import type { TrafficMonth } from '#sdk/v2.ts';
import { Figure } from '../../parts/figure.tsx';
import { rateText } from '../../parts/amounts.ts';

/** Shares of a commitment, in percent. */
const nearPercent = 85;

export function Month({ month }: { month: TrafficMonth }): JSX.Element {
  const so = Number(month['95pct']);
  const projected = Number(month.projected);
  const committed = Number(month.committed);
  return (
    <Card>
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 2, sm: 4 }}>
          <Figure name="95th percentile this month">{rateText(so)}</Figure>
          <Figure name="Projected for its end">{rateText(projected)}</Figure>
          <Figure name="Included in the price">{committed === 0 ? 'not billed by rate' : rateText(committed)}</Figure>
          <Figure name="Bursts left">
            {month.burstleft} of {month.burstallowed}
          </Figure>
        </SimpleGrid>
        {committed > 0 && <Commitment so={so} projected={projected} committed={committed} />}
        <Text size="xs" c="dimmed">
          A burst is five minutes above {rateText(Number(month.level))}: so many stay unbilled in a month.
        </Text>
      </Stack>
    </Card>
  );
}

export interface CommitmentProps {
  readonly so: number;
  readonly projected: number;
  readonly committed: number;
}

/** How much of what is included is used, in a bar and a sentence. */
export function Commitment({ so, projected, committed }: CommitmentProps): JSX.Element {
  const percent = Math.round((so / committed) * 100);
  const colour = percent > 100 ? 'red' : percent >= nearPercent ? 'orange' : 'teal';
  const text = `${percent}% of the included ${rateText(committed)}`;
  return (
    <div>
      <Progress value={Math.min(100, percent)} color={colour} size="sm" aria-label={text} />
      <Text size="xs" c="dimmed" mt={4}>
        {text}
        {projected > committed && ` · going to be ${rateText(projected - committed)} above it`}
      </Text>
    </div>
  );
}
