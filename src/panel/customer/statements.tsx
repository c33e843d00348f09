// Account statements: opening balance, invoices, payments and closing balance of a period.
import { Group } from '@mantine/core';
import type { JSX } from 'react';
import { useRead } from '../data/operations.ts';
import { customerApi } from '../data/session.ts';
import { FileButton } from '../parts/file-button.tsx';
import { Money } from '../parts/money.tsx';
import { Page } from '../parts/page.tsx';
import { PdfButtons } from '../parts/pdf-buttons.tsx';
import { QueryResult } from '../parts/query-result.tsx';
import { StatementView, useStatementPeriod } from '../parts/statement.tsx';
import { t } from '../text/text.ts';

export function StatementsPage(): JSX.Element {
  const { period, isValid, picker } = useStatementPeriod();
  const statement = useRead('statementGet', { ...period }, { enabled: isValid, keepsPrevious: true });
  return (
    <Page
      title={t('Account statement')}
      description={t('Invoices, payments and the balance of a period. Positive balances are owed.')}
      actions={
        isValid && (
          <Group gap="xs">
            <PdfButtons title={t('Account statement')} load={() => customerApi().statementPdf({ ...period })} />
            <FileButton load={() => customerApi().statementCsv({ ...period })}>CSV</FileButton>
          </Group>
        )
      }
    >
      {picker}
      <QueryResult query={statement} lines={8}>
        {(data) => <StatementView statement={data} money={(amount) => <Money amount={amount} />} />}
      </QueryResult>
    </Page>
  );
}
