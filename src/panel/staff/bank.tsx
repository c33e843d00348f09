// The bank: bookings that wait to be assigned, files to hand in, and imported statements.
import type { JSX } from 'react';
import { HashTabs } from '../parts/hash-tabs.tsx';
import { Page } from '../parts/page.tsx';
import { t } from '../text/text.ts';
import { BankEntries } from './bank/entries.tsx';
import { BankFiles } from './bank/files.tsx';
import { BankStatements } from './bank/statements.tsx';

export function BankPage(): JSX.Element {
  return (
    <Page title={t('Bank')} description={t('Direct debits, refunds and bank statements')}>
      <HashTabs
        label={t('Bank')}
        tabs={[
          { id: 'unmatched', label: t('Unmatched bookings'), content: () => <BankEntries /> },
          { id: 'files', label: t('Files for the bank'), content: () => <BankFiles /> },
          { id: 'statements', label: t('Statements'), content: () => <BankStatements /> },
        ]}
      />
    </Page>
  );
}
