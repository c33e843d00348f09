// The owner's data: an archive of everything about the account, and its erasure.
import type { JSX } from 'react';
import { useRead } from '../data/operations.ts';
import { Page } from '../parts/page.tsx';
import { QueryResult } from '../parts/query-result.tsx';
import { t } from '../text/text.ts';
import { ArchiveCard } from './privacy/archive-card.tsx';
import { ErasureCard } from './privacy/erasure-card.tsx';

const ownerReason = t('Only the owner of the account can do this, signed in with email and password.');

export function PrivacyPage(): JSX.Element {
  const self = useRead('sessionGet', {});
  return (
    <Page title={t('Your data')} description={t('Download everything about your account, or have it erased')}>
      <QueryResult query={self}>
        {({ kind, contact, operator }) => {
          const reason = kind === 'session' && contact === '' && operator === '' ? undefined : ownerReason;
          return (
            <div className="wide columns">
              <ArchiveCard reason={reason} />
              <ErasureCard reason={reason} />
            </div>
          );
        }}
      </QueryResult>
    </Page>
  );
}
