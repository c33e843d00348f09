// Changes that assistants and other programs have planned. None of them runs before someone approves it here.
import { SegmentedControl, Stack } from '@mantine/core';
import { useState, type JSX } from 'react';
import { usePages } from '../data/pages.ts';
import { useRead } from '../data/operations.ts';
import { useScopeDenial } from '../data/identity.ts';
import { EmptyCard, QueryResult } from '../parts/query-result.tsx';
import { Page } from '../parts/page.tsx';
import { LoadOlder } from '../parts/load-older.tsx';
import { t } from '../text/text.ts';
import { ApprovalCard, canBeRejected } from './approvals/approval-card.tsx';

type Filter = 'All' | 'Pending';

/** Expiry and execution emit no events. */
const polling = { refetchMs: 5000, isInProgress: canBeRejected };

export function ApprovalsPage(): JSX.Element {
  const plans = usePages('planGet', {}, polling);
  const [filter, setFilter] = useState<Filter>('All');
  const keyName = useKeyNames();
  return (
    <Page title={t('Approvals')} description={t('Changes that assistants and other programs want to make')}>
      <QueryResult query={plans} lines={6} empty={noPlans}>
        {(all) => {
          const pending = all.filter(({ status }) => status === 'Pending');
          const visible = filter === 'All' ? all : pending;
          return (
            <>
              <SegmentedControl
                value={filter}
                onChange={setFilter}
                data={[
                  { value: 'All', label: t('All') },
                  { value: 'Pending', label: t('Pending {count}', { count: pending.length }) },
                ]}
                aria-label={t('Filter approvals')}
                style={{ alignSelf: 'flex-start' }}
              />
              {visible.length === 0 ? (
                <EmptyCard icon="plan" title={t('No pending approvals')}>
                  {t('Changes that wait for your decision appear here and on the overview.')}
                </EmptyCard>
              ) : (
                <Stack gap="sm">
                  {visible.map((plan) => (
                    <ApprovalCard key={plan.id} plan={plan} keyName={keyName} />
                  ))}
                </Stack>
              )}
              {(visible.length > 0 || plans.hasNextPage) && <LoadOlder query={plans} />}
            </>
          );
        }}
      </QueryResult>
    </Page>
  );
}

const noPlans = (
  <EmptyCard icon="plan" title={t('No approvals yet')}>
    {t(
      'Give an assistant an API key that can propose changes. What it wants to power off, delete or reinstall then appears here for you to approve or reject.',
    )}
  </EmptyCard>
);

/** Returns the name of a key, or its ID if the user may not see keys. */
function useKeyNames(): (id: string) => string {
  const scopeDenial = useScopeDenial();
  const keys = useRead('keyGet', {}, { enabled: scopeDenial('account:keys') === undefined });
  return (id) => {
    const key = keys.data?.find((candidate) => candidate.id === id);
    return key === undefined ? t('API key {value}', { value: id }) : `“${key.name}”`;
  };
}
