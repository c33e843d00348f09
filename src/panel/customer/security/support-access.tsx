// When the provider's staff viewed this account, with a way to end it.
import { Text } from '@mantine/core';
import type { JSX } from 'react';
import { useScopeDenial } from '../../data/identity.ts';
import { useChange } from '../../data/operations.ts';
import { usePages } from '../../data/pages.ts';
import { LoadOlder } from '../../parts/load-older.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { SupportAccessTable } from '../../parts/support-access-table.tsx';
import { t } from '../../text/text.ts';
import { SignInMethodCard } from './sign-in-method-card.tsx';

export function SupportAccessCard(): JSX.Element {
  const accesses = usePages('supportAccessList', {});
  const denial = useScopeDenial()('account:keys');
  const end = useChange('supportAccessEnd', { successMessage: t('Support access ended') });
  return (
    <SignInMethodCard
      title={t('Support access')}
      description={t(
        'The provider’s staff can view your account for up to an hour, to help you. They cannot change anything.',
      )}
    >
      <QueryResult query={accesses} lines={2} empty={<Text size="sm">{t('Nobody has viewed your account')}</Text>}>
        {(all) => (
          <>
            <SupportAccessTable accesses={all} denial={denial} onEnd={(id) => end.mutateAsync({ id })} />
            <LoadOlder query={accesses} />
          </>
        )}
      </QueryResult>
    </SignInMethodCard>
  );
}
