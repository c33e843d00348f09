// When staff viewed a customer's account, with a way to end it.
import { Card, Stack } from '@mantine/core';
import type { JSX } from 'react';
import { usePermissionDenial } from '../../data/identity.ts';
import { useStaffChange } from '../../data/operations.ts';
import { useStaffPages } from '../../data/staff-pages.ts';
import { EmptyCard, QueryResult } from '../../parts/query-result.tsx';
import { SupportAccessTable } from '../../parts/support-access-table.tsx';
import { ShowMore } from '../parts/show-more.tsx';
import { t } from '../../text/text.ts';

export function CustomerSupportAccess({ account }: { account: string }): JSX.Element {
  const accesses = useStaffPages('impersonationList', { account });
  const denial = usePermissionDenial()('operator:impersonate');
  const end = useStaffChange('impersonationEnd', { successMessage: t('Support access ended') });
  return (
    <Stack>
      <QueryResult query={accesses} empty={<EmptyCard icon="person" title={t('Nobody has viewed this account')} />}>
        {(all) => (
          <Card padding={0}>
            <SupportAccessTable accesses={all} denial={denial} onEnd={(id) => end.mutateAsync({ id })} />
          </Card>
        )}
      </QueryResult>
      <ShowMore query={accesses} />
    </Stack>
  );
}
