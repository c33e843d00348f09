// A plan to choose for a new machine, with its size and price.
import { Card, Chip, Stack, Text } from '@mantine/core';
import type { JSX, ReactNode } from 'react';
import type { Result } from '../../data/operations.ts';
import { HourlyPrice, Money } from '../../parts/money.tsx';
import { memoryText } from '../../parts/traffic-units.ts';
import { rich } from '../../text/rich.ts';
import { t } from '../../text/text.ts';

type Plan = Result<'machineOptions'>['plans'][number];

interface PlanCardProps {
  readonly plan: Plan;
  readonly isChosen: boolean;
}

export function PlanCard({ plan, isChosen }: PlanCardProps): JSX.Element {
  const isFull = plan.locations.length === 0;
  return (
    <Card padding="sm" style={isChosen ? { borderColor: 'var(--mantine-primary-color-filled)' } : {}}>
      <Stack gap={6}>
        <Chip value={plan.name} disabled={isFull} size="sm">
          {plan.name}
        </Chip>
        <Text size="sm">
          {t('{count} vCPU · {memory} memory · {disk} GB disk', {
            count: plan.vcpus,
            memory: memoryText(plan.memorymb),
            disk: plan.diskgb,
          })}
        </Text>
        <Text size="sm" c="dimmed" component="div">
          {isFull ? t('Sold out at the moment') : planPrice(plan)}
        </Text>
      </Stack>
    </Card>
  );
}

export function planPrice({ price, hourly, months }: Plan): ReactNode {
  const amount = <Money amount={price} />;
  if (hourly !== '') return <HourlyPrice hourly={hourly} price={price} />;
  if (months === '1') return rich('{amount} per month', { amount });
  return rich('{amount} for {months} months', { amount, months });
}
