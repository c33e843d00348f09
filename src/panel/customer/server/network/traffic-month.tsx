// The current month of a server: its 95th percentile against the committed rate, and the projection.
import { Card, Progress, SimpleGrid, Stack } from '@mantine/core';
import type { JSX } from 'react';
import type { TrafficMonth } from '#sdk/v2.ts';
import { Dimmed } from '../../../parts/dimmed.tsx';
import { Figure } from '../../../parts/figure.tsx';
import { rateText } from '../../../parts/traffic-units.ts';
import { t } from '../../../text/text.ts';

/** Percentage of the commitment at which the bar turns orange. */
const nearPercent = 85;

export function TrafficMonthCard({ month }: { month: TrafficMonth }): JSX.Element {
  const percentile = Number(month['95pct']);
  const projected = Number(month.projected);
  const committed = Number(month.committed);
  return (
    <Card>
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 2, sm: 4 }}>
          <Figure name={t('95th percentile this month')}>{rateText(percentile)}</Figure>
          <Figure name={t('Projected month end')}>{rateText(projected)}</Figure>
          <Figure name={t('Committed rate')}>{committed === 0 ? t('None') : rateText(committed)}</Figure>
          <Figure name={t('Free burst intervals this month')}>
            {t('{left} of {allowed} left', { left: month.burstleft, allowed: month.burstallowed })}
          </Figure>
        </SimpleGrid>
        {committed > 0 && <CommitmentBar percentile={percentile} projected={projected} committed={committed} />}
        <Dimmed size="xs">
          {t('A burst interval is five minutes above {rate}.', { rate: rateText(Number(month.level)) })}
        </Dimmed>
      </Stack>
    </Card>
  );
}

export interface CommitmentBarProps {
  readonly percentile: number;
  readonly projected: number;
  readonly committed: number;
}

/** Shows as a bar and as text how much of the commitment is used. */
export function CommitmentBar({ percentile, projected, committed }: CommitmentBarProps): JSX.Element {
  const percent = Math.round((percentile / committed) * 100);
  const colour = percent > 100 ? 'red' : percent >= nearPercent ? 'orange' : 'teal';
  const text = t('{percent}% of the committed {rate}', { percent, rate: rateText(committed) });
  return (
    <div>
      <Progress value={Math.min(100, percent)} color={colour} size="sm" aria-label={text} />
      <Dimmed size="xs" mt={4}>
        {projected > committed
          ? t('{percent}% of the committed {rate} · projected {excess} over', {
              percent,
              rate: rateText(committed),
              excess: rateText(projected - committed),
            })
          : text}
      </Dimmed>
    </div>
  );
}
