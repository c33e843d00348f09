// Says once that a person may not see a page or a part of it, in place of the errors of everything on it.
import type { JSX, ReactNode } from 'react';
import type { Scope } from '#contract/scopes.ts';
import { useScopeDenial } from '../data/identity.ts';
import { EmptyCard } from './query-result.tsx';
import { t } from '../text/text.ts';

export function NoAccess({ reason }: { reason: string }): JSX.Element {
  return (
    <EmptyCard icon="key" title={t('You do not have access to this')}>
      {reason} {t('The owner of the account can grant it under Contacts.')}
    </EmptyCard>
  );
}

/** Renders its children only for people who have the permission, so that nothing on it is requested in vain. */
export function RequireScope({ scope, children }: { scope: Scope; children: ReactNode }): ReactNode {
  const denial = useScopeDenial()(scope);
  return denial === undefined ? children : <NoAccess reason={denial} />;
}
