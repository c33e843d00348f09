// Whether a switch or hypervisor responds, and how far its checks lag behind.
import { Alert, Code, Stack, Text } from '@mantine/core';
import type { JSX } from 'react';
import type { Fact } from '../../parts/facts.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import { t } from '../../text/text.ts';
import { Runbook } from '../jobs/runbook.tsx';
import { MountLink } from '../parts/links.tsx';
import { MountBadge } from '../racks/mount-badge.tsx';
import { lagText } from './units.ts';

export interface Condition {
  readonly name: string;
  readonly driver: string;
  readonly state: 'answers' | 'silent' | 'unseen';
  readonly error: string;
  readonly errortext: string;
  readonly seen: string;
  readonly lag: string;
  readonly rack: string;
  readonly unit: string;
}

export function ConditionBadge({ state }: Pick<Condition, 'state'>): JSX.Element {
  return <MountBadge state={state} />;
}

export function conditionFacts({ name, driver, state, seen, lag, rack, unit }: Condition): Fact[] {
  return [
    [t('Status'), <ConditionBadge key="state" state={state} />],
    [t('Driver'), driver],
    [t('Last seen'), <Timestamp key="seen" at={seen} isRelative fallback={t('Never')} />],
    [t('Lag'), lag === '0' ? '—' : lagText(Number(lag))],
    [t('Position'), rack === '' ? '' : <MountLink key="rack" name={name}>{`${rack}, U${unit}`}</MountLink>],
  ];
}

/** Shows nothing if the last check succeeded. */
export function ConditionAlert({ error, errortext, seen }: Condition): JSX.Element | null {
  if (error === '') return null;
  return (
    <Alert color="red" variant="light" title={t('Not responding')}>
      <Stack gap={4}>
        <Text size="sm">
          {seen === '' ? t('It has never responded.') : t('These figures are from before it stopped responding.')}
        </Text>
        <Code className="wrap-anywhere">{errortext === '' ? error : errortext}</Code>
        <Runbook page="HostyardEquipmentDown" />
      </Stack>
    </Alert>
  );
}
