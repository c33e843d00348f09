// The audit log, newest first.
import { Stack } from '@mantine/core';
import type { JSX } from 'react';
import type { AuditListInput } from '#sdk/operator.ts';
import { useStaffPages, type Row } from '../../data/staff-pages.ts';
import { useCustomers, type Customers } from '../../data/customer-names.ts';
import { auditSentence, type NameOf } from '../../parts/audit-sentences.ts';
import { EmptyCard, QueryResult } from '../../parts/query-result.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import { changeLabel } from '#text/operation-labels.ts';
import { isFailedSignIn, withoutFinishedStarts } from '../../parts/audit-entries.ts';
import { AuditResult, isFailure } from '../../parts/audit-result.tsx';
import { RawDetails } from '../../parts/raw-details.tsx';
import { TableCard, type Column } from '../../parts/table-card.tsx';
import { CustomerLink, provider } from './links.tsx';
import { ShowMore } from './show-more.tsx';
import { t } from '../../text/text.ts';

type Entry = Row<'auditList'>;

const noEntries = (
  <EmptyCard icon="audit" title={t('No entries found')}>
    {t('Every change to an account is listed here.')}
  </EmptyCard>
);

export function AuditTable({ filter }: { filter: AuditListInput }): JSX.Element {
  const entries = useStaffPages('auditList', filter);
  const customers = useCustomers((entries.data ?? []).map(({ account }) => account).filter((id) => id !== provider));
  const columns: readonly Column<Entry>[] = [
    { label: t('Time'), isOneLine: true, cell: ({ time }) => <Timestamp at={time} /> },
    { label: t('What happened'), className: 'wrap-anywhere', cell: (entry) => sentenceOf(entry, customers) },
    { label: t('From'), ff: 'monospace', isOneLine: true, cell: ({ address }) => address },
    { label: t('Result'), cell: ({ outcome }) => <AuditResult outcome={outcome} /> },
    { label: t('Customer'), isOneLine: true, cell: ({ account }) => <CustomerLink account={account} /> },
    {
      label: t('More'),
      width: 1,
      cell: (entry) => <RawDetails title={sentenceOf(entry, customers)} details={entry} />,
    },
  ];
  return (
    <Stack>
      <QueryResult query={entries} lines={8} empty={noEntries}>
        {(all) => (
          <TableCard
            label={t('Audit log')}
            columns={columns}
            rows={withoutFinishedStarts(all)}
            rowKey={({ account, id }) => `${account} ${id}`}
            minWidth={900}
          />
        )}
      </QueryResult>
      <ShowMore query={entries} />
    </Stack>
  );
}

function sentenceOf(entry: Entry, customers: Customers): string {
  const actor = actorText(entry, customers);
  const nameOf: NameOf = (thing, id) => (thing === 'customer' ? customers.get(id)?.name : undefined);
  const text = auditSentence(entry, actor, nameOf) ?? `${actor}: ${changeLabel(entry.operation)}`;
  return isFailure(entry.outcome) ? t('Failed attempt: {text}', { text }) : text;
}

/** Not by key: that of a session has no name, and looks like one of the API. */
function actorText(entry: Entry, customers: Customers): string {
  const { account, operator, contact } = entry;
  const customer = customers.get(account)?.name ?? t('Customer {account}', { account });
  const person = contact === '' ? customer : t('{customer} (contact {contact})', { customer, contact });
  if (isFailedSignIn(entry)) return t('Someone not signed in, as {who}', { who: operator || person });
  return operator === '' ? person : t('{name} (staff)', { name: operator });
}
