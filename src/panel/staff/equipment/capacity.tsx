// How much of a hypervisor's memory or disk is used, reserved and free.
import { Card, Progress, Text } from '@mantine/core';
import type { JSX } from 'react';
import { Dimmed } from '../../parts/dimmed.tsx';
import { t } from '../../text/text.ts';

export interface Amount {
  readonly total: string;
  readonly used: string;
  readonly reserved: string;
  readonly free: string;
}

export interface CapacityProps {
  readonly name: string;
  readonly amount: Amount;
  readonly format: (value: string) => string;
}

const nearlyFull = 85;

/** For a table cell: what is free, and a bar if the total is known. */
export function CapacityCell({ name, amount, format }: CapacityProps): JSX.Element {
  if (amount.free === '') return <Dimmed>{t('Unknown')}</Dimmed>;
  return (
    <>
      <Text size="sm" className="numbers">
        {amount.total === ''
          ? t('{free} free', { free: format(amount.free) })
          : t('{free} of {total} free', { free: format(amount.free), total: format(amount.total) })}
      </Text>
      <CapacityBar name={name} amount={amount} />
    </>
  );
}

export function CapacityCard({ name, amount, format }: CapacityProps): JSX.Element {
  return (
    <Card>
      <Dimmed>{name}</Dimmed>
      <Text size="xl" fw={650} className="numbers" component="div">
        {amount.free === '' ? t('Unknown') : t('{free} free', { free: format(amount.free) })}
      </Text>
      <CapacityBar name={name} amount={amount} />
      {amount.free !== '' && (
        <Dimmed className="numbers" mt="xs">
          {t('{used} used, {reserved} reserved, {total} in total', {
            used: format(amount.used),
            reserved: format(amount.reserved),
            total: format(amount.total),
          })}
        </Dimmed>
      )}
    </Card>
  );
}

function CapacityBar({ name, amount: { total, used, reserved } }: Omit<CapacityProps, 'format'>): JSX.Element | null {
  if (total === '' || used === '' || total === '0') return null;
  const share = (value: string): number => Math.min(100, (Number(value) / Number(total)) * 100);
  const usedShare = share(used);
  return (
    <Progress.Root size="sm" mt={4}>
      <Progress.Section
        value={usedShare}
        color={usedShare >= nearlyFull ? 'orange' : 'brand.6'}
        aria-label={t('{name} used', { name })}
      />
      <Progress.Section
        value={Math.min(100 - usedShare, share(reserved))}
        color="gray"
        aria-label={t('{name} reserved', { name })}
      />
    </Progress.Root>
  );
}
