// The audit log, newest first.
import { Stack } from '@mantine/core';
import type { JSX } from 'react';
import type { AuditListInput } from '#sdk/operator.ts';
import { useStaffPages, type Row } from '../../data/staff-pages.ts';
import { auditSentence } from '../../parts/audit-sentences.ts';
import { EmptyCard, QueryResult } from '../../parts/query-result.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import { changeLabel } from '#text/operation-labels.ts';
import { isFailedSignIn, withoutFinishedStarts } from '../../parts/audit-entries.ts';
import { AuditResult, isFailure } from '../../parts/audit-result.tsx';
import { RawDetails } from '../../parts/raw-details.tsx';
import { TableCard, type Column } from '../../parts/table-card.tsx';
import { CustomerLink } from './links.tsx';
import { ShowMore } from './show-more.tsx';
import { t } from '../../text/text.ts';

const columns: readonly Column<Row<'auditList'>>[] = [
  { label: t('Time'), isOneLine: true, cell: ({ time }) => <Timestamp at={time} /> },
  {
    label: t('What happened'),
    className: 'wrap-anywhere',
    cell: (entry) => sentenceOf(entry),
  },
  { label: t('From'), ff: 'monospace', isOneLine: true, cell: ({ address }) => address },
  { label: t('Result'), cell: ({ outcome }) => <AuditResult outcome={outcome} /> },
  { label: t('Customer'), isOneLine: true, cell: ({ account }) => <CustomerLink account={account} /> },
  { label: t('More'), width: 1, cell: (entry) => <RawDetails title={sentenceOf(entry)} details={entry} /> },
];
const noEntries = (
  <EmptyCard icon="audit" title={t('No entries found')}>
    {t('Every change to an account is listed here.')}
  </EmptyCard>
);

export function AuditTable({ filter }: { filter: AuditListInput }): JSX.Element {
  const entries = useStaffPages('auditList', filter);
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

function sentenceOf(entry: Row<'auditList'>): string {
  const actor = actorText(entry);
  const text = auditSentence(entry, actor) ?? `${actor}: ${changeLabel(entry.operation)}`;
  return isFailure(entry.outcome) ? t('Failed attempt: {text}', { text }) : text;
}

function actorText(entry: Row<'auditList'>): string {
  const { operator, contact, key } = entry;
  if (isFailedSignIn(entry))
    return t('Someone not signed in, as {who}', {
      who: operator || (contact === '' ? t('the customer') : t('contact {contact}', { contact })),
    });
  if (operator !== '') return t('{name} (staff)', { name: operator });
  return contact === '' ? t('API key {key}', { key }) : t('Contact {contact}', { contact });
}
