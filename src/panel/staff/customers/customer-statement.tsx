// The statement of a customer for a period, as the customer sees it.
import { Stack } from '@mantine/core';
import type { JSX } from 'react';
import { useStaffRead } from '../../data/operations.ts';
import { staffApi } from '../../data/session.ts';
import { PdfButtons } from '../../parts/pdf-buttons.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { Section } from '../../parts/section.tsx';
import { StatementView, useStatementPeriod } from '../../parts/statement.tsx';
import { t } from '../../text/text.ts';
import { amountText } from '../money/amounts.ts';

export interface CustomerStatementProps {
  readonly account: string;
  readonly currency: string;
}

export function CustomerStatement({ account, currency }: CustomerStatementProps): JSX.Element {
  const { period, isValid, picker } = useStatementPeriod();
  const chosen = { account, ...period };
  const statement = useStaffRead('accountStatement', chosen, { enabled: isValid, keepsPrevious: true });
  return (
    <Section
      title={t('Account statement')}
      actions={
        isValid && (
          <PdfButtons size="xs" title={t('Account statement')} load={() => staffApi().accountStatementPdf(chosen)} />
        )
      }
    >
      <Stack gap="sm">
        {picker}
        <QueryResult query={statement} lines={8}>
          {(data) => <StatementView statement={data} money={(amount) => amountText(amount, currency)} />}
        </QueryResult>
      </Stack>
    </Section>
  );
}
