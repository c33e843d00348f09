// The audit log, newest first.
import { Stack } from '@mantine/core';
import type { JSX } from 'react';
import type { AuditListInput } from '#sdk/operator.ts';
import { useStaffPages, type Row } from '../../data/staff-pages.ts';
import { auditSentence } from '../../parts/audit-sentences.ts';
import { EmptyCard, QueryResult } from '../../parts/query-result.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import { changeLabel } from '../../parts/operation-labels.ts';
import { isFailedSignIn, withoutFinishedStarts } from '../../parts/audit-entries.ts';
import { AuditResult, isFailure } from '../../parts/audit-result.tsx';
import { RawDetails } from '../../parts/raw-details.tsx';
import { TableCard, type Column } from '../../parts/table-card.tsx';
import { CustomerLink } from './links.tsx';
import { ShowMore } from './show-more.tsx';

const columns: readonly Column<Row<'auditList'>>[] = [
  { label: 'Time', isOneLine: true, cell: ({ time }) => <Timestamp at={time} /> },
  {
    label: 'What happened',
    className: 'wrap-anywhere',
    cell: (entry) => sentenceOf(entry),
  },
  { label: 'From', ff: 'monospace', isOneLine: true, cell: ({ address }) => address },
  { label: 'Result', cell: ({ outcome }) => <AuditResult outcome={outcome} /> },
  { label: 'Customer', isOneLine: true, cell: ({ account }) => <CustomerLink account={account} /> },
  { label: 'More', width: 1, cell: (entry) => <RawDetails title={sentenceOf(entry)} details={entry} /> },
];
const noEntries = (
  <EmptyCard icon="audit" title="No entries found">
    Every change to an account is listed here.
  </EmptyCard>
);

export function AuditTable({ filter }: { filter: AuditListInput }): JSX.Element {
  const entries = useStaffPages('auditList', filter);
  return (
    <Stack>
      <QueryResult query={entries} lines={8} empty={noEntries}>
        {(all) => (
          <TableCard
            label="Audit log"
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
  return isFailure(entry.outcome) ? `Failed attempt: ${text}` : text;
}

function actorText(entry: Row<'auditList'>): string {
  const { operator, contact, key } = entry;
  if (isFailedSignIn(entry))
    return `Someone not signed in, as ${operator || (contact === '' ? 'the customer' : `contact ${contact}`)}`;
  if (operator !== '') return `${operator} (staff)`;
  return contact === '' ? `API key ${key}` : `Contact ${contact}`;
}
